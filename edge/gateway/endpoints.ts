import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import { healthEndpoints } from '../health/endpoints.ts';
import { InferAnswer, InferRequest } from '../inference/contract/infer.ts';
import { INFER_PROBLEMS } from '../inference/endpoints.ts';
import { monitoringEndpoints } from '../monitoring/endpoints.ts';
import {
  ServiceConnection,
  ServiceDeleted,
  ServiceList,
  ServiceRecord,
  ServiceRegistration,
  ServicesHealth,
  ServiceStatus,
} from '../contract/service.ts';

/** What an inference may be asked with, images too. */
const MAX_INFER_BYTES = 20 * 1024 * 1024;

const IF_MATCH = 'Refuses with 412 unless the registration still has this ETag.';

/** What the gateway answers itself; the rest it forwards. */
export const gatewayEndpoints = {
  listServices: {
    method: 'GET',
    path: '/services',
    summary: 'The services the gateway forwards to, with their instances.',
    access: 'authenticated',
    query: z.strictObject({
      status: z.optional(ServiceStatus),
      tag: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    }),
    answers: { 200: ServiceList },
  },
  servicesHealth: {
    method: 'GET',
    path: '/services/health',
    summary: 'The state of every service; with `strict=true` a critical one makes it 503.',
    access: 'authenticated',
    query: z.strictObject({ strict: z.prefault(z.enum(['true', 'false']), 'false') }),
    answers: { 200: ServicesHealth, 503: ServicesHealth },
  },
  registerService: {
    method: 'POST',
    path: '/services/register',
    summary: 'Registers a service or replaces its registration; also how a ttl is renewed.',
    access: 'admin',
    body: ServiceRegistration,
    headers: { 'if-match': IF_MATCH },
    answers: { 200: ServiceRecord, 201: ServiceRecord },
    problems: ['reserved_name', 'precondition_failed', 'storage_full'],
  },
  connectService: {
    method: 'GET',
    path: '/services/connect',
    summary:
      'Connects an instance of a service that listens on nothing: the gateway sends it requests over this WebSocket (docs/design/hybrid.md). It ends with 4401 within five seconds of its key.',
    access: 'service:connect',
    query: ServiceConnection,
    answers: { 101: null },
    problems: ['upgrade_required', 'reserved_name', 'already_exists', 'limit_reached'],
  },
  getService: {
    method: 'GET',
    path: '/services/:name',
    summary: 'One service with its instances; the ETag names its registration.',
    access: 'authenticated',
    query: z.strictObject({}),
    answers: { 200: ServiceRecord },
    problems: ['service_not_found'],
  },
  deleteService: {
    method: 'DELETE',
    path: '/services/:name',
    summary: 'Removes a registered service; requests under way are finished.',
    access: 'admin',
    query: z.strictObject({}),
    headers: { 'if-match': IF_MATCH },
    answers: { 200: ServiceDeleted },
    problems: ['service_not_found', 'reserved_name', 'precondition_failed'],
  },
} as const satisfies Endpoints;

/** Handed on to the inference service, which says what is wrong with the body. */
const infer = {
  method: 'POST',
  access: 'infer',
  body: { media: ['application/json'], schema: InferRequest },
  maxBodyBytes: MAX_INFER_BYTES,
  answers: { 200: { media: ['application/json', 'text/event-stream'], schema: InferAnswer } },
  problems: [
    'invalid_json',
    'validation_failed',
    ...INFER_PROBLEMS,
    'service_not_found',
    'no_healthy_instance',
    'stale_epoch',
    'loop_detected',
  ],
} as const;

/** Paths of older clients that are still answered. */
export const legacyEndpoints = {
  generate: {
    ...infer,
    path: '/api/generate',
    summary: "The older path of the inference service's `/infer`.",
    sunset: '2027-12-31',
  },
} as const satisfies Endpoints;

const { exposeMetrics } = monitoringEndpoints;

/** What other services of the platform answer, at the paths of the gateway's own. */
export const frontEndpoints = {
  inferV1: {
    ...infer,
    path: '/v1/infer',
    summary: 'Asks a model: the same as `/inference/infer`, streamed where `stream` is true.',
  },
  healthV1: { ...healthEndpoints.health, path: '/v1/health', summary: 'The same as `/health`.' },
  exposeMetrics,
  exposeMetricsV1: { ...exposeMetrics, path: '/v1/metrics', summary: 'The same as `/metrics`.' },
} as const satisfies Endpoints;

import * as z from 'zod/mini';
import { type Endpoints, get, post, del } from '../contract/endpoint.ts';
import { healthDocs, healthEndpoints } from '../health/endpoints.ts';
import { InferAnswer, InferRequest } from '../inference/contract/infer.ts';
import { INFER_PROBLEMS } from '../inference/endpoints.ts';
import { monitoringDocs, monitoringEndpoints } from '../monitoring/endpoints.ts';
import {
  ServiceConnection,
  ServiceDeleted,
  type ServiceInstance,
  ServiceList,
  ServiceName,
  ServiceRecord,
  ServiceRegistration,
  ServicesHealth,
  ServiceStatus,
} from '../contract/service.ts';
import { describe, fromBody, linksTo } from '../contract/endpoint-docs.ts';
import { edgeInferenceDocs } from '../inference/edge-endpoints.ts';

/** Maximum size of an inference request, images included. */
const MAX_INFER_BYTES = 20 * 1024 * 1024;

const IF_MATCH = 'Refuses with 412 unless the registration still has this ETag.';

/** Endpoints of the gateway itself; other paths are forwarded. */
export const gatewayEndpoints = {
  listServices: get('/services', 'authenticated', {
    summary: 'The services the gateway forwards to, with their instances.',
    query: z.strictObject({
      status: z.optional(ServiceStatus),
      tag: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    }),
    responses: { 200: ServiceList },
  }),
  servicesHealth: get('/services/health', 'authenticated', {
    summary: 'The state of every service; with `strict=true` a critical one makes it 503.',
    query: z.strictObject({ strict: z.prefault(z.enum(['true', 'false']), 'false') }),
    responses: { 200: ServicesHealth, 503: ServicesHealth },
  }),
  registerService: post('/services/register', 'admin', {
    summary: 'Registers a service or replaces its registration; also how a ttl is renewed.',
    body: ServiceRegistration,
    headers: { 'if-match': IF_MATCH },
    responses: { 200: ServiceRecord, 201: ServiceRecord },
    problems: ['reserved_name', 'precondition_failed', 'storage_full'],
  }),
  connectService: get('/services/connect', 'service:connect', {
    summary:
      'Connects an instance of a service that listens on nothing: the gateway sends it requests over this WebSocket (docs/design/hybrid.md). It ends with 4401 within five seconds of its key.',
    query: ServiceConnection,
    responses: { 101: null },
    problems: ['upgrade_required', 'reserved_name', 'already_exists', 'limit_reached'],
  }),
  getService: get('/services/:name', 'authenticated', {
    summary: 'One service with its instances; the ETag names its registration.',
    responses: { 200: ServiceRecord },
    problems: ['service_not_found'],
  }),
  deleteService: del('/services/:name', 'admin', {
    summary: 'Removes a registered service; requests under way are finished.',
    headers: { 'if-match': IF_MATCH },
    responses: { 200: ServiceDeleted },
    problems: ['service_not_found', 'reserved_name', 'precondition_failed'],
  }),
} as const satisfies Endpoints;

/** Handed on to the inference service, which says what is wrong with the body. */
const infer = {
  method: 'POST',
  access: 'infer',
  body: { media: ['application/json'], schema: InferRequest },
  maxBodyBytes: MAX_INFER_BYTES,
  responses: { 200: { media: ['application/json', 'text/event-stream'], schema: InferAnswer } },
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

/** Endpoints of other services at the gateway's own paths. */
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

/** Parameters, examples and links of the table. */
export const gatewayDocs = () => {
  const instance: ServiceInstance = {
    id: 'inference-1',
    url: 'http://10.0.0.7:8002',
    weight: 1,
    region_id: 'tokyo',
    status: 'passing',
    consecutive_failures: 0,
    ejected_until: null,
    in_flight: 3,
    latency_ms_ewma: 12.5,
    last_check_at: '2026-11-20T10:00:00Z',
    last_error: null,
  };

  const record: ServiceRecord = {
    name: 'inference',
    origin: 'registered',
    version: '1.4.0',
    tags: ['gpu'],
    meta: { team: 'serving' },
    status: 'passing',
    instances: [instance],
    health: {
      path: '/health',
      interval_s: 10,
      timeout_s: 2,
      failures_before_critical: 3,
      success_before_passing: 2,
    },
    ttl_s: null,
    expires_at: null,
    registered_at: '2026-11-20T09:00:00Z',
    updated_at: '2026-11-20T09:00:00Z',
  };

  const health = (status: 'passing' | 'critical') => ({
    status,
    services: { inference: { status, instances: [{ ...instance, status }] } },
    checked_at: '2026-11-20T10:00:00Z',
  });

  const serviceLinks = linksTo({ name: fromBody('name') }, 'getService', 'deleteService');

  return describe(gatewayEndpoints, {
    schemas: [],
    params: { 'services/:name': { description: 'The service.', schema: ServiceName } },
    operations: {
      listServices: {
        query: { tag: 'gpu' },
        answer: { services: [record], total: 1 },
      },
      servicesHealth: {
        query: { strict: 'true' },
        responses: { 200: health('passing'), 503: health('critical') },
      },
      registerService: {
        body: {
          name: 'inference',
          instances: [{ url: 'http://127.0.0.1:8002', region_id: 'tokyo' }],
          version: '1.4.0',
          tags: ['gpu'],
          meta: { team: 'serving' },
        },
        responses: { 200: record, 201: record },
        links: { 200: serviceLinks, 201: serviceLinks },
      },
      connectService: {
        query: { service: 'inference', instance: 'gpu-box-4f1a2c', version: '0.1.0' },
        answer: null,
      },
      getService: { params: { name: 'inference' }, answer: record },
      deleteService: {
        params: { name: 'inference' },
        answer: { status: 'deleted', name: 'inference' },
      },
    },
  });
};

const generated = () => ({
  body: {
    'application/json': { model_id: 'tiny', inputs: { text: 'Call me Ishmael.' } },
  },
  answer: {
    'application/json': edgeInferenceDocs().operations.infer.answer,
    'text/event-stream': 'data: {"id":"inf_01","index":0,"delta":" Some"}\n\ndata: [DONE]\n\n',
  },
});

/** Parameters, examples and links of the table. */
export const legacyDocs = () =>
  describe(legacyEndpoints, { schemas: [], params: {}, operations: { generate: generated() } });

/** Parameters, examples and links of the table. */
export const frontDocs = () => {
  const metrics = monitoringDocs().operations.exposeMetrics;
  return describe(frontEndpoints, {
    schemas: [],
    params: {},
    operations: {
      inferV1: generated(),
      healthV1: healthDocs().operations.health,
      exposeMetrics: metrics,
      exposeMetricsV1: metrics,
    },
  });
};

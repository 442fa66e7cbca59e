import * as z from 'zod/mini';
import { Dashboard } from './contract/dashboard.ts';
import type { Endpoints } from '../contract/endpoint.ts';
import { MetricsQuery, ServiceMetrics } from './contract/metrics-query.ts';
import { MetricsExported } from '../otlp/contract/export.ts';
import { METRIC_LIMITS, MetricsAccepted, MetricService, MetricsPush } from './contract/metrics.ts';

/** Metrics as OpenTelemetry sends them. */
const OtlpPush = z.looseObject({ resourceMetrics: z.array(z.unknown()) });

/** What services measure, over time. */
export const monitoringEndpoints = {
  pushMetrics: {
    method: 'POST',
    path: '/metrics',
    summary:
      'Records metrics: our JSON, the text of Prometheus or OpenMetrics (202), or OTLP as JSON (told apart by its resourceMetrics) or protobuf (200, as OTLP/HTTP answers). Each sample is taken or refused by itself.',
    access: 'metrics:write',
    query: z.strictObject({ service_name: z.optional(MetricService) }),
    body: {
      media: [
        'application/json',
        'text/plain',
        'application/openmetrics-text',
        'application/x-protobuf',
      ],
      schema: z.union([MetricsPush, OtlpPush]),
    },
    maxBodyBytes: METRIC_LIMITS.bodyBytes,
    answers: {
      200: { media: ['application/json', 'application/x-protobuf'], schema: MetricsExported },
      202: MetricsAccepted,
    },
    problems: [
      'invalid_json',
      'invalid_parameter',
      'payload_too_large',
      'unsupported_media_type',
      'validation_failed',
      'body_cut_off',
      'overloaded',
    ],
  },
  exposeMetrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'The newest value of every metric as Prometheus text (format 0.0.4).',
    access: 'metrics:read',
    query: z.strictObject({}),
    answers: { 200: { media: ['text/plain'] } },
  },
  getServiceMetrics: {
    method: 'GET',
    path: '/metrics/:service',
    summary: 'The metrics of a service over time.',
    access: 'metrics:read',
    query: MetricsQuery,
    lists: ['label'],
    answers: { 200: ServiceMetrics },
    problems: ['invalid_parameter', 'service_not_found'],
  },
  getDashboard: {
    method: 'GET',
    path: '/dashboard',
    summary: 'How the platform is, at a glance.',
    access: 'metrics:read',
    query: z.strictObject({}),
    answers: { 200: Dashboard },
  },
} as const satisfies Endpoints;

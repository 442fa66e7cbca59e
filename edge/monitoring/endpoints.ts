import * as z from 'zod/mini';
import * as dashboardSchemas from './contract/dashboard.ts';
import { Dashboard } from './contract/dashboard.ts';
import { type Endpoints, post, get } from '../contract/endpoint.ts';
import * as metricsQuerySchemas from './contract/metrics-query.ts';
import { MetricsExported } from '../otlp/contract/export.ts';
import * as metricSchemas from './contract/metrics.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** Metrics as OpenTelemetry sends them. */
const OtlpPush = z.looseObject({ resourceMetrics: z.array(z.unknown()) });

/** Metrics of the services. */
export const monitoringEndpoints = {
  pushMetrics: post('/metrics', 'metrics:write', {
    summary:
      'Records metrics: our JSON, the text of Prometheus or OpenMetrics (202), or OTLP as JSON (told apart by its resourceMetrics) or protobuf (200, as OTLP/HTTP answers). Each sample is taken or refused by itself.',
    query: z.strictObject({ service_name: z.optional(metricSchemas.MetricService) }),
    body: {
      media: [
        'application/json',
        'text/plain',
        'application/openmetrics-text',
        'application/x-protobuf',
      ],
      schema: z.union([metricSchemas.MetricsPush, OtlpPush]),
    },
    maxBodyBytes: metricSchemas.METRIC_LIMITS.bodyBytes,
    responses: {
      200: { media: ['application/json', 'application/x-protobuf'], schema: MetricsExported },
      202: metricSchemas.MetricsAccepted,
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
  }),
  exposeMetrics: get('/metrics', 'metrics:read', {
    summary: 'The newest value of every metric as Prometheus text (format 0.0.4).',
    responses: { 200: { media: ['text/plain'] } },
  }),
  getServiceMetrics: get('/metrics/:service', 'metrics:read', {
    summary: 'The metrics of a service over time.',
    query: metricsQuerySchemas.MetricsQuery,
    lists: ['label'],
    responses: { 200: metricsQuerySchemas.ServiceMetrics },
    problems: ['invalid_parameter', 'service_not_found'],
  }),
  getDashboard: get('/dashboard', 'metrics:read', {
    summary: 'How the platform is, at a glance.',
    responses: { 200: Dashboard },
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const monitoringDocs = () => {
  const TEXT = [
    '# TYPE http_requests_total counter',
    'http_requests_total{method="GET",route="/health",service="inference",status="2xx"} 1027',
    '',
  ].join('\n');

  const series: metricsQuerySchemas.MetricSeries = {
    name: 'http_requests_total',
    type: 'counter',
    unit: null,
    help: 'Requests answered.',
    labels: { service: 'inference', status: '2xx' },
    agg: 'rate',
    points: [
      [1_795_168_800, 12.5],
      [1_795_168_860, null],
    ],
    last: 1027,
    last_at: '2026-11-20T10:00:00Z',
  };

  const dashboard: Dashboard = {
    generated_at: '2026-11-20T10:00:00Z',
    services: [
      { name: 'inference', status: 'passing', rps: 12.5, error_rate: 0, p50: 8.1, p99: 31.4 },
    ],
    jobs: { by_status: { running: 1 } },
    models: { total: 12 },
    regions: { total: null, online: null, active_region: null },
    nodes: { total: null, active: null },
    alerts: { firing: 1, by_severity: { warning: 1 } },
    log_stream: { clients: null, broadcast_drops: null, persist_drops: null },
    panels: [
      {
        id: 'request_rate',
        name: 'http_requests_total',
        agg: 'rate',
        unit: 'requests/s',
        step_s: 60,
        series: [{ service_name: 'inference', points: [[1_795_168_800, 12.5]] }],
      },
    ],
  };

  return describe(monitoringEndpoints, {
    schemas: [dashboardSchemas, metricSchemas, metricsQuerySchemas],
    params: {
      'metrics/:service': { description: 'Who measures.', schema: metricSchemas.MetricService },
    },
    operations: {
      pushMetrics: {
        query: { service_name: 'inference' },
        body: {
          'application/json': {
            service_name: 'inference',
            metrics: [
              {
                name: 'http_requests_total',
                type: 'counter',
                value: 1027,
                labels: { status: '2xx' },
              },
            ],
          },
          'text/plain': TEXT,
          'application/openmetrics-text': `${TEXT}# EOF\n`,
          'application/x-protobuf': '',
        },
        responses: {
          200: { 'application/json': { partialSuccess: {} }, 'application/x-protobuf': '' },
          202: { accepted: 1, rejected: 0, errors: [] },
        },
      },
      exposeMetrics: { answer: { 'text/plain': TEXT } },
      getServiceMetrics: {
        params: { service: 'inference' },
        query: { name: 'http_requests_total', agg: 'rate', step: '1m', label: ['status:2xx'] },
        answer: {
          service_name: 'inference',
          from: '2026-11-20T09:00:00Z',
          to: '2026-11-20T10:00:00Z',
          step_s: 60,
          series: [series],
          total: 1,
          truncated: false,
        },
      },
      getDashboard: { answer: dashboard },
    },
  });
};

import { type Endpoints, get } from '../contract/endpoint.ts';
import * as healthSchemas from './contract/health.ts';
import { Health } from './contract/health.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** Health and API description of every service. */
export const healthEndpoints = {
  health: get('/health', 'public', {
    summary: 'How the service is, with a check of each thing it needs.',
    responses: { 200: Health, 503: Health },
  }),
  ready: get('/health/ready', 'public', {
    summary: 'Whether the service can do its work now.',
    responses: { 200: Health, 503: Health },
  }),
  live: get('/health/live', 'public', {
    summary: 'Whether the service runs at all.',
    responses: { 200: Health },
  }),
} as const satisfies Endpoints;

/** Prometheus metrics of one service; the gateway and monitoring expose those of all services. */
export const ownMetricsEndpoints = {
  ownMetrics: get('/metrics', 'metrics:read', {
    summary: 'What this service measures as Prometheus text (format 0.0.4).',
    responses: { 200: { media: ['text/plain'] } },
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const healthDocs = () => {
  const ok: Health = {
    status: 'ok',
    service: 'registry',
    version: '0.1.0',
    uptime_s: 5821.4,
    checks: { database: { status: 'ok', detail: 'It holds 12 models.' } },
    timestamp: '2026-11-20T10:00:00Z',
  };

  const unavailable: Health = {
    ...ok,
    status: 'unavailable',
    checks: { database: { status: 'unavailable', detail: 'The object does not answer.' } },
  };

  return describe(healthEndpoints, {
    schemas: [healthSchemas],
    params: {},
    operations: {
      health: { responses: { 200: ok, 503: unavailable } },
      ready: { responses: { 200: ok, 503: unavailable } },
      live: { answer: { ...ok, checks: {} } },
    },
  });
};

/** Parameters, examples and links of the table. */
export const ownMetricsDocs = () =>
  describe(ownMetricsEndpoints, {
    schemas: [],
    params: {},
    operations: {
      ownMetrics: {
        answer: {
          'text/plain': [
            '# TYPE http_requests_total counter',
            'http_requests_total{method="GET",route="/health",service="registry",status="2xx"} 12',
            '',
          ].join('\n'),
        },
      },
    },
  });

import type { Health } from './contract/health.ts';
import type { healthEndpoints, ownMetricsEndpoints } from './endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';

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

export const healthExamples: ExamplesOf<typeof healthEndpoints> = {
  health: { answers: { 200: ok, 503: unavailable } },
  ready: { answers: { 200: ok, 503: unavailable } },
  live: { answers: { 200: { ...ok, checks: {} } } },
};

export const ownMetricsExamples: ExamplesOf<typeof ownMetricsEndpoints> = {
  ownMetrics: {
    query: {},
    answers: {
      200: {
        'text/plain': [
          '# TYPE http_requests_total counter',
          'http_requests_total{method="GET",route="/health",service="registry",status="2xx"} 12',
          '',
        ].join('\n'),
      },
    },
  },
};

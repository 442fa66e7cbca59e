import type { Dashboard } from './contract/dashboard.ts';
import type { MetricSeries } from './contract/metrics-query.ts';
import type { monitoringEndpoints } from './endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const TEXT = [
  '# TYPE http_requests_total counter',
  'http_requests_total{method="GET",route="/health",service="inference",status="2xx"} 1027',
  '',
].join('\n');

const series: MetricSeries = {
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

export const monitoringExamples: ExamplesOf<typeof monitoringEndpoints> = {
  pushMetrics: {
    query: { service_name: 'inference' },
    body: {
      'application/json': {
        service_name: 'inference',
        metrics: [
          { name: 'http_requests_total', type: 'counter', value: 1027, labels: { status: '2xx' } },
        ],
      },
      'text/plain': TEXT,
      'application/openmetrics-text': `${TEXT}# EOF\n`,
      'application/x-protobuf': '',
    },
    answers: {
      200: { 'application/json': { partialSuccess: {} }, 'application/x-protobuf': '' },
      202: { accepted: 1, rejected: 0, errors: [] },
    },
  },
  exposeMetrics: { query: {}, answers: { 200: { 'text/plain': TEXT } } },
  getServiceMetrics: {
    params: { service: 'inference' },
    query: { name: 'http_requests_total', agg: 'rate', step: '1m', label: ['status:2xx'] },
    answers: {
      200: {
        service_name: 'inference',
        from: '2026-11-20T09:00:00Z',
        to: '2026-11-20T10:00:00Z',
        step_s: 60,
        series: [series],
        total: 1,
        truncated: false,
      },
    },
  },
  getDashboard: { query: {}, answers: { 200: dashboard } },
};

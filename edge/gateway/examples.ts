import type { frontEndpoints, gatewayEndpoints, legacyEndpoints } from './endpoints.ts';
import type { ServiceInstance, ServiceRecord } from '../contract/service.ts';
import type { ExamplesOf } from '../api-description/description.ts';
import { healthExamples } from '../health/examples.ts';
import { monitoringExamples } from '../monitoring/examples.ts';
import { edgeInferenceExamples } from '../inference/edge-examples.ts';

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

export const gatewayExamples: ExamplesOf<typeof gatewayEndpoints> = {
  listServices: {
    query: { tag: 'gpu' },
    answers: { 200: { services: [record], total: 1 } },
  },
  servicesHealth: {
    query: { strict: 'true' },
    answers: { 200: health('passing'), 503: health('critical') },
  },
  registerService: {
    body: {
      name: 'inference',
      instances: [{ url: 'http://127.0.0.1:8002', region_id: 'tokyo' }],
      version: '1.4.0',
      tags: ['gpu'],
      meta: { team: 'serving' },
    },
    answers: { 200: record, 201: record },
  },
  connectService: {
    query: { service: 'inference', instance: 'gpu-box-4f1a2c', version: '0.1.0' },
    answers: { 101: null },
  },
  getService: { params: { name: 'inference' }, query: {}, answers: { 200: record } },
  deleteService: {
    params: { name: 'inference' },
    query: {},
    answers: { 200: { status: 'deleted', name: 'inference' } },
  },
};

const asked = {
  body: {
    'application/json': { model_id: 'tiny', inputs: { text: 'Call me Ishmael.' } },
  },
  answers: {
    200: {
      'application/json': edgeInferenceExamples.infer.answers[200],
      'text/event-stream': 'data: {"id":"inf_01","index":0,"delta":" Some"}\n\ndata: [DONE]\n\n',
    },
  },
} as const;

export const legacyExamples: ExamplesOf<typeof legacyEndpoints> = { generate: asked };

export const frontExamples: ExamplesOf<typeof frontEndpoints> = {
  inferV1: asked,
  healthV1: healthExamples.health,
  exposeMetrics: monitoringExamples.exposeMetrics,
  exposeMetricsV1: monitoringExamples.exposeMetrics,
};

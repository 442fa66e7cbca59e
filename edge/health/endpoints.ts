import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import { Health } from './contract/health.ts';

/** What every service answers about itself. */
export const healthEndpoints = {
  health: {
    method: 'GET',
    path: '/health',
    summary: 'How the service is, with a check of each thing it needs.',
    access: 'public',
    answers: { 200: Health, 503: Health },
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    summary: 'Whether the service can do its work now.',
    access: 'public',
    answers: { 200: Health, 503: Health },
  },
  live: {
    method: 'GET',
    path: '/health/live',
    summary: 'Whether the service runs at all.',
    access: 'public',
    answers: { 200: Health },
  },
} as const satisfies Endpoints;

/** What every service shows to whoever scrapes it; the gateway and monitoring show those of all services. */
export const ownMetricsEndpoints = {
  ownMetrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'What this service measures as Prometheus text (format 0.0.4).',
    access: 'metrics:read',
    query: z.strictObject({}),
    answers: { 200: { media: ['text/plain'] } },
  },
} as const satisfies Endpoints;

import * as z from 'zod/mini';
import type { Endpoints } from './endpoint.ts';
import { ServiceList, ServicesHealth } from './service.ts';

/** What the gateway answers itself; the rest it forwards. */
export const gatewayEndpoints = {
  listServices: {
    method: 'GET',
    path: '/services',
    summary: 'The services the gateway forwards to, with their instances.',
    access: 'authenticated',
    query: z.strictObject({}),
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
} as const satisfies Endpoints;

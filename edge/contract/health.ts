import * as z from 'zod/mini';
import { Timestamp } from './timestamp.ts';

export const HealthStatus = z.enum(['ok', 'degraded', 'unavailable']);
export type HealthStatus = z.infer<typeof HealthStatus>;

export const HealthCheck = z.object({ status: HealthStatus, detail: z.string() });
export type HealthCheck = z.infer<typeof HealthCheck>;

/** What `GET /health` of every service answers, with 200, or 503 when unavailable. */
export const Health = z.object({
  status: HealthStatus,
  service: z.string(),
  version: z.string(),
  uptime_s: z.number(),
  checks: z.record(z.string(), HealthCheck),
  timestamp: Timestamp,
});
export type Health = z.infer<typeof Health>;

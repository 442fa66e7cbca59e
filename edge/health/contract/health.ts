import * as z from 'zod/mini';
import { Timestamp } from '../../contract/timestamp.ts';

export const HealthStatus = z.enum(['ok', 'degraded', 'unavailable']);
export type HealthStatus = z.infer<typeof HealthStatus>;

/** A companion process of the Worker, which the launcher restarts when it exits. */
export const CompanionProcess = z.object({
  name: z.string(),
  /** `down`: it ended, and is started again at `next_start_at`. */
  status: z.enum(['running', 'down']),
  restarts: z.int(),
  /** A signal such as `SIGKILL`, or `exit code 1`; null as long as it has not ended once. */
  last_exit: z.nullable(z.string()),
  last_exit_at: z.nullable(Timestamp),
  next_start_at: z.nullable(Timestamp),
});
export type CompanionProcess = z.infer<typeof CompanionProcess>;

export const CompanionProcesses = z.array(CompanionProcess);

export const HealthCheck = z.object({
  status: HealthStatus,
  detail: z.string(),
  /** Of the check `processes`, which a gateway has that runs under the launcher. */
  processes: z.optional(CompanionProcesses),
});
export type HealthCheck = z.infer<typeof HealthCheck>;

/** Response of `GET /health` of every service: 200, or 503 when unavailable. */
export const Health = z.object({
  status: HealthStatus,
  service: z.string(),
  version: z.string(),
  uptime_s: z.number(),
  checks: z.record(z.string(), HealthCheck),
  timestamp: Timestamp,
});
export type Health = z.infer<typeof Health>;

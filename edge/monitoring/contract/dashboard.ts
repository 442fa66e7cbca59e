import * as z from 'zod/mini';
import { Aggregation, MetricPoint } from './metrics-query.ts';
import { ServiceStatus } from '../../contract/service.ts';
import { Timestamp } from '../../contract/timestamp.ts';

const Unknown = <T extends z.ZodMiniType>(schema: T) => z.nullable(schema);
const Total = Unknown(z.int());

/** A service over the last minute; null where nothing was measured. */
export const DashboardService = z.object({
  name: z.string(),
  status: ServiceStatus,
  /** Requests per second. */
  rps: Unknown(z.number()),
  /** The fraction of requests that failed with 5xx, from 0 to 1. */
  error_rate: Unknown(z.number()),
  /** Durations in milliseconds. */
  p50: Unknown(z.number()),
  p99: Unknown(z.number()),
});
export type DashboardService = z.infer<typeof DashboardService>;

/** One chart of the overview, with its points. */
export const DashboardPanel = z.object({
  id: z.enum(['request_rate', 'error_rate', 'latency_p99']),
  name: z.string(),
  agg: Aggregation,
  unit: z.string(),
  step_s: z.number(),
  series: z.array(z.object({ service_name: z.string(), points: z.array(MetricPoint) })),
});
export type DashboardPanel = z.infer<typeof DashboardPanel>;

/** The response of `GET /dashboard`; null stands for what is not reported (yet). */
export const Dashboard = z.object({
  generated_at: Timestamp,
  services: z.array(DashboardService),
  jobs: z.object({ by_status: z.record(z.string(), z.int()) }),
  models: z.object({ total: Total }),
  regions: z.object({ total: Total, online: Total, active_region: Unknown(z.string()) }),
  nodes: z.object({ total: Total, active: Total }),
  alerts: z.object({ firing: Total, by_severity: z.record(z.string(), z.int()) }),
  log_stream: z.object({ clients: Total, broadcast_drops: Total, persist_drops: Total }),
  panels: z.array(DashboardPanel),
});
export type Dashboard = z.infer<typeof Dashboard>;

import * as z from 'zod/mini';
import { Timestamp } from './timestamp.ts';

/** A service is named by a DNS label, as it becomes the first segment of a path. */
export const ServiceName = z
  .string()
  .check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'expected a lower-case DNS label'));
export type ServiceName = z.infer<typeof ServiceName>;

export const ServiceStatus = z.enum(['passing', 'warning', 'critical', 'unknown']);
export type ServiceStatus = z.infer<typeof ServiceStatus>;

/** One place where a service runs. `url` starts with `worker:` where it is part of this Worker. */
export const ServiceInstance = z.object({
  id: z.string(),
  url: z.string(),
  weight: z.number(),
  region_id: z.nullable(z.string()),
  status: ServiceStatus,
  consecutive_failures: z.int(),
  ejected_until: z.nullable(Timestamp),
  in_flight: z.int(),
  latency_ms_ewma: z.nullable(z.number()),
  last_check_at: z.nullable(Timestamp),
  last_error: z.nullable(z.string()),
});
export type ServiceInstance = z.infer<typeof ServiceInstance>;

export const HealthPolicy = z.object({
  path: z.string(),
  interval_s: z.number(),
  timeout_s: z.number(),
  failures_before_critical: z.int(),
  success_before_passing: z.int(),
});
export type HealthPolicy = z.infer<typeof HealthPolicy>;

export const ServiceRecord = z.object({
  name: ServiceName,
  version: z.nullable(z.string()),
  tags: z.array(z.string()),
  meta: z.record(z.string(), z.string()),
  status: ServiceStatus,
  instances: z.array(ServiceInstance),
  health: HealthPolicy,
  ttl_s: z.nullable(z.number()),
  registered_at: Timestamp,
  updated_at: Timestamp,
});
export type ServiceRecord = z.infer<typeof ServiceRecord>;

/** What `GET /services` answers. */
export const ServiceList = z.object({ services: z.array(ServiceRecord), total: z.int() });
export type ServiceList = z.infer<typeof ServiceList>;

export const ServiceHealth = z.object({
  status: ServiceStatus,
  instances: z.array(ServiceInstance),
});
export type ServiceHealth = z.infer<typeof ServiceHealth>;

/** What `GET /services/health` answers; `status` is the worst of the services. */
export const ServicesHealth = z.object({
  status: ServiceStatus,
  services: z.record(ServiceName, ServiceHealth),
  checked_at: Timestamp,
});
export type ServicesHealth = z.infer<typeof ServicesHealth>;

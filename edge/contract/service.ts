import * as z from 'zod/mini';
import { RESERVED_NAMES } from '../gateway/contract/pages.ts';
import { Timestamp } from './timestamp.ts';
import { exactlyOne, says } from './schema-rules.ts';

const DNS_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

/** A service is named by a DNS label, as it becomes the first segment of a path. */
export const ServiceName = z
  .string()
  .check(z.regex(new RegExp(`^${DNS_LABEL}$`), 'expected a lower-case DNS label'));
export type ServiceName = z.infer<typeof ServiceName>;

/** Reserved names that are no labels, such as `openapi.json`: they are refused as reserved, not as malformed. */
const OTHER_RESERVED = [...RESERVED_NAMES]
  .filter((name) => !ServiceName.safeParse(name).success)
  .map((name) => name.replaceAll('.', '\\.'));

const WantedName = z
  .string()
  .check(
    z.regex(
      new RegExp(`^(?:${[DNS_LABEL, ...OTHER_RESERVED].join('|')})$`),
      'expected a lower-case DNS label',
    ),
  );

export const ServiceStatus = z.enum(['passing', 'warning', 'critical', 'unknown']);
export type ServiceStatus = z.infer<typeof ServiceStatus>;

/** Part of this Worker, named by its configuration, registered while it runs, or connected by itself. */
export const ServiceOrigin = z.enum(['built-in', 'configured', 'registered', 'connected']);
export type ServiceOrigin = z.infer<typeof ServiceOrigin>;

/** How the health of each instance is asked for. */
export const HealthPolicy = z.object({
  path: z.string(),
  interval_s: z.number(),
  timeout_s: z.number(),
  failures_before_critical: z.int(),
  success_before_passing: z.int(),
});
export type HealthPolicy = z.infer<typeof HealthPolicy>;

const RegionId = z
  .string()
  .check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'expected a region id'));

/**
 * One place where a service runs. `url` starts with `worker:` where it is part of this Worker, and with
 * `connected:` where it has no address, as it connected to the gateway itself.
 * `status` is what the probes found. `in_flight`, `latency_ms_ewma`, `consecutive_failures` and
 * `ejected_until` are what the answering gateway saw of the requests it forwarded.
 */
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

export const ServiceRecord = z.object({
  name: ServiceName,
  origin: ServiceOrigin,
  version: z.nullable(z.string()),
  tags: z.array(z.string()),
  meta: z.record(z.string(), z.string()),
  status: ServiceStatus,
  instances: z.array(ServiceInstance),
  health: HealthPolicy,
  ttl_s: z.nullable(z.number()),
  /** When the service turns critical unless it is registered again; null where it stays. */
  expires_at: z.nullable(Timestamp),
  registered_at: Timestamp,
  updated_at: Timestamp,
});
export type ServiceRecord = z.infer<typeof ServiceRecord>;

/** Response of `GET /services`. */
export const ServiceList = z.object({ services: z.array(ServiceRecord), total: z.int() });
export type ServiceList = z.infer<typeof ServiceList>;

export const ServiceHealth = z.object({
  status: ServiceStatus,
  instances: z.array(ServiceInstance),
});
export type ServiceHealth = z.infer<typeof ServiceHealth>;

/** Response of `GET /services/health`; `status` is the worst of the services. */
export const ServicesHealth = z.object({
  status: ServiceStatus,
  services: z.record(ServiceName, ServiceHealth),
  checked_at: Timestamp,
});
export type ServicesHealth = z.infer<typeof ServicesHealth>;

/** Response of `DELETE /services/{name}`. */
export const ServiceDeleted = z.object({ status: z.literal('deleted'), name: ServiceName });
export type ServiceDeleted = z.infer<typeof ServiceDeleted>;

/** An address of a service, without credentials, query or fragment. */
const TargetUrl = z
  .string()
  .check(
    z.maxLength(1024),
    z.regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s]+$/, 'expected an http or https address'),
  );

const InstanceId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'expected 1 to 63 of A-Z a-z 0-9 . _ -'));

const Weight = z.number().check(z.gt(0), z.lte(100));

export const InstanceInput = z.strictObject({
  id: z.optional(InstanceId),
  url: TargetUrl,
  weight: z.prefault(Weight, 1),
  region_id: z.optional(z.nullable(RegionId)),
});

const HealthPolicyInput = z
  .strictObject({
    path: z.prefault(
      z
        .string()
        .check(z.regex(/^\/[\w.~!$&'()*+,;=:@/-]{0,255}$/, 'expected a path that starts with /')),
      '/health',
    ),
    interval_s: z.prefault(z.number().check(z.gte(1), z.lte(3600)), 10),
    timeout_s: z.prefault(z.number().check(z.gte(0.05), z.lte(30)), 2),
    failures_before_critical: z.prefault(z.int().check(z.gte(1), z.lte(20)), 3),
    success_before_passing: z.prefault(z.int().check(z.gte(1), z.lte(20)), 2),
  })
  .check(
    z.refine(({ interval_s, timeout_s }) => timeout_s <= interval_s, {
      path: ['timeout_s'],
      message: 'expected at most interval_s',
    }),
  );

const Printable = z
  .string()
  .check(z.minLength(1), z.maxLength(64), z.regex(/^\P{Cc}+$/u, 'expected printable text'));

/** At most 32 entries of 256 characters each. */
const Meta = z.record(Printable, z.string().check(z.maxLength(256))).check(
  says(
    { maxProperties: 32 },
    z.refine((meta) => Object.keys(meta).length <= 32, 'expected at most 32 entries'),
  ),
);

/** The query of `GET /services/connect`: as which service, and as which of its instances. */
export const ServiceConnection = z.strictObject({
  service: ServiceName,
  instance: InstanceId,
  version: z.optional(Printable),
  /** With commas between. */
  tags: z.optional(z.string().check(z.regex(/^[^,\p{Cc}]{1,64}(?:,[^,\p{Cc}]{1,64}){0,31}$/u))),
});
export type ServiceConnection = z.infer<typeof ServiceConnection>;

const hasOnePlace = ({ url, instances }: { url?: unknown; instances?: unknown }) =>
  (url === undefined) !== (instances === undefined);

/**
 * The body of `POST /services/register`: one `url`, or `instances`. It replaces what was registered
 * under this name. With `ttl_s` it has to be sent again within that time, or the service turns
 * critical, and is removed after three times as long.
 */
export const ServiceRegistration = z
  .strictObject({
    name: WantedName,
    url: z.optional(TargetUrl),
    instances: z.optional(z.array(InstanceInput).check(z.minLength(1), z.maxLength(64))),
    version: z.optional(z.nullable(Printable)),
    tags: z.prefault(z.array(Printable).check(z.maxLength(32)), []),
    meta: z.prefault(Meta, {}),
    health: z.prefault(HealthPolicyInput, {}),
    ttl_s: z.optional(z.nullable(z.number().check(z.gte(1), z.lte(604_800)))),
  })
  .check(
    says(exactlyOne('url', 'instances'), z.refine(hasOnePlace, 'expected either url or instances')),
  );
/** A registration as a client sends it. */
export type ServiceRegistrationInput = z.input<typeof ServiceRegistration>;
export type ServiceRegistration = z.output<typeof ServiceRegistration>;

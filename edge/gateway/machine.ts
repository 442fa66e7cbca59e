import type { ProblemItem } from '../contract/problem.ts';
import type {
  HealthPolicy,
  ServiceName,
  ServiceOrigin,
  ServiceRegistration,
  ServiceStatus,
} from '../contract/service.ts';
import { preconditionOf } from '../http/conditional.ts';
import { Problem } from '../http/problem.ts';
import { type Allowlist, checkTarget } from './target-allowlist.ts';

/** A service as it was registered or configured, without its health. */
export interface ServiceDefinition {
  readonly name: ServiceName;
  readonly version: string | null;
  readonly tags: readonly string[];
  readonly meta: Readonly<Record<string, string>>;
  readonly health: HealthPolicy;
  readonly ttl_s: number | null;
  readonly instances: readonly InstanceDefinition[];
}

export interface InstanceDefinition {
  readonly id: string;
  readonly url: string;
  readonly weight: number;
  readonly region_id: string | null;
}

export const DEFAULT_HEALTH: HealthPolicy = {
  path: '/health',
  interval_s: 10,
  timeout_s: 2,
  failures_before_critical: 3,
  success_before_passing: 2,
};

/**
 * The definition a registration asks for, with normalised addresses.
 *
 * @throws Problem validation_failed, for an address that is not allowed or a duplicate instance
 */
export function definitionOf(
  registration: ServiceRegistration,
  allowlist: Allowlist,
): ServiceDefinition {
  const { name, version, tags, meta, health, ttl_s } = registration;
  const places = placesOf(registration);
  const errors: ProblemItem[] = [];
  const instances = places.map(({ pointer, id, url, weight, region_id }) => {
    const target = checkTarget(url, allowlist);
    if (!target.ok) {
      const detail = `${url} cannot be a target: ${target.reason}`;
      errors.push({ pointer: `${pointer}/url`, code: 'target_not_allowed', detail });
    }
    return { id, url: target.ok ? target.url : url, weight, region_id };
  });
  errors.push(...repeatedIn(instances));
  const [first] = errors;
  if (first)
    throw new Problem('validation_failed', `${first.pointer}: ${first.detail}`, { errors });
  return {
    name,
    version: version ?? null,
    tags: [...new Set(tags)],
    meta,
    health,
    ttl_s: ttl_s ?? null,
    instances,
  };
}

function placesOf({ name, url, instances }: ServiceRegistration) {
  const [only = ''] = [url];
  if (!instances) return [{ pointer: '', id: `${name}-1`, url: only, weight: 1, region_id: null }];
  return instances.map((instance, i) => ({
    pointer: `/instances/${i}`,
    id: instance.id ?? `${name}-${i + 1}`,
    url: instance.url,
    weight: instance.weight,
    region_id: instance.region_id ?? null,
  }));
}

function repeatedIn(instances: readonly InstanceDefinition[]): readonly ProblemItem[] {
  return (['id', 'url'] as const).flatMap((member) =>
    instances.flatMap((instance, i) => {
      const before = instances.findIndex((other) => other[member] === instance[member]);
      if (before === i) return [];
      const detail = `${instance[member]} is the ${member} of /instances/${before} already`;
      return [{ pointer: `/instances/${i}/${member}`, code: 'repeated', detail }];
    }),
  );
}

/** An instance with its health. Times are epoch milliseconds. */
export interface InstanceState extends InstanceDefinition {
  readonly status: ServiceStatus;
  readonly lastCheckAt: number | null;
  readonly lastError: string | null;
}

/** A service outside of this Worker, as the Gateway object reports it. */
export interface ServiceState extends Omit<ServiceDefinition, 'instances'> {
  readonly origin: Exclude<ServiceOrigin, 'built-in'>;
  readonly instances: readonly InstanceState[];
  /** Identifies the registration; null where there is none. */
  readonly etag: string | null;
  readonly registeredAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number | null;
}

/** More services than this indicate a fault in what registers them. */
const MAX_SERVICES = 500;
/** A service that is not renewed is critical after its ttl, and removed after this many of them. */
const TTLS_KEPT = 3;

/** A registered service; times in epoch milliseconds. */
export interface Registered {
  readonly definition: ServiceDefinition;
  /** Changes with the definition; the value of its ETag. */
  readonly revision: string;
  readonly registeredAt: number;
  readonly updatedAt: number;
  readonly renewedAt: number;
}

interface RegistrationRequest {
  readonly definition: ServiceDefinition;
  readonly ifMatch: string | null;
  /** The revision for a new or changed definition. */
  readonly revision: string;
  readonly now: number;
  /** The number of registered services. */
  readonly count: number;
}

export type Registering =
  | { readonly kind: 'created' | 'updated' | 'renewed'; readonly service: Registered }
  | { readonly kind: 'precondition-failed' }
  | { readonly kind: 'full' };

/**
 *   nothing --register--> registered --register, other content--> registered, a new revision
 *                              | \--register, same content--> registered, renewed
 *                              |---ttl without renewal--> critical ---3 ttl--> nothing
 */
export function decideRegister(
  stored: Registered | undefined,
  request: RegistrationRequest,
): Registering {
  const { definition, revision, now } = request;
  if (!holds(request.ifMatch, stored)) return { kind: 'precondition-failed' };
  const fresh = { definition, revision, updatedAt: now, renewedAt: now };
  if (!stored) {
    if (request.count >= MAX_SERVICES) return { kind: 'full' };
    return { kind: 'created', service: { ...fresh, registeredAt: now } };
  }
  if (JSON.stringify(stored.definition) === JSON.stringify(definition)) {
    return { kind: 'renewed', service: { ...stored, renewedAt: now } };
  }
  return { kind: 'updated', service: { ...fresh, registeredAt: stored.registeredAt } };
}

export type Removing = 'removed' | 'absent' | 'precondition-failed';

export function decideRemove(stored: Registered | undefined, ifMatch: string | null): Removing {
  if (!stored) return 'absent';
  return holds(ifMatch, stored) ? 'removed' : 'precondition-failed';
}

export const etagOf = ({ revision }: Pick<Registered, 'revision'>): string => `"${revision}"`;

/** If-Match holds for no record where there is none (RFC 9110, section 13.1.1). */
function holds(ifMatch: string | null, stored: Registered | undefined): boolean {
  if (ifMatch === null) return true;
  if (!stored) return false;
  return preconditionOf(new Headers({ 'if-match': ifMatch }), etagOf(stored)) !== 'failed';
}

/** When a service turns critical unless it is renewed, in epoch milliseconds. */
export function expiryOf({ definition, renewedAt }: Registered): number | undefined {
  return definition.ttl_s === null ? undefined : renewedAt + definition.ttl_s * 1000;
}

export function removalOf({ definition, renewedAt }: Registered): number | undefined {
  return definition.ttl_s === null ? undefined : renewedAt + definition.ttl_s * 1000 * TTLS_KEPT;
}

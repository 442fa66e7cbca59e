import type { ProblemItem } from '../contract/problem.ts';
import type { HealthPolicy, ServiceName, ServiceRegistration } from '../contract/service.ts';
import { Problem } from '../http/problem.ts';
import { type Allowlist, checkTarget } from './target-allowlist.ts';

/** A service as it was registered, or configured: everything about it but how it is. */
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
 * The definition a registration asks for, its addresses in one spelling.
 *
 * @throws Problem validation_failed, for an address that is not allowed or an instance named twice
 */
export function definitionOf(asked: ServiceRegistration, allowlist: Allowlist): ServiceDefinition {
  const { name, version, tags, meta, health, ttl_s } = asked;
  const places = placesOf(asked);
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

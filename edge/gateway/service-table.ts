import * as z from 'zod';
import { RESERVED_NAMES } from '../contract/pages.ts';
import { type HealthPolicy, ServiceName } from '../contract/service.ts';
import type { Env } from '../env.ts';
import type { Passed } from '../http/call.ts';
import { VERSION } from '../version.ts';

/** A service of this Worker, opened with who calls it. */
export type Inside = (options: { readonly props: Passed }) => Fetcher;

/** Where a request for a service goes: into this Worker, or to an address. */
export type Target =
  | { readonly kind: 'worker'; readonly entrypoint: Inside }
  | { readonly kind: 'address'; readonly base: URL };

export interface Instance {
  readonly id: string;
  /** As records show it. */
  readonly url: string;
  readonly target: Target;
}

/** A service the gateway forwards to. Registered services will join with the same shape. */
export interface KnownService {
  readonly name: string;
  readonly version: string | null;
  readonly tags: readonly string[];
  readonly health: HealthPolicy;
  readonly instances: readonly [Instance, ...Instance[]];
}

const HEALTH_POLICY: HealthPolicy = {
  path: '/health',
  interval_s: 10,
  timeout_s: 2,
  failures_before_critical: 3,
  success_before_passing: 2,
};

const BUILT_IN = ['gateway', 'registry', 'monitoring'];

const Upstreams = z
  .record(ServiceName, z.url({ protocol: /^https?$/ }))
  .refine((upstreams) => Object.keys(upstreams).every(isFree), 'a name is reserved or built in');
type Upstreams = z.output<typeof Upstreams>;

/** Every service the gateway knows, by name: its own, then those UPSTREAMS names. */
export function knownServices(
  env: Env,
  ctx: ExecutionContext<Passed>,
): ReadonlyMap<string, KnownService> {
  const { GatewayService, MonitoringService, RegistryService } = ctx.exports;
  const services = [
    builtIn('gateway', 'GatewayService', GatewayService),
    builtIn('registry', 'RegistryService', RegistryService),
    builtIn('monitoring', 'MonitoringService', MonitoringService),
    ...Object.entries(parseUpstreams(env.UPSTREAMS)).map(([name, url]) => outside(name, url)),
  ];
  return new Map(services.map((service) => [service.name, service]));
}

function builtIn(name: string, entrypointName: string, entrypoint: Inside): KnownService {
  const url = `worker:${entrypointName}`;
  const target = { kind: 'worker', entrypoint } as const;
  return serviceOf({ name, url, target, version: VERSION, tags: ['built-in'] });
}

function outside(name: string, url: string): KnownService {
  const target = { kind: 'address', base: new URL(url) } as const;
  return serviceOf({ name, url, target, version: null, tags: ['configured'] });
}

interface Single extends Pick<KnownService, 'name' | 'version' | 'tags'> {
  readonly url: string;
  readonly target: Target;
}

function serviceOf({ name, version, tags, url, target }: Single): KnownService {
  const instance = { id: `${name}-1`, url, target };
  return { name, version, tags, health: HEALTH_POLICY, instances: [instance] };
}

const isFree = (name: string) => !RESERVED_NAMES.has(name) && !BUILT_IN.includes(name);

let latest: { readonly configured: unknown; readonly upstreams: Upstreams } | undefined;

/** The setting stays the same object as long as the isolate lives, so it is parsed once. */
function parseUpstreams(configured: unknown): Upstreams {
  if (latest && latest.configured === configured) return latest.upstreams;
  const parsed = Upstreams.safeParse(configured);
  if (!parsed.success) {
    throw new TypeError(
      `UPSTREAMS must map service names to http or https addresses: ${z.prettifyError(parsed.error)}`,
    );
  }
  latest = { configured, upstreams: parsed.data };
  return parsed.data;
}

import * as z from 'zod/mini';
import { ServiceName } from '../contract/service.ts';
import type { Env } from '../env.ts';
import type { Context, RequestProps } from '../http/call.ts';
import { isConnected } from '../outward/contract/connection.ts';
import { RESERVED_NAMES } from './contract/pages.ts';
import { DEFAULT_HEALTH, type ServiceDefinition } from './machine.ts';
import { parsedOnce } from './parsed-setting.ts';
import { isNamedTarget, parseAllowlist } from './target-allowlist.ts';
import { entrypointNameOf, isWorkerService } from './worker-services.ts';

const isAvailable = (name: string) => !RESERVED_NAMES.has(name) && !isWorkerService(name);

const Upstreams = z
  .record(ServiceName, z.url({ protocol: /^https?$/ }))
  .check(
    z.refine(
      (upstreams) => Object.keys(upstreams).every(isAvailable),
      'a name is reserved or built in',
    ),
  );

/**
 * The services of UPSTREAMS. Only whoever configures the Worker sets it, so their addresses are
 * not checked against an allowlist.
 *
 * @throws TypeError where the setting has another form
 */
export const configuredServices = parsedOnce(
  (configured: unknown): readonly ServiceDefinition[] => {
    const parsed = Upstreams.safeParse(configured);
    if (!parsed.success) {
      throw new TypeError(
        `UPSTREAMS must map service names to http or https addresses: ${z.prettifyError(parsed.error)}`,
      );
    }
    return Object.entries(parsed.data).map(([name, url]) => definitionAt(name, url));
  },
);

/** Why a name cannot be registered; undefined where it can. */
export function reservedBecause(name: string, configured: unknown): string | undefined {
  if (isWorkerService(name)) return 'it is built in';
  if (RESERVED_NAMES.has(name)) return 'it is a path of the gateway';
  const isTaken = configuredServices(configured).some((service) => service.name === name);
  return isTaken ? 'UPSTREAMS names it' : undefined;
}

const definitionAt = (name: string, url: string): ServiceDefinition => ({
  name,
  version: null,
  tags: ['configured'],
  meta: {},
  health: DEFAULT_HEALTH,
  ttl_s: null,
  instances: [{ id: `${name}-1`, url, weight: 1, region_id: null }],
});

type Outbound = Pick<Env, 'PUBLIC_NETWORK' | 'TARGET_ALLOWLIST' | 'UPSTREAMS'>;

/**
 * The fetch to use for a target. Where only `*` allows the address, the runtime resolves a name
 * once and connects only to a public result, so that a name repointed at this machine or its
 * network leads nowhere. A deployment has no such network.
 */
export function outboundTo(env: Outbound, url: string): typeof fetch {
  const { PUBLIC_NETWORK, TARGET_ALLOWLIST } = env;
  const isFree = !PUBLIC_NETWORK || isConnected(url) || isConfigured(env, url);
  if (isFree || isNamedTarget(url, allowlistOf(TARGET_ALLOWLIST))) return fetch;
  return (input, init) => PUBLIC_NETWORK.fetch(input as RequestInfo, init as RequestInit);
}

const allowlistOf = parsedOnce(parseAllowlist);

function isConfigured({ UPSTREAMS }: Outbound, url: string): boolean {
  const { origin } = new URL(url);
  const instances = configuredServices(UPSTREAMS).flatMap((service) => service.instances);
  return instances.some((instance) => new URL(instance.url).origin === origin);
}

/** The context of a request in workerd, which has the entrypoints of worker.ts. */
interface WorkerContext extends Context {
  readonly exports: Readonly<
    Record<string, (options: { readonly props: RequestProps }) => Fetcher>
  >;
}

/** A service of this Worker, reached without the network. */
export function entrypointOf(ctx: Context, name: string, props: RequestProps = {}): Fetcher {
  // Every service of this Worker runs in workerd.
  const { exports } = ctx as WorkerContext;
  const entrypoint = exports[entrypointNameOf(name)];
  if (!entrypoint) throw new TypeError(`worker.ts has no ${entrypointNameOf(name)}`);
  return entrypoint({ props });
}

import { isConnected } from '../outward/contract/connection.ts';
import type { Env } from '../env.ts';
import { type Allowlist, isNamedTarget, parseAllowlist } from './target-allowlist.ts';
import { configuredServices } from './upstreams.ts';

type Outbound = Pick<Env, 'PUBLIC_NETWORK' | 'TARGET_ALLOWLIST' | 'UPSTREAMS'>;

/**
 * What sends to an address that may be a target. Where only `*` says so, the runtime looks a name up
 * once and connects to what it found if that is public: a name that was pointed at this machine or its
 * network since leads nowhere. In a deployment there is no such network to be reached.
 */
export function outboundTo(env: Outbound, url: string): typeof fetch {
  const { PUBLIC_NETWORK, TARGET_ALLOWLIST } = env;
  const isFree = !PUBLIC_NETWORK || isConnected(url) || isConfigured(env, url);
  if (isFree || isNamedTarget(url, allowlistOf(TARGET_ALLOWLIST))) return fetch;
  return (input, init) => PUBLIC_NETWORK.fetch(input as RequestInfo, init as RequestInit);
}

let latest: { readonly configured: unknown; readonly allowlist: Allowlist } | undefined;

/** The setting stays the same while the isolate lives: it is parsed once. */
function allowlistOf(configured: unknown): Allowlist {
  if (latest?.configured !== configured || latest === undefined)
    latest = { configured, allowlist: parseAllowlist(configured) };
  return latest.allowlist;
}

function isConfigured({ UPSTREAMS }: Outbound, url: string): boolean {
  const { origin } = new URL(url);
  const instances = configuredServices(UPSTREAMS).flatMap((service) => service.instances);
  return instances.some((instance) => new URL(instance.url).origin === origin);
}

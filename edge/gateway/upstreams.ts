import * as z from 'zod/mini';
import { RESERVED_NAMES } from './contract/pages.ts';
import { ServiceName } from '../contract/service.ts';
import { isWorkerService } from '../contract/worker-services.ts';
import { DEFAULT_HEALTH, type ServiceDefinition } from './registration.ts';

const isFree = (name: string) => !RESERVED_NAMES.has(name) && !isWorkerService(name);

const Upstreams = z
  .record(ServiceName, z.url({ protocol: /^https?$/ }))
  .check(
    z.refine((upstreams) => Object.keys(upstreams).every(isFree), 'a name is reserved or built in'),
  );

let latest:
  | { readonly configured: unknown; readonly services: readonly ServiceDefinition[] }
  | undefined;

/**
 * The services UPSTREAMS names. Whoever configures the Worker says where they are, so their
 * addresses need no leave. The setting stays the same object while the isolate lives: it is parsed
 * once.
 *
 * @throws TypeError where it has another form
 */
export function configuredServices(configured: unknown): readonly ServiceDefinition[] {
  if (latest && latest.configured === configured) return latest.services;
  const parsed = Upstreams.safeParse(configured);
  if (!parsed.success) {
    throw new TypeError(
      `UPSTREAMS must map service names to http or https addresses: ${z.prettifyError(parsed.error)}`,
    );
  }
  const services = Object.entries(parsed.data).map(([name, url]) => definitionAt(name, url));
  latest = { configured, services };
  return services;
}

/** Why a name cannot be registered, or undefined. */
export function reservedBecause(name: string, configured: unknown): string | undefined {
  if (isWorkerService(name)) return 'it is built in';
  if (RESERVED_NAMES.has(name)) return 'it is a path of the gateway';
  const isConfigured = configuredServices(configured).some((service) => service.name === name);
  return isConfigured ? 'UPSTREAMS names it' : undefined;
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

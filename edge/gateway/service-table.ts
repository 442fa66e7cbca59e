import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { gatewayOf } from './gateway-stub.ts';
import { keepStats, statsOf } from './instance-stats.ts';
import { createIsolateCache } from './isolate-cache.ts';
import type { ServiceState } from './machine.ts';

/** The services outside of this Worker by name, so that forwarding costs no call to the Gateway object. */
const table = createIsolateCache({
  staleMs: 500,
  maxAgeMs: 1_000,
  event: 'stale_service_table',
  read: async (env) => {
    const services = await gatewayOf(env).services();
    for (const { name, instances } of services) statsOf(name).keep(instances.map(({ url }) => url));
    keepStats(new Set(services.map(({ name }) => name)));
    return new Map(services.map((service) => [service.name, service]));
  },
});

/** The service of this name, as it was at most a second ago. */
export async function findService(
  call: Pick<Call<Env>, 'env' | 'ctx'>,
  name: string,
): Promise<ServiceState | undefined> {
  return (await table.get(call)).get(name);
}

/** Makes the next request read the table again, after this isolate has changed it. */
export const forgetTable = (): void => table.invalidate();

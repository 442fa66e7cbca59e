import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { gatewayOf } from './gateway-stub.ts';
import { keepStats, statsOf } from './instance-stats.ts';
import type { ServiceState } from './service-state.ts';

/** From this age on a request has the table read again, beside its own work. */
const STALE_MS = 500;
/** A table older than this is not used, where a newer one can be had. */
const OLDEST_MS = 1_000;

type Table = ReadonlyMap<string, ServiceState>;
type TableCall = Pick<Call<Env>, 'env' | 'ctx'>;

/**
 * The services outside of this Worker as this isolate knows them, so that forwarding costs no call
 * to the Gateway object. Only plain data is shared between requests: a promise of one request must
 * not be waited for by another.
 */
let known: { readonly table: Table; readonly readAt: number } | undefined;
let isRefreshing = false;
/** Grows with every change this isolate makes, so that what was read before it is not kept. */
let changes = 0;

/** A service of this name, as it was at most a second ago. */
export async function findService(
  call: TableCall,
  name: string,
): Promise<ServiceState | undefined> {
  return (await tableFor(call)).get(name);
}

/** Has the next request read the table again, as this isolate just changed it. */
export function forgetTable(): void {
  changes += 1;
  known = undefined;
}

async function tableFor({ env, ctx }: TableCall): Promise<Table> {
  const age = known ? Date.now() - known.readAt : Infinity;
  if (known && age < STALE_MS) return known.table;
  if (known && age < OLDEST_MS) {
    if (!isRefreshing) ctx.waitUntil(refresh(env));
    return known.table;
  }
  return refresh(env);
}

/** Where the object does not answer, what was known goes on to hold. */
async function refresh(env: Env): Promise<Table> {
  isRefreshing = true;
  const before = changes;
  try {
    const services = await gatewayOf(env).services();
    const table = new Map(services.map((service) => [service.name, service]));
    return before === changes ? remember(table) : table;
  } catch (error) {
    if (!known) throw error;
    console.warn(
      JSON.stringify({ level: 'warn', event: 'stale_service_table', text: String(error) }),
    );
    known = { ...known, readAt: Date.now() };
    return known.table;
  } finally {
    isRefreshing = false;
  }
}

function remember(table: Table): Table {
  for (const [name, { instances }] of table) statsOf(name).keep(instances.map(({ url }) => url));
  keepStats(new Set(table.keys()));
  known = { table, readAt: Date.now() };
  return table;
}

import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import type { Routing } from './results.ts';
import { geoOf } from './geo-stub.ts';

/** From this age on a request has the table read again, beside its own work. */
const STALE_MS = 300;
/** A table older than this is not used, where a newer one can be had. */
const OLDEST_MS = 600;

type TableCall = Pick<Call<Env>, 'env' | 'ctx'>;

/** The regions as this isolate knows them. Plain data: requests must not wait for each other's promises. */
let known: { readonly routing: Routing; readonly readAt: number } | undefined;
let isRefreshing = false;

/** Which region is active and how each is, as it was at most 0.6 s ago; undefined where nobody says. */
export async function regionTable({ env, ctx }: TableCall): Promise<Routing | undefined> {
  const age = known ? Date.now() - known.readAt : Infinity;
  if (known && age < STALE_MS) return known.routing;
  if (known && age < OLDEST_MS) {
    if (!isRefreshing) ctx.waitUntil(refresh(env));
    return known.routing;
  }
  return refresh(env);
}

/** Where the object does not answer, what was known goes on to hold. */
async function refresh(env: Env): Promise<Routing | undefined> {
  isRefreshing = true;
  try {
    const routing = await geoOf(env).routing();
    known = { routing, readAt: Date.now() };
    return routing;
  } catch (error) {
    console.warn(
      JSON.stringify({ level: 'warn', event: 'stale_region_table', text: String(error) }),
    );
    if (known) known = { ...known, readAt: Date.now() };
    return known?.routing;
  } finally {
    isRefreshing = false;
  }
}

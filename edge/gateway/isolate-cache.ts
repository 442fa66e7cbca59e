import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';

type CacheCall = Pick<Call<Env>, 'env' | 'ctx'>;

interface IsolateCacheOptions<T> {
  /** From this age on, a read triggers a refresh in the background. */
  readonly staleMs: number;
  /** A value older than this is used only where no newer one can be read. */
  readonly maxAgeMs: number;
  readonly read: (env: Env) => Promise<T>;
  /** The name of the log entry for a failed read. */
  readonly event: string;
}

/**
 * A value of a Durable Object as this isolate last read it, so that most requests cost no call to
 * the object. Only plain data is shared between requests: a promise of one request must not be
 * awaited by another.
 */
export function createIsolateCache<T>({ staleMs, maxAgeMs, read, event }: IsolateCacheOptions<T>) {
  let known: { readonly value: T; readonly readAt: number } | undefined;
  let isRefreshing = false;
  /** Grows with every invalidation, so that a value read before one is not stored. */
  let invalidations = 0;

  async function refresh(env: Env): Promise<T> {
    isRefreshing = true;
    const before = invalidations;
    try {
      const value = await read(env);
      if (before === invalidations) known = { value, readAt: Date.now() };
      return value;
    } catch (error) {
      console.warn(JSON.stringify({ level: 'warn', event, text: String(error) }));
      if (!known) throw error;
      known = { ...known, readAt: Date.now() };
      return known.value;
    } finally {
      isRefreshing = false;
    }
  }

  return {
    /** The value, at most `maxAgeMs` old. @throws what `read` throws where nothing is known yet */
    async get({ env, ctx }: CacheCall): Promise<T> {
      const age = known ? Date.now() - known.readAt : Infinity;
      if (!known || age >= maxAgeMs) return refresh(env);
      if (age >= staleMs && !isRefreshing) ctx.waitUntil(refresh(env));
      return known.value;
    },
    /** Makes the next request read the value again. */
    invalidate(): void {
      invalidations += 1;
      known = undefined;
    },
  };
}

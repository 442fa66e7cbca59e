import type { Env } from '../env.ts';
import { type Caller, hasEnded } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import { accessOf } from './access-stub.ts';
import { badCredentials } from '../http/refusals.ts';

/** How often the credentials of a waiting caller are checked. */
const CHECK_EVERY_MS = 2_500;

type Asking = { readonly env: Pick<Env, 'ACCESS'>; readonly caller: Caller };

/**
 * Whether the credentials of each caller are valid; where the Access object does not respond, only
 * expiry times decide.
 */
export async function areLive(
  env: Pick<Env, 'ACCESS'>,
  callers: readonly Caller[],
): Promise<readonly boolean[]> {
  try {
    return await accessOf(env).areLive(callers);
  } catch (error) {
    const text = String(error);
    console.warn(JSON.stringify({ level: 'warn', event: 'credentials_not_checked', text }));
    return callers.map((caller) => !hasEnded(caller, Date.now()));
  }
}

/**
 * Refuses a caller admitted from this isolate's cache whose key has been revoked elsewhere, for
 * work that must end with its key.
 *
 * @throws Problem unauthenticated
 */
export async function refuseEndedCredentials({ env, caller }: Asking): Promise<void> {
  if (!('id' in caller)) return;
  const [isLive] = await accessOf(env).areLive([caller]);
  if (!isLive) throw badCredentials('The credentials were revoked or have expired.');
}

/**
 * Runs a long poll while the caller's credentials are valid; `work` is aborted when they end.
 *
 * @throws Problem unauthenticated once they have ended, and what `work` throws
 */
export async function whileCredentialsLive<T>(
  asking: Asking,
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const done = new AbortController();
  const watching = watch(asking, done.signal).catch((error: unknown) => {
    ended.abort();
    throw error;
  });
  // Its error is rethrown below, if there is one.
  watching.catch(() => {});
  const result = await work(ended.signal).finally(() => done.abort());
  if (ended.signal.aborted) await watching;
  return result;
}

async function watch(asking: Asking, done: AbortSignal): Promise<void> {
  for (;;) {
    await scheduler.wait(CHECK_EVERY_MS, { signal: done }).catch(() => {});
    if (done.aborted) return;
    await refuseEndedCredentials(asking).catch((error: unknown) => {
      // The Access object does not respond: the check is repeated.
      if (error instanceof Problem) throw error;
    });
  }
}

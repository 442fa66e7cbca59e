import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import { accessOf } from './access-stub.ts';
import { badCredentials } from '../http/refusals.ts';

/** How often it is asked whether the credentials of who waits still hold. */
const CHECK_EVERY_MS = 2_500;

type Asking = { readonly env: Pick<Env, 'ACCESS'>; readonly caller: Caller };

/**
 * Refuses who was let in by what this isolate remembers of a key that has been revoked elsewhere since:
 * for what has to end with its key.
 *
 * @throws Problem unauthenticated
 */
export async function refuseEndedCredentials({ env, caller }: Asking): Promise<void> {
  if (!('id' in caller)) return;
  const [isLive] = await accessOf(env).areLive([caller]);
  if (!isLive) throw badCredentials('The credentials were revoked or have expired.');
}

/**
 * Waits for what somebody is held back for, as long as his credentials hold; `work` is told when they
 * have ended.
 *
 * @throws Problem unauthenticated once they have, and what `work` throws
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
  // What it throws is thrown below, if anything.
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
      // The Access object is silent: it is asked again.
      if (error instanceof Problem) throw error;
    });
  }
}

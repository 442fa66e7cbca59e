import { callEndpoint, type Http, openHttp } from '../../edge/contract/client.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import type { Session } from '../../edge/access/contract/session.ts';
import { sessionEndpoints } from '../../edge/access/session-endpoints.ts';
import type { Caller } from '../../edge/http/caller.ts';
import { createFailedAuthLimits } from '../../edge/http/failed-auth-limits.ts';
import { Problem } from '../../edge/http/problem.ts';
import { badCredentials } from '../../edge/http/refusals.ts';

/**
 * Finds out whose a key or token is.
 *
 * @param from the address that presents it
 * @throws Problem unauthenticated, upstream_error or rate_limited
 */
export type Verify = (token: string, from: string) => Promise<Caller>;

/** A key that was revoked still opens for so long, as at the edge. */
const KEPT_MS = 5_000;
/** More than these at a time, and the oldest is asked for again. */
const MAX_KEPT = 1_000;
/** How many that do not hold an address may present in a minute, as at the edge. */
const WRONG_PER_MINUTE = 10;
/** Refusal of a caller while the gateway counts too many invalid keys. */
const GUESSING_RETRY_S = 6;
const PATIENCE_MS = 10_000;

/** Asks the gateway whose a key or token is, once in five seconds. */
export function createVerifier(gateway: string, now: () => number = Date.now): Verify {
  const kept = new Map<string, { readonly caller: Promise<Caller>; readonly until: number }>();
  const guesses = createFailedAuthLimits(() => WRONG_PER_MINUTE, now);
  return async (token, from) => {
    const known = kept.get(token);
    if (known && known.until > now()) return known.caller;
    guesses.admit(from, token);
    const http = openHttp({ base: gateway, headers: { authorization: `Bearer ${token}` } });
    const caller = ask(http);
    kept.delete(token);
    kept.set(token, { caller, until: now() + KEPT_MS });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    try {
      const found = await caller;
      guesses.held(token);
      return found;
    } catch (error) {
      kept.delete(token);
      if (error instanceof Problem && error.code === 'unauthenticated') {
        guesses.ended(token);
        guesses.failed(from);
      }
      throw error;
    }
  };
}

async function ask(http: Http): Promise<Caller> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    return callerOf((await callEndpoint(http, sessionEndpoints.getSession, { signal })).body);
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (error instanceof ProblemError && error.problem.code === 'unauthenticated') {
      throw badCredentials(error.problem.detail);
    }
    if (error instanceof ProblemError && error.problem.code === 'rate_limited') {
      throw new Problem('rate_limited', error.problem.detail, {
        headers: { 'retry-after': String(GUESSING_RETRY_S) },
      });
    }
    throw new Problem('upstream_error', 'The gateway, which knows the keys, did not answer.');
  }
}

function callerOf({ kind, id, team, scopes, expires_at }: Session): Caller {
  if ((kind !== 'key' && kind !== 'token') || id === null || team === null) {
    throw badCredentials('The gateway does not know this key.');
  }
  return { kind, id, team, scopes, until: expires_at === null ? null : Date.parse(expires_at) };
}

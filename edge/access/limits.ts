import type { LimitName } from '../contract/endpoint.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import type { Caller } from '../http/caller.ts';
import { addressGroup, clientAddress } from '../http/client-address.ts';
import { createFailedAuthLimits, type FailedAuthLimits } from '../http/failed-auth-limits.ts';
import { Problem } from '../http/problem.ts';
import { createRateLimiter, SPECIAL_LIMITS } from '../http/rate-limit.ts';

const limiter = createRateLimiter();

/**
 * Counts a request against the caller's general or special rate limit, and reports the remaining
 * quota in the response headers. Local callers are not counted.
 *
 * @throws Problem rate_limited
 */
export function countRequest(
  { env, responseHeaders }: Pick<Call<Env>, 'env' | 'responseHeaders'>,
  caller: Caller,
  special?: LimitName,
): void {
  if (!('id' in caller)) return;
  const { RATE_LIMIT_PER_S: perSecond, RATE_LIMIT_BURST: burst } = env;
  const limit = special ? SPECIAL_LIMITS[special] : { name: 'default', perSecond, burst };
  const headers = limiter.take(`${caller.kind}:${caller.id}`, limit);
  for (const [name, value] of Object.entries(headers)) responseHeaders.append(name, value);
}

let perMinute = 0;
const guesses = createFailedAuthLimits(() => perMinute);

/** The sender of credentials: an address, or a caller already authenticated. */
export interface Presenter {
  readonly env: Env;
  readonly from: string;
}

export const presenterOf = ({ env, request }: Pick<Call<Env>, 'env' | 'request'>): Presenter => ({
  env,
  from: addressGroup(clientAddress(request)),
});

/** This isolate's limits for invalid credentials. */
export function guessesOf({ FAILED_AUTH_PER_MIN }: Env): FailedAuthLimits {
  perMinute = FAILED_AUTH_PER_MIN;
  return guesses;
}

/** Counts invalid credentials. @throws Problem rate_limited in place of the refusal */
export function countFailure({ env, from }: Presenter, refusal: unknown): void {
  if (!(refusal instanceof Problem) || refusal.code !== 'unauthenticated') return;
  guessesOf(env).failed(from);
}

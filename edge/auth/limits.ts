import type { LimitName } from '../contract/endpoint.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import type { Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import { createRateLimiter, SPECIAL_LIMITS } from '../http/rate-limit.ts';

const limiter = createRateLimiter();

/**
 * Counts a request of a caller, for the limit of all requests or a special one, and tells him with
 * the answer how many may follow. Local callers are not counted.
 *
 * @throws Problem rate_limited
 */
export function countRequest(
  { env, answerHeaders }: Pick<Call<Env>, 'env' | 'answerHeaders'>,
  caller: Caller,
  special?: LimitName,
): void {
  if (!('id' in caller)) return;
  const { RATE_LIMIT_PER_S: perSecond, RATE_LIMIT_BURST: burst } = env;
  const limit = special ? SPECIAL_LIMITS[special] : { name: 'default', perSecond, burst };
  const headers = limiter.take(`${caller.kind}:${caller.id}`, limit);
  for (const [name, value] of Object.entries(headers)) answerHeaders.append(name, value);
}

/**
 * Counts credentials that did not hold. Only these are refused beyond the limit, never good ones:
 * otherwise whoever shares an address with us could lock us out.
 *
 * @throws Problem rate_limited in place of the refusal
 */
export function countFailure({ env, request }: Call<Env>, refusal: unknown): void {
  if (!(refusal instanceof Problem) || refusal.code !== 'unauthenticated') return;
  const perMinute = env.FAILED_AUTH_PER_MIN;
  const limit = { name: 'failed-auth', perSecond: perMinute / 60, burst: perMinute };
  limiter.take(request.headers.get('cf-connecting-ip') ?? 'unknown', limit);
}

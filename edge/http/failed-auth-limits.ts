import { createRateLimiter, type Limit } from './rate-limit.ts';

/** Limit of all addresses together, as a multiple of that of one. */
const TOGETHER = 10;
/** Retention and number of credentials known to be valid. */
const PROVEN_MS = 3_600_000;
const MAX_PROVEN = 10_000;

/** Look-ups of unknown credentials while wrong ones keep coming: of an address, and of all. */
const RESERVE: Limit = { name: 'look-ups', perSecond: 1, burst: 5 };
const RESERVE_OF_ALL: Limit = { name: 'look-ups', perSecond: 10, burst: 50 };

const ALL = 'all';

/** In-memory limits of failed authentication: beyond them, lookups in storage are rare. */
export interface FailedAuthLimits {
  /**
   * Allows a lookup of credentials. Recently valid ones always pass: callers are not locked out by
   * others at the same address.
   *
   * @param presented identifies the credentials; omitted for single-use ones
   * @throws Problem rate_limited
   */
  admit(address: string, presented?: string): void;
  /** Some did not hold. @throws Problem rate_limited over the limits */
  failed(address: string): void;
  held(presented: string): void;
  /** Forgets credentials that are no longer valid. */
  ended(presented: string): void;
}

/** @param perMinute how many credentials that do not hold an address may send */
export function createFailedAuthLimits(
  perMinute: () => number,
  now: () => number = Date.now,
): FailedAuthLimits {
  const limiter = createRateLimiter(now);
  const together = createRateLimiter(now);
  const proven = new Map<string, number>();
  const limits = () => {
    const one = perMinute();
    const all = one * TOGETHER;
    return {
      own: { name: 'failed-auth', perSecond: one / 60, burst: one },
      all: { name: 'failed-auth', perSecond: all / 60, burst: all },
    };
  };
  return {
    admit(address, presented) {
      if (presented !== undefined && (proven.get(presented) ?? 0) > now()) return;
      const { own, all } = limits();
      if (limiter.allows(address, own) && together.allows(ALL, all)) return;
      limiter.take(address, RESERVE);
      together.take(ALL, RESERVE_OF_ALL);
    },
    failed(address) {
      const { own, all } = limits();
      limiter.take(address, own);
      together.take(ALL, all);
    },
    held(presented) {
      proven.delete(presented);
      proven.set(presented, now() + PROVEN_MS);
      const [oldest] = proven.keys();
      if (proven.size > MAX_PROVEN && oldest !== undefined) proven.delete(oldest);
    },
    ended: (presented) => void proven.delete(presented),
  };
}

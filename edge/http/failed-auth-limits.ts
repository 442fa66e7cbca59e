import { createRateLimiter, type Limit } from './rate-limit.ts';

/** All addresses together may be wrong so many times as often as one. */
const TOGETHER = 10;
/** What held is known to have held for so long, and so much of it. */
const PROVEN_MS = 3_600_000;
const MAX_PROVEN = 10_000;

/** Look-ups of unknown credentials while wrong ones keep coming: of an address, and of all. */
const RESERVE: Limit = { name: 'look-ups', perSecond: 1, burst: 5 };
const RESERVE_OF_ALL: Limit = { name: 'look-ups', perSecond: 10, burst: 50 };

const ALL = 'all';

/** Limits of credentials that do not hold, in memory: over them storage is hardly asked any more. */
export interface FailedAuthLimits {
  /**
   * Lets credentials be looked up. Those that held lately always are: nobody is locked out by who
   * shares an address with him.
   *
   * @param presented what tells them from others; left out for what is used once
   * @throws Problem rate_limited
   */
  admit(address: string, presented?: string): void;
  /** Some did not hold. @throws Problem rate_limited over the limits */
  failed(address: string): void;
  held(presented: string): void;
  /** What held once does no more. */
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

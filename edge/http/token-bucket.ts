/** How fast a bucket fills and how much it holds. */
export interface BucketPolicy {
  /** Requests a second, over a long time. */
  readonly perSecond: number;
  /** Requests at once, after a pause. */
  readonly burst: number;
}

/** A bucket as it was at a moment. */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

interface Taken {
  readonly isAllowed: boolean;
  readonly bucket: Bucket;
  /** Whole requests that could follow at once. */
  readonly remaining: number;
  /** Until the next request of as many is allowed; 0 where it is allowed now. */
  readonly waitMs: number;
  /** Until the bucket is full again. */
  readonly fullInMs: number;
}

/**
 * Takes one token, or several at once. A bucket that was never used is full; a refused request takes
 * nothing.
 */
export function takeToken(
  before: Bucket | undefined,
  policy: BucketPolicy,
  now: number,
  count = 1,
): Taken {
  const { perSecond, burst } = policy;
  // A clock that was put back fills nothing.
  const elapsedMs = before ? Math.max(0, now - before.at) : Infinity;
  const filled = before ? Math.min(burst, before.tokens + (elapsedMs * perSecond) / 1000) : burst;
  const isAllowed = filled >= count;
  const tokens = isAllowed ? filled - count : filled;
  const msUntil = (level: number) => Math.ceil((Math.max(0, level - tokens) * 1000) / perSecond);
  return {
    isAllowed,
    bucket: { tokens, at: Math.max(now, before?.at ?? now) },
    remaining: Math.floor(tokens),
    waitMs: msUntil(count),
    fullInMs: msUntil(burst),
  };
}

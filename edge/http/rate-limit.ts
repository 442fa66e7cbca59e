import type { LimitName } from '../contract/endpoint.ts';
import { Problem } from './problem.ts';
import { type Bucket, type BucketPolicy, takeToken } from './token-bucket.ts';

/** More callers than this at a time, and the one that was quiet the longest starts afresh. */
const MAX_CALLERS = 10_000;

/** A limit by its name in the `RateLimit` headers. */
export interface Limit extends BucketPolicy {
  readonly name: string;
}

/** Limits of expensive requests, counted in addition to the limit of all requests. */
export const SPECIAL_LIMITS: Readonly<Record<LimitName, Limit>> = {
  train: { name: 'train', perSecond: 10 / 60, burst: 10 },
  'test-run': { name: 'test-run', perSecond: 6 / 3600, burst: 6 },
};

interface RateLimiter {
  /**
   * Counts one request and returns the headers that tell how many may follow.
   *
   * @throws Problem rate_limited, with the same headers and Retry-After
   */
  take(caller: string, limit: Limit): Readonly<Record<string, string>>;
  /** True if one more would be within the limit, without counting it. */
  allows(caller: string, limit: Limit): boolean;
}

/**
 * Token buckets in the memory of this isolate: each isolate counts for itself, so that no request
 * waits for a count. A caller whose requests several isolates serve may do as much in each.
 */
export function createRateLimiter(now: () => number = Date.now): RateLimiter {
  const buckets = new Map<string, Bucket>();
  return {
    take(caller, limit) {
      const id = `${limit.name}:${caller}`;
      const { bucket, ...taken } = takeToken(buckets.get(id), limit, now());
      // Taken out and put back, a bucket is the last of the map: the first is the quietest.
      buckets.delete(id);
      buckets.set(id, bucket);
      const [quietest] = buckets.keys();
      if (buckets.size > MAX_CALLERS && quietest !== undefined) buckets.delete(quietest);
      const headers = headersOf(limit, taken);
      if (taken.isAllowed) return headers;
      const retryAfter = String(Math.ceil(taken.waitMs / 1000));
      throw new Problem(
        'rate_limited',
        `More than ${limit.burst} requests at once, or ${describe(limit)}: try again in ${retryAfter} s.`,
        { headers: { ...headers, 'retry-after': retryAfter } },
      );
    },
    allows: (caller, limit) =>
      takeToken(buckets.get(`${limit.name}:${caller}`), limit, now()).isAllowed,
  };
}

type Counts = Pick<ReturnType<typeof takeToken>, 'remaining' | 'fullInMs'>;

/** draft-ietf-httpapi-ratelimit-headers: the quota of a window, what is left and when it is whole. */
function headersOf(limit: Limit, { remaining, fullInMs }: Counts): Record<string, string> {
  const { quota, windowS } = windowOf(limit);
  return {
    'ratelimit-policy': `"${limit.name}";q=${quota};w=${windowS}`,
    ratelimit: `"${limit.name}";r=${remaining};t=${Math.ceil(fullInMs / 1000)}`,
  };
}

const WINDOWS = [
  { windowS: 1, name: 'a second' },
  { windowS: 60, name: 'a minute' },
  { windowS: 3600, name: 'an hour' },
] as const;

/** The shortest of the windows in which at least one request is allowed. */
function windowOf({ perSecond }: BucketPolicy) {
  const window = WINDOWS.find(({ windowS }) => perSecond * windowS >= 1) ?? WINDOWS[2];
  return { ...window, quota: Math.round(perSecond * window.windowS) };
}

function describe(limit: Limit): string {
  const { quota, name } = windowOf(limit);
  return `${quota} ${name} for long`;
}

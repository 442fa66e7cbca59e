import { METRIC_LIMITS } from '../monitoring/contract/metrics.ts';
import { type Bucket, type Distribution, distributionOf } from '../monitoring/distribution.ts';
import type {
  ExponentialBuckets,
  ExponentialPoint,
  HistogramPoint,
  SummaryPoint,
} from './schema.ts';

/** Buckets that count for themselves, as cumulative ones. */
export function histogramOf({
  count,
  sum,
  bucketCounts,
  explicitBounds,
}: HistogramPoint): Distribution | string {
  if (bucketCounts.length > 0 && bucketCounts.length !== explicitBounds.length + 1) {
    return `${explicitBounds.length} bounds need ${explicitBounds.length + 1} buckets, got ${bucketCounts.length}`;
  }
  const ownCounts = bucketCounts.map((own, i) => [explicitBounds[i] ?? Infinity, own] as const);
  return distributionOf({ buckets: cumulative(ownCounts), sum, count });
}

/**
 * Bucket i of a scale covers (base^i, base^(i+1)] with base = 2^(2^-scale); negative values mirror
 * it. Between bounds nothing is known, so explicit bounds hold the same information.
 */
export function exponentialOf(point: ExponentialPoint): Distribution | string {
  const { count, sum, scale, zeroCount, zeroThreshold, positive, negative } = fitting(point);
  const bound = (index: number) => 2 ** (index * 2 ** -scale);
  const below = own(negative, (index) => -bound(index)).toReversed();
  const above = own(positive, (index) => bound(index + 1));
  const zero = [[zeroThreshold, zeroCount] as const];
  const lowest = above.length > 0 ? [[bound(positive?.offset ?? 0), 0] as const] : [];
  const all = [...below, ...zero, ...lowest.filter(([le]) => le > zeroThreshold), ...above];
  return distributionOf({ buckets: cumulative(all), sum, count });
}

/** Two neighbouring buckets form one of the scale below: the scale is lowered until the buckets fit. */
function fitting(point: ExponentialPoint): ExponentialPoint {
  const { positive, negative, scale } = point;
  const held = (positive?.bucketCounts.length ?? 0) + (negative?.bucketCounts.length ?? 0);
  if (held <= METRIC_LIMITS.bucketsPerHistogram - 2 || scale <= MIN_SCALE) return point;
  return fitting({
    ...point,
    scale: scale - 1,
    positive: positive && halved(positive),
    negative: negative && halved(negative),
  });
}

/** Below this scale every number falls into one of two buckets. */
const MIN_SCALE = -11;

function halved({ offset, bucketCounts }: ExponentialBuckets): ExponentialBuckets {
  const first = offset >> 1;
  const joined: number[] = [];
  for (const [i, count] of bucketCounts.entries()) {
    const at = ((offset + i) >> 1) - first;
    joined[at] = (joined[at] ?? 0) + count;
  }
  return { offset: first, bucketCounts: joined };
}

export function summaryOf({ count, sum, quantileValues }: SummaryPoint): Distribution | string {
  const quantiles = quantileValues.map(({ quantile, value }) => [quantile, value] as const);
  return distributionOf({ buckets: [], quantiles, sum, count });
}

type Own = readonly (readonly [le: number, count: number])[];

const own = (buckets: ExponentialBuckets | undefined, bound: (index: number) => number): Own =>
  buckets?.bucketCounts.map((count, i) => [bound(buckets.offset + i), count] as const) ?? [];

function cumulative(all: Own): readonly Bucket[] {
  let count = 0;
  return all.map(([le, held]) => ({ le, count: (count += held) }));
}

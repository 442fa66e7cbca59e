import { type Bucket, type Distribution, distributionOf } from './distribution.ts';
import type {
  ExponentialBuckets,
  ExponentialPoint,
  HistogramPoint,
  SummaryPoint,
} from './otlp-schema.ts';
import { withQuantiles } from './prometheus-text.ts';

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
  const { count, sum, scale, zeroCount, zeroThreshold, positive, negative } = point;
  const bound = (index: number) => 2 ** (index * 2 ** -scale);
  const below = own(negative, (index) => -bound(index)).toReversed();
  const above = own(positive, (index) => bound(index + 1));
  const zero = [[zeroThreshold, zeroCount] as const];
  const lowest = above.length > 0 ? [[bound(positive?.offset ?? 0), 0] as const] : [];
  const all = [...below, ...zero, ...lowest.filter(([le]) => le > zeroThreshold), ...above];
  return distributionOf({ buckets: cumulative(all), sum, count });
}

export function summaryOf({ count, sum, quantileValues }: SummaryPoint): Distribution | string {
  const told = distributionOf({ buckets: [], sum, count });
  if (typeof told === 'string') return told;
  return withQuantiles(
    told,
    quantileValues.map(({ quantile, value }) => [quantile, value] as const),
  );
}

type Own = readonly (readonly [le: number, count: number])[];

const own = (buckets: ExponentialBuckets | undefined, bound: (index: number) => number): Own =>
  buckets?.bucketCounts.map((count, i) => [bound(buckets.offset + i), count] as const) ?? [];

function cumulative(all: Own): readonly Bucket[] {
  let count = 0;
  return all.map(([le, held]) => ({ le, count: (count += held) }));
}

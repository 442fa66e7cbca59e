/**
 * The state of a histogram or summary: cumulative bucket counts with the finite upper bounds in `le`,
 * ascending; `count` is the bucket of +Inf. A summary has no buckets, but quantiles that its program
 * computed.
 */
export interface Distribution {
  readonly le: readonly number[];
  readonly counts: readonly number[];
  readonly count: number;
  /** NaN where it was not reported. */
  readonly sum: number;
  readonly quantiles?: readonly (readonly [quantile: number, value: number])[];
}

export interface Bucket {
  readonly le: number;
  readonly count: number;
}

/** A distribution as a program reports it. */
interface ReportedDistribution {
  readonly buckets: readonly Bucket[];
  /** A summary's own quantiles. */
  readonly quantiles?: readonly (readonly [quantile: number, value: number])[];
  readonly sum?: number | undefined;
  readonly count?: number | undefined;
}

/** A distribution from cumulative buckets and quantiles in any order, or why they are invalid. */
export function distributionOf(reported: ReportedDistribution): Distribution | string {
  const { buckets, quantiles, sum = NaN, count } = reported;
  const sorted = buckets.toSorted((a, b) => a.le - b.le);
  const everything = sorted.at(-1)?.le === Infinity ? sorted.pop()?.count : undefined;
  const total = count ?? everything;
  if (total === undefined) return 'a histogram needs a count or a bucket with le +Inf';
  const le = sorted.map((bucket) => bucket.le);
  const counts = sorted.map((bucket) => bucket.count);
  const fault =
    countFault(everything, total) ?? bucketFault([...sorted, { le: Infinity, count: total }]);
  return fault ?? withQuantiles({ le, counts, count: total, sum }, quantiles);
}

function withQuantiles(
  distribution: Distribution,
  quantiles: ReportedDistribution['quantiles'],
): Distribution | string {
  if (!quantiles) return distribution;
  const wrong = quantiles.find(([quantile]) => !(quantile >= 0 && quantile <= 1));
  if (wrong) return `expected a quantile from 0 to 1, got ${wrong[0]}`;
  return { ...distribution, quantiles: quantiles.toSorted(([a], [b]) => a - b) };
}

const countFault = (everything = NaN, total: number): string | undefined =>
  Number.isNaN(everything) || everything === total
    ? undefined
    : `the bucket with le +Inf holds ${everything}, the count says ${total}`;

function bucketFault(sorted: readonly Bucket[]): string | undefined {
  const wrong = sorted.find(({ le, count }, i) => {
    const before = sorted[i - 1];
    const isRising = count >= (before?.count ?? 0) && count < Infinity;
    return Number.isNaN(le) || !isRising || le === before?.le;
  });
  return (
    wrong && `buckets are cumulative and each le occurs once: le ${wrong.le} holds ${wrong.count}`
  );
}

/** Nothing observed yet, in the same buckets. */
export const emptyLike = ({ le }: Distribution): Distribution => ({
  le,
  counts: le.map(() => 0),
  count: 0,
  sum: 0,
});

/** The observations of both. */
export function addDistributions(a: Distribution, b: Distribution): Distribution {
  const quantiles = b.quantiles ?? a.quantiles;
  return {
    ...onUnion(a, b, (x, y) => x + y),
    count: a.count + b.count,
    sum: a.sum + b.sum,
    ...(quantiles && { quantiles }),
  };
}

/**
 * The observations between two reports. Where a number decreased the program restarted, and all of the
 * later report is new.
 */
export function increaseOf(earlier: Distribution, later: Distribution): Distribution {
  const shrank = later.count < earlier.count || anyBucketShrank(earlier, later);
  if (shrank) return later;
  const count = later.count - earlier.count;
  const { le, counts } = onUnion(earlier, later, (x, y) => Math.max(0, y - x));
  let highest = 0;
  const rising = counts.map((held) => (highest = Math.min(count, Math.max(highest, held))));
  const { quantiles } = later;
  return {
    le,
    counts: rising,
    count,
    sum: later.sum - earlier.sum,
    ...(quantiles && { quantiles }),
  };
}

/**
 * The quantile as Prometheus estimates it: observations spread evenly within a bucket, the lowest bucket
 * starts at 0, and above the highest bound that bound is the estimate. Null without observations or
 * buckets.
 */
export function quantileOf({ le, counts, count }: Distribution, quantile: number): number | null {
  const highest = le.at(-1);
  if (count <= 0 || highest === undefined) return null;
  const rank = quantile * count;
  const i = counts.findIndex((held) => held >= rank && held > 0);
  const upper = le[i];
  const held = counts[i];
  if (upper === undefined || held === undefined) return highest;
  const lower = le[i - 1] ?? (upper > 0 ? 0 : upper);
  const below = counts[i - 1] ?? 0;
  if (held === below) return upper;
  return lower + (upper - lower) * ((rank - below) / (held - below));
}

const sameBounds = (a: Distribution, b: Distribution): boolean =>
  a.le === b.le || (a.le.length === b.le.length && a.le.every((bound, i) => bound === b.le[i]));

const anyBucketShrank = (earlier: Distribution, later: Distribution): boolean =>
  sameBounds(earlier, later) && later.counts.some((held, i) => held < (earlier.counts[i] ?? 0));

/** Buckets are steps of a function: between bounds it stays, so other bounds can be joined in exactly. */
function onUnion(
  a: Distribution,
  b: Distribution,
  combine: (x: number, y: number) => number,
): Pick<Distribution, 'le' | 'counts'> {
  if (sameBounds(a, b)) {
    return { le: a.le, counts: a.counts.map((held, i) => combine(held, b.counts[i] ?? 0)) };
  }
  const le = [...new Set([...a.le, ...b.le])].toSorted((x, y) => x - y);
  const left = steps(a, le);
  const right = steps(b, le);
  return { le, counts: left.map((held, i) => combine(held, right[i] ?? 0)) };
}

function steps({ le, counts }: Distribution, bounds: readonly number[]): readonly number[] {
  let next = 0;
  return bounds.map((bound) => {
    while ((le[next] ?? Infinity) <= bound) next += 1;
    return counts[next - 1] ?? 0;
  });
}

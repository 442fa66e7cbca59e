import type { Aggregation } from './contract/metrics-query.ts';
import type { MetricType } from './contract/metrics.ts';
import { addDistributions, type Distribution, increaseOf, quantileOf } from './distribution.ts';
import { type Rollup, rise, SlidingRollup } from './rollup.ts';

/** The aggregates of a window of one series, or of several joined. */
export interface Window {
  /** Samples of a gauge or counter. */
  readonly n: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly last: number;
  /** The increase of a total since the last sample before the window. */
  readonly increase: number;
  /** The observations of a histogram or summary. */
  readonly observed: Distribution | undefined;
  /** The latest state of one histogram or summary. */
  readonly state?: Distribution;
}

/** A window of one series; `before` is the newest stretch before it, whose end it starts from. */
export function windowOf(inside: Rollup, before: Rollup | undefined): Window {
  if (inside.kind === 'number') {
    const { n, min, max, sum, last } = inside;
    const start = before?.kind === 'number' ? rise(before.last, inside.first) : 0;
    return { n, min, max, sum, last, increase: start + inside.increase, observed: undefined };
  }
  const start = before?.kind === 'distribution' ? increaseOf(before.last, inside.first) : undefined;
  const observed = start ? addDistributions(start, inside.increase) : inside.increase;
  const { quantiles, count: last } = inside.last;
  return {
    n: inside.n,
    min: NaN,
    max: NaN,
    sum: observed.sum,
    last,
    increase: observed.count,
    observed: { ...observed, ...(quantiles && { quantiles }) },
    state: inside.last,
  };
}

/** The windows of two series as one: what they count adds up. */
export function addWindows(a: Window, b: Window): Window {
  const observed = a.observed && b.observed ? addDistributions(a.observed, b.observed) : undefined;
  return {
    n: a.n + b.n,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    sum: a.sum + b.sum,
    last: a.last + b.last,
    increase: a.increase + b.increase,
    // Quantiles of several programs do not add up to quantiles of all.
    observed: observed && { ...observed, quantiles: [] },
  };
}

const QUANTILES: Partial<Record<Aggregation, number>> = {
  p50: 0.5,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
};

/** The value of an aggregation; null where it is undefined, such as the mean of no observations. */
export function valueOf(window: Window, agg: Aggregation, seconds: number): number | null {
  const quantile = QUANTILES[agg];
  if (quantile !== undefined) return observedQuantile(window.observed, quantile);
  const { n, min, max, sum, last, increase, observed } = window;
  const values: Record<Exclude<Aggregation, `p${number}`>, number> = {
    avg: sum / (observed ? observed.count : n),
    min,
    max,
    sum,
    last,
    increase,
    rate: increase / seconds,
    count: observed ? observed.count : n,
  };
  const value = values[agg as keyof typeof values];
  return Number.isFinite(value) ? value : null;
}

function observedQuantile(observed: Distribution | undefined, quantile: number): number | null {
  if (!observed) return null;
  if (observed.le.length > 0) return quantileOf(observed, quantile);
  const state = observed.quantiles?.find(([which]) => which === quantile)?.[1];
  return state !== undefined && Number.isFinite(state) ? state : null;
}

const OF_NUMBERS: readonly Aggregation[] = ['avg', 'min', 'max', 'sum', 'last', 'count'];
const OF_TOTALS: readonly Aggregation[] = ['rate', 'increase'];
const OF_DISTRIBUTIONS: readonly Aggregation[] = [
  'avg',
  'sum',
  'count',
  'last',
  ...OF_TOTALS,
  'p50',
  'p90',
  'p95',
  'p99',
];

/** The aggregations of each metric type. */
export const AGGREGATIONS: Readonly<Record<MetricType, readonly Aggregation[]>> = {
  gauge: OF_NUMBERS,
  counter: [...OF_NUMBERS, ...OF_TOTALS],
  untyped: [...OF_NUMBERS, ...OF_TOTALS],
  histogram: OF_DISTRIBUTIONS,
  summary: OF_DISTRIBUTIONS,
};

/** The default aggregation of each metric type. */
export const DEFAULT_AGGREGATION: Readonly<Record<MetricType, Aggregation>> = {
  gauge: 'avg',
  counter: 'rate',
  untyped: 'avg',
  histogram: 'p95',
  summary: 'p95',
};

/** A stretch of one series and when it starts, in milliseconds. */
export interface Cell {
  readonly start: number;
  readonly rollup: Rollup;
}

export interface Windows {
  /** The start of each window in milliseconds, ascending. */
  readonly starts: readonly number[];
  readonly widthMs: number;
  /** How far before a window the sample may lie that its increase starts from. */
  readonly lookbackMs: number;
}

/**
 * The windows of one series that hold samples, by their start. `cells` are in order of time. Each cell is
 * joined a few times, however many windows contain it.
 */
export function windowsOf(
  cells: readonly Cell[],
  { starts, widthMs, lookbackMs }: Windows,
): ReadonlyMap<number, Window> {
  const found = new Map<number, Window>();
  let inside = new SlidingRollup();
  let first = 0;
  let end = 0;
  for (const start of starts) {
    const from = nextFrom(cells, first, start);
    // Windows that do not overlap share no cells.
    if (from >= end) inside = new SlidingRollup();
    else for (let i = first; i < from; i++) inside.dropFirst();
    first = from;
    end = Math.max(first, end);
    for (const to = nextFrom(cells, end, start + widthMs); end < to; end++) {
      const cell = cells[end];
      if (cell) inside.add(cell.rollup);
    }
    const before = cells[first - 1]?.rollup;
    const isNear = before !== undefined && before.lastAt >= start - lookbackMs;
    const whole = inside.whole();
    if (whole) found.set(start, windowOf(whole, isNear ? before : undefined));
  }
  return found;
}

/** The first cell from index `i` on that starts at `start` or later. */
function nextFrom(cells: readonly Cell[], i: number, start: number): number {
  while ((cells[i]?.start ?? Infinity) < start) i += 1;
  return i;
}

import type { SeriesWindow } from '../../../engine/pictures.ts';

/** The row whose x is nearest to `x`; the earlier of two equally near. -1 when there is none. */
export function nearestRow(xs: Float64Array, x: number): number {
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((xs[middle] ?? 0) < x) low = middle + 1;
    else high = middle;
  }
  const before = xs[low - 1];
  const at = xs[low];
  if (at === undefined) return -1;
  return before !== undefined && x - before <= at - x ? low - 1 : low;
}

/** The newest row in which this series has a value; -1 when there is none. */
export function lastRow(series: Float64Array): number {
  return series.findLastIndex((value) => !Number.isNaN(value));
}

export type Trend = 'rising' | 'falling' | 'steady' | 'unknown';

/** Rows that each of the two compared stretches must have. */
const FEWEST = 2;

/** A difference of means below this part of the curve's spread counts as no change. */
const STEADY = 0.02;

/** Whether the newest fifth of a curve lies above or below the fifth before it. */
export function trendOf(series: Float64Array): Trend {
  const values = series.filter((value) => !Number.isNaN(value));
  const part = Math.max(FEWEST, Math.floor(values.length / 5));
  if (values.length < 2 * part) return 'unknown';
  const now = mean(values.subarray(-part));
  const before = mean(values.subarray(-2 * part, -part));
  const { low, high } = extent(values);
  if (Math.abs(now - before) <= STEADY * (high - low)) return 'steady';
  return now > before ? 'rising' : 'falling';
}

/** Rows spread evenly over the window, first and last included, for a table of at most `count` rows. */
export function tableRows({ x }: SeriesWindow, count: number): number[] {
  if (x.length <= count) return Array.from(x.keys());
  const step = (x.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => Math.round(index * step));
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function extent(values: Float64Array): { low: number; high: number } {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high };
}

import { multiplesOf, roundStep } from '../../../engine/pictures.ts';

/** A stretch of time cut into steps, all in ms since 1970. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

export interface TimeSeriesData {
  readonly name: string;
  /** [at, value], in the order of time; a step without a value has no point or null. */
  readonly points: readonly (readonly [number, number | null])[];
}

/** The steps of a range that charts over it share, so that one cursor reads all of them. */
export interface TimeGrid {
  readonly start: number;
  readonly stepMs: number;
  readonly count: number;
}

export function gridOf({ from, to, stepMs }: TimeRange): TimeGrid {
  const start = Math.floor(from / stepMs) * stepMs;
  return { start, stepMs, count: Math.max(1, Math.ceil((to - start) / stepMs)) };
}

/** The step a moment lies in; below 0 or above the last where it lies outside. */
export const stepAt = ({ start, stepMs }: TimeGrid, at: number): number =>
  Math.floor((at - start) / stepMs);

export const timeOf = ({ start, stepMs }: TimeGrid, step: number): number => start + step * stepMs;

/** Where a moment lies on the axis, from 0 to 1: steps are drawn at their middle. */
export const fractionOf = ({ start, stepMs, count }: TimeGrid, at: number): number =>
  ((at - start) / stepMs + 0.5) / count;

/** The values of a series, one for each step of the grid; NaN where there is none. */
export function onGrid(grid: TimeGrid, { points }: TimeSeriesData): Float64Array {
  const values = new Float64Array(grid.count).fill(Number.NaN);
  for (const [at, value] of points) {
    const step = stepAt(grid, at);
    if (step >= 0 && step < grid.count && value !== null) values[step] = value;
  }
  return values;
}

export interface ValueScale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/** How a scale is chosen. */
export interface ScaleRules {
  /** Whether the scale includes zero, so that heights compare, or only the values. */
  readonly base?: 'zero' | 'values';
  /** How its numbers are written: no two of them are to look the same. */
  readonly write?: (value: number) => string;
}

/**
 * About four round numbers that enclose all values; fewer where `write` would make two of them the
 * same, as it does with halves of what is counted.
 */
export function valueScale(
  values: Iterable<number>,
  { base = 'zero', write = String }: ScaleRules = {},
): ValueScale {
  let [low, high] = [base === 'zero' ? 0 : Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (!Number.isFinite(low)) low = 0;
  if (high <= low) high = low + 1;
  const scales = [4, 2, 1].map((spaces) => roundScale(low, high, spaces));
  const isTold = ({ ticks }: ValueScale) => new Set(ticks.map(write)).size === ticks.length;
  return scales.find(isTold) ?? roundScale(low, high, 1);
}

function roundScale(low: number, high: number, spaces: number): ValueScale {
  const step = roundStep((high - low) / spaces);
  const min = Math.floor(low / step) * step;
  const max = Math.ceil(high / step) * step;
  return { min, max, ticks: multiplesOf(step, min, max) };
}

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TICKS = [
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  5 * DAY,
  10 * DAY,
  30 * DAY,
] as const;

/** Round moments of the local day within a range, at most `most` of them. */
export function timeTicks({ from, to }: TimeRange, most: number): number[] {
  const every = TICKS.find((step) => (to - from) / step <= most) ?? 30 * DAY;
  // Midnight of the local zone, so that hours and days are round for who looks.
  const midnight = new Date(from).setHours(0, 0, 0, 0);
  const first = midnight + Math.ceil((from - midnight) / every) * every;
  const count = Math.max(0, Math.floor((to - first) / every) + 1);
  return Array.from({ length: count }, (_, i) => first + i * every);
}

/**
 * A curve over a square of 1000 by 1000, broken where more than `silence` steps in a row have no value.
 */
export function curvePath(
  values: Float64Array,
  { min, max }: ValueScale,
  silence: number = 0,
): string {
  const known = Array.from(values.keys()).filter((step) => !Number.isNaN(values[step]));
  const isNear = (a: number | undefined, b: number | undefined) =>
    a !== undefined && b !== undefined && b - a <= silence + 1;
  return known
    .map((step, i) => {
      const x = ((step + 0.5) / values.length) * 1000;
      const y = 1000 - (((values[step] ?? 0) - min) / (max - min)) * 1000;
      const isOpen = isNear(known[i - 1], step);
      // A point alone is a line of no length, which its round ends make a dot.
      const isAlone = !isOpen && !isNear(step, known[i + 1]);
      return `${isOpen ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}${isAlone ? 'h.01' : ''}`;
    })
    .join('');
}

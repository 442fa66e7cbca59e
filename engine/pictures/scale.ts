import { multiplesOf, roundStep } from './round-ticks.ts';

/** A curve in a plane; where y is not finite it is broken. */
export interface Curve {
  /** [length] */
  readonly x: ArrayLike<number>;
  /** [length] */
  readonly y: ArrayLike<number>;
}

/** One axis of a plane, from `low` to `high`. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  /** Linear where it is left out. */
  readonly form?: 'log';
}

export interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

/** The ends of an axis that do not follow the data. */
export type FixedRange = readonly [low: number, high: number];

/** About this many spaces between the ticks of an axis. */
const SPACES = 5;

/** Axes that hold every point of the curves, or exactly what is fixed. The y axis has round ends. */
export function scalesOf(
  curves: readonly Curve[],
  fixed: { readonly x?: FixedRange | undefined; readonly y?: FixedRange | undefined },
): Scales {
  return {
    x: fixedScale(fixed.x ?? endsOf(curves.map(({ x }) => x))),
    y: fixed.y ? fixedScale(fixed.y) : roundScale(endsOf(curves.map(({ y }) => y))),
  };
}

/** Where a value lies on its axis: 0 at the lower end, 1 at the upper. */
export function placeOf({ low, high, form }: Scale, value: number): number {
  if (form === 'log') return Math.log(value / low) / Math.log(high / low);
  return (value - low) / (high - low);
}

/** The value at a place of an axis: the inverse of `placeOf`. */
export function valueAt({ low, high, form }: Scale, place: number): number {
  return form === 'log' ? low * (high / low) ** place : low + place * (high - low);
}

/** Axes end at this power of ten, which leaves room to reckon with their length. */
const MAX_POWER = 300;

/** A logarithmic axis has a tick at each of so many powers of ten. */
const MAX_DECADES = 12;

/** A logarithmic axis from one power of ten to another; up to two decades have ticks between. */
export function logScale([least, greatest]: FixedRange): Scale {
  const first = Math.max(-MAX_POWER, Math.floor(Math.log10(least) + 1e-9));
  const last = Math.max(first + 1, Math.ceil(Math.log10(greatest) - 1e-9));
  const steps = last - first <= 2 ? [1, 2, 5] : [1];
  const every = Math.ceil((last - first) / MAX_DECADES);
  const decades = Array.from(
    { length: Math.ceil((last - first) / every) },
    (_, i) => first + i * every,
  );
  const ticks = decades.flatMap((power) => steps.map((step) => step * 10 ** power));
  return { low: 10 ** first, high: 10 ** last, ticks: [...ticks, 10 ** last], form: 'log' };
}

/** Exactly from one end to the other. */
export function fixedScale([low, high]: FixedRange): Scale {
  return { low, high, ticks: multiplesOf(roundStep((high - low) / SPACES), low, high) };
}

/** Round ends: they stand still while the data move a little. */
export function roundScale([low, high]: FixedRange): Scale {
  const step = roundStep((high - low) / SPACES);
  return fixedScale([Math.floor(low / step) * step, Math.ceil(high / step) * step]);
}

/** The least and the greatest of all finite values; around the only one, and 0 to 1 without any. */
export function endsOf(columns: readonly ArrayLike<number>[]): FixedRange {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of columns) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (!(low <= high)) return [0, 1];
  low = within(low);
  high = within(high);
  const room = low === high ? (Math.abs(low) || 1) / 2 : 0;
  return [low - room, high + room];
}

const within = (value: number): number =>
  Math.max(-(10 ** MAX_POWER), Math.min(10 ** MAX_POWER, value));

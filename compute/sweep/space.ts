import {
  type Axis,
  MAX_RUNS,
  type Range,
  type SweepFile,
  type Value,
} from '../../edge/training/contract/sweep-file.ts';
import { EngineError, keyOf, philox } from '../../engine/index.ts';

/** Values of the searched fields of one run, by their names. */
export type Point = Readonly<Record<string, Value>>;

/** The stream of Philox counters that sweeps draw from. */
const SWEEP_STREAM = 0x53574550;

/** Digits of a drawn number: more say nothing, and are hard to read. */
const DIGITS = 6;

/**
 * The points of a sweep, in the order of its runs. The point of a run depends on the seed, its number and the
 * order of the fields alone: a sweep with more runs begins with the same ones. Throws EngineError
 * `invalid-setting` for a grid of more than 1000 points and for a range of a grid without `points`.
 */
export function pointsOf({ method, search, runs = 0, seed }: SweepFile): readonly Point[] {
  const axes = Object.entries(search);
  if (method === 'grid') return gridOf(axes);
  return Array.from({ length: runs }, (_, run) =>
    Object.fromEntries(axes.map(([name, axis], i) => [name, drawn(axis, uniform(seed, run, i))])),
  );
}

/** The last field changes fastest. */
function gridOf(axes: readonly (readonly [string, Axis])[]): readonly Point[] {
  const values = axes.map(([name, axis]) => [name, valuesOf(name, axis)] as const);
  const count = values.reduce((product, [, each]) => product * each.length, 1);
  if (count > MAX_RUNS) {
    const sizes = values.map(([name, each]) => `${each.length} of ${name}`).join(' times ');
    throw new EngineError(
      'invalid-setting',
      `search: the grid has ${count} runs (${sizes}), expected at most ${MAX_RUNS}`,
    );
  }
  return values.reduce<readonly Point[]>(
    (points, [name, each]) =>
      points.flatMap((point) => each.map((value) => ({ ...point, [name]: value }))),
    [{}],
  );
}

function valuesOf(name: string, axis: Axis): readonly Value[] {
  if (Array.isArray(axis)) return axis;
  const { points } = axis;
  if (points === undefined) {
    throw new EngineError(
      'invalid-setting',
      `search.${name}.points is missing: expected how many values of the range a grid takes`,
    );
  }
  const all = Array.from({ length: points }, (_, i) => within(axis, i / (points - 1)));
  return [...new Set(all)];
}

function drawn(axis: Axis, share: number): Value {
  if (!Array.isArray(axis)) return axis.whole ? wholeWithin(axis, share) : within(axis, share);
  // A list has at least one value.
  return axis[Math.floor(share * axis.length)] as Value;
}

/** The value at a place of a range, from 0 at its lower end to 1 at its upper. */
function within({ from, to, scale, whole }: Range, place: number): number {
  const value = scale === 'log' ? from * (to / from) ** place : from + (to - from) * place;
  const short = whole ? Math.round(value) : Number(value.toPrecision(DIGITS));
  return Math.min(to, Math.max(from, short));
}

/** Every whole number of a linear range is as likely, the ends too. */
function wholeWithin(range: Range, place: number): number {
  if (range.scale === 'log') return within(range, place);
  return range.from + Math.floor(place * (range.to - range.from + 1));
}

/** In [0, 1). */
function uniform(seed: number, run: number, axis: number): number {
  const [word = 0] = philox([run, axis, 0, SWEEP_STREAM], keyOf(seed));
  return word / 2 ** 32;
}

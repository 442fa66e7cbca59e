import { addDistributions, type Distribution, emptyLike, increaseOf } from './distribution.ts';
import type { Value } from './sample.ts';

/**
 * The summary of the samples of one series in a stretch of time. Consecutive stretches join exactly, so
 * rollups of rollups equal those of the samples:
 *
 *   join(join(a, b), c) = join(a, join(b, c)),   rollup(samples) = join of the rollups of its parts
 */
export type Rollup = NumberRollup | DistributionRollup;

interface Stretch {
  /** Samples in it, those that are no number left out. */
  readonly n: number;
  /** Times of its first and last sample, in milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
}

interface NumberRollup extends Stretch {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly first: number;
  readonly last: number;
  /** The increase of a total from the first sample to the last, across restarts. */
  readonly increase: number;
}

interface DistributionRollup extends Stretch {
  readonly kind: 'distribution';
  readonly first: Distribution;
  readonly last: Distribution;
  readonly increase: Distribution;
}

/** The rollup of one sample; undefined for NaN, which means that nothing is known. */
export function rollupOf(value: Value, at: number): Rollup | undefined {
  const stretch = { n: 1, firstAt: at, lastAt: at };
  if (typeof value !== 'number') {
    const increase = emptyLike(value);
    return { kind: 'distribution', ...stretch, first: value, last: value, increase };
  }
  if (Number.isNaN(value)) return undefined;
  const all = { min: value, max: value, sum: value, first: value, last: value };
  return { kind: 'number', ...stretch, ...all, increase: 0 };
}

/** Joins a stretch with the next one. A stretch of another kind, as the metric changed, starts over. */
export function join(a: Rollup | undefined, b: Rollup): Rollup {
  if (a === undefined || a.kind !== b.kind) return b;
  const stretch = { n: a.n + b.n, firstAt: a.firstAt, lastAt: b.lastAt };
  if (a.kind === 'number' && b.kind === 'number') {
    return {
      kind: 'number',
      ...stretch,
      min: Math.min(a.min, b.min),
      max: Math.max(a.max, b.max),
      sum: a.sum + b.sum,
      first: a.first,
      last: b.last,
      increase: a.increase + rise(a.last, b.first) + b.increase,
    };
  }
  if (a.kind === 'distribution' && b.kind === 'distribution') {
    const between = increaseOf(a.last, b.first);
    const increase = addDistributions(addDistributions(a.increase, between), b.increase);
    return { kind: 'distribution', ...stretch, first: a.first, last: b.last, increase };
  }
  return b;
}

/** The join of a sliding window of rollups, which joins each about three times. */
export class SlidingRollup {
  /** Joins of each with all after it, the first of all at the end. */
  readonly #older: Rollup[] = [];
  #newer: Rollup[] = [];
  #newerWhole: Rollup | undefined;

  add(rollup: Rollup): void {
    this.#newer.push(rollup);
    this.#newerWhole = join(this.#newerWhole, rollup);
  }

  dropFirst(): void {
    if (this.#older.length === 0) {
      let after: Rollup | undefined;
      for (const rollup of this.#newer.toReversed()) {
        after = after ? join(rollup, after) : rollup;
        this.#older.push(after);
      }
      this.#newer = [];
      this.#newerWhole = undefined;
    }
    this.#older.pop();
  }

  whole(): Rollup | undefined {
    const older = this.#older.at(-1);
    return this.#newerWhole ? join(older, this.#newerWhole) : older;
  }
}

/** The increase of a total between samples; after a decrease, which means a restart, it starts from 0. */
export const rise = (earlier: number, later: number): number =>
  later >= earlier ? later - earlier : later;

export interface TimedValue {
  readonly at: number;
  readonly value: Value;
}

/** The rollup of samples in any order; undefined where there are none. */
export function rollupAll(samples: readonly TimedValue[]): Rollup | undefined {
  let whole: Rollup | undefined;
  for (const { value, at } of samples.toSorted((a, b) => a.at - b.at)) {
    const one = rollupOf(value, at);
    if (one) whole = join(whole, one);
  }
  return whole;
}

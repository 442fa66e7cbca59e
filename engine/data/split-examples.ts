import { expectPositive, expectWithin, refuseSetting } from '../checks.ts';
import { keyOf } from '../random/philox.ts';
import { shuffledIndices } from '../random/shuffle.ts';
import type { Examples } from './examples.ts';

/** Size and seed of a split. */
export interface SplitOptions {
  /** Part of the examples that validates, above 0 and below 1; 0.1 by default. */
  readonly fraction?: number;
  readonly seed?: number;
  /** Whether every class has its part in both, as far as it has two examples. */
  readonly isStratified?: boolean;
}

/** A split has an order apart from that of every epoch, whose numbers are counted from 0. */
const SPLIT_EPOCH = 2 ** 32 - 1;

/**
 * Splits examples into those to train on and those to validate on, by a seed; none is in both. Throws
 * EngineError `invalid-setting` where one of the parts would be empty.
 */
export function splitExamples(
  examples: Examples,
  { fraction = 0.1, seed = 0, isStratified = false }: SplitOptions = {},
): { readonly train: Examples; readonly validation: Examples } {
  expectPositive('splitExamples', 'fraction', fraction);
  expectWithin('splitExamples', 'fraction', fraction, [0, 1]);
  const order = shuffledIndices(examples.count, SPLIT_EPOCH, keyOf(seed));
  const groups = isStratified ? byClass(examples, order) : [[...order]];
  const held = new Set(groups.flatMap((group) => group.slice(0, heldOf(group.length, fraction))));
  const all = Array.from({ length: examples.count }, (_, i) => i);
  if (held.size === 0 || held.size === examples.count) {
    refuseSetting(
      `splitExamples: a fraction of ${fraction} of ${examples.count} examples holds ${held.size} out: ` +
        'expected some to train on and some to validate on',
    );
  }
  return {
    train: takeExamples(
      examples,
      all.filter((i) => !held.has(i)),
    ),
    validation: takeExamples(
      examples,
      all.filter((i) => held.has(i)),
    ),
  };
}

/** At least one of two or more, and never all. */
function heldOf(count: number, fraction: number): number {
  if (count < 2) return 0;
  return Math.min(count - 1, Math.max(1, Math.round(count * fraction)));
}

function byClass(examples: Examples, order: Uint32Array): readonly number[][] {
  const groups = new Map<number, number[]>();
  for (const example of order) {
    const group = groups.get(examples.label(example));
    if (group) group.push(example);
    else groups.set(examples.label(example), [example]);
  }
  return [...groups.values()];
}

/** The examples at some places, in that order. Throws EngineError `invalid-setting` for a place outside. */
export function takeExamples(examples: Examples, places: ArrayLike<number>): Examples {
  const own = Uint32Array.from(places);
  const wrong = own.findIndex((place) => place >= examples.count);
  if (wrong >= 0) {
    refuseSetting(
      `takeExamples: place ${places[wrong]} of ${examples.count} examples: expected a smaller one`,
    );
  }
  return {
    ...examples,
    count: own.length,
    label: (example) => examples.label(own[example] ?? 0),
    write: (example, to, alteration) => examples.write(own[example] ?? 0, to, alteration),
  };
}

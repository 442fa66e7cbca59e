import { type Key, scramble } from '../random/philox.ts';

/**
 * Random numbers of one example. They depend on a key and a counter alone and use no function that machines
 * round differently, so that a seed gives the same digits everywhere.
 */
export interface Draws {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** Uniform from `low` to below `high`. */
  uniform(low: number, high: number): number;
  /** Whether something with this probability happens. */
  chance(probability: number): boolean;
  /** Mean 0 and variance 1: the sum of twelve uniform numbers, which lies within -6 and 6. */
  normal(): number;
}

const DRAW_STREAM = 0x44524157;
const RANGE = 2 ** 32;

/** Draws of a key and two words, such as the number of an example and an epoch. */
export function createDraws(key: Key, [a, b]: readonly [number, number]): Draws {
  const words = new Uint32Array(4);
  let drawn = 0;
  const next = () => {
    if (drawn % 4 === 0) {
      words.set([drawn / 4, a, b, DRAW_STREAM]);
      scramble(words, key);
    }
    return (words[drawn++ % 4] as number) / RANGE;
  };
  return {
    below: (bound) => Math.floor(next() * bound),
    uniform: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    normal() {
      let sum = -6;
      for (let i = 0; i < 12; i++) sum += next();
      return sum;
    },
  };
}

/** Draws of the four words by which `Examples.write` is told to augment. */
export function drawsFrom([a = 0, b = 0, c = 0, d = 0]: Uint32Array): Draws {
  return createDraws([a, b], [c, d]);
}

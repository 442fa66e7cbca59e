import { type Key, scramble } from '../random/philox.ts';
import type { Values } from './description.ts';

/** A stream of random numbers on the host, for connectivity, initial states and weights. */
export interface Draws {
  /** Between 0 and 1, neither of them. */
  uniform(): number;
  normal(): number;
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
}

/** The last word of the counter, which is 0 for draws of kernels. */
const HOST = 1;

/** Draws of one purpose, from Philox 4x32-10: the same for a seed on every machine. */
export function createDraws(seed: Key, stream: number): Draws {
  const words = new Uint32Array(4);
  let drawn = 0;
  let spare: number | undefined;
  const uniform = () => {
    if (drawn % 4 === 0) {
      words[0] = Math.floor(drawn / 4);
      words[1] = stream;
      words[2] = 0;
      words[3] = HOST;
      scramble(words, seed);
    }
    // One of the four words.
    return ((words[drawn++ % 4] as number) + 0.5) / 2 ** 32;
  };
  return {
    uniform,
    below: (limit) => Math.floor(uniform() * limit),
    normal() {
      if (spare !== undefined) {
        const other = spare;
        spare = undefined;
        return other;
      }
      // Box and Muller: two at a time.
      const radius = Math.sqrt(-2 * Math.log(uniform()));
      const angle = 2 * Math.PI * uniform();
      spare = radius * Math.sin(angle);
      return radius * Math.cos(angle);
    },
  };
}

/** A function from index to value; random ones are drawn in the order of the calls. */
export function valueOf(values: Values, draws: Draws): (index: number) => number {
  if (typeof values === 'number') return () => values;
  if ('uniform' in values) {
    const [low, high] = values.uniform;
    return () => low + (high - low) * draws.uniform();
  }
  if ('normal' in values) {
    const [mean, deviation] = values.normal;
    return () => mean + deviation * draws.normal();
  }
  return (index) => values[index] ?? Number.NaN;
}

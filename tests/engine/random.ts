import { keyOf, philox, uniformFrom } from '../../engine/random/philox.ts';

/** A seeded source of test data, so that a failing case can be repeated. */
export interface Source {
  /** Uniform in [low, high). */
  uniform(low: number, high: number): number;
  floats(count: number, low?: number, high?: number): Float32Array;
  /** Integers in [0, below). */
  integers(count: number, below: number): Uint32Array;
  /** Packed spikes of `rows` rows of `width` neurons; bits beyond the width stay clear. */
  spikes(rows: number, width: number, density?: number): Uint32Array;
}

export function randomSource(seed: number): Source {
  let drawn = 0;
  const next = () => uniformFrom(philox([drawn++, 0, 0, 0], keyOf(seed))[0]!);
  return {
    uniform: (low, high) => low + next() * (high - low),
    floats: (count, low = -1, high = 1) =>
      Float32Array.from({ length: count }, () => low + next() * (high - low)),
    integers: (count, below) =>
      Uint32Array.from({ length: count }, () => Math.floor(next() * below)),
    spikes(rows, width, density = 0.3) {
      const words = Math.ceil(width / 32);
      const packed = new Uint32Array(rows * words);
      for (let r = 0; r < rows; r++) {
        for (let n = 0; n < width; n++) {
          if (next() < density) packed[r * words + (n >>> 5)]! |= 1 << (n & 31);
        }
      }
      return packed;
    },
  };
}

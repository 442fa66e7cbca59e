import { keyOf, scramble, uniformFrom } from '../../engine/random/philox.ts';

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
  const key = keyOf(seed);
  const block = new Uint32Array(4);
  const next = () => {
    block.fill(0);
    block[0] = drawn++;
    scramble(block, key);
    return uniformFrom(block[0]);
  };
  return {
    uniform: (low, high) => low + next() * (high - low),
    floats(count, low = -1, high = 1) {
      const values = new Float32Array(count);
      for (let i = 0; i < count; i++) values[i] = low + next() * (high - low);
      return values;
    },
    integers(count, below) {
      const values = new Uint32Array(count);
      for (let i = 0; i < count; i++) values[i] = Math.floor(next() * below);
      return values;
    },
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

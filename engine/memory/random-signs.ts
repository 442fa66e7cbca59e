import { byteWords } from '../graph/tensor.ts';
import { keyOf, scramble } from '../random/philox.ts';

const BITS_PER_DRAW = 128;

/** `count` draws of -1 or 1 for a seed, from Philox: the same on every machine. `stream` separates draws. */
export function randomSigns(count: number, seed: number, stream: number): Int8Array {
  const key = keyOf(seed);
  const words = new Uint32Array(4);
  const signs = new Int8Array(count);
  for (let first = 0; first < count; first += BITS_PER_DRAW) {
    words.set([first / BITS_PER_DRAW, 0, 0, stream]);
    scramble(words, key);
    const end = Math.min(BITS_PER_DRAW, count - first);
    for (let i = 0; i < end; i++) {
      const bit = ((words[i >>> 5] as number) >>> (i & 31)) & 1;
      signs[first + i] = 2 * bit - 1;
    }
  }
  return signs;
}

/** Bytes of a matrix `[rows, columns]` in the words of a quantised weight, row by row. */
export function packBytes(values: Int8Array, columns: number): Uint32Array {
  const rows = values.length / columns;
  const words = new Uint32Array(rows * byteWords(columns));
  const bytes = new Int8Array(words.buffer);
  const stride = 4 * byteWords(columns);
  for (let row = 0; row < rows; row++) {
    bytes.set(values.subarray(row * columns, (row + 1) * columns), row * stride);
  }
  return words;
}

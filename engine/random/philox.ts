/** A counter or the words drawn from it. */
type Words4 = readonly [number, number, number, number];
export type Key = readonly [low: number, high: number];

const ROUNDS = 10;
const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;

/**
 * Four random 32-bit words from a counter and a key: Philox 4x32-10 (Salmon et al. 2011). The same
 * words as shaders/lib/philox.wgsl, so that a seed gives the same run on every backend.
 */
export function philox(counter: Words4, key: Key): Uint32Array {
  const words = Uint32Array.from(counter);
  scramble(words, key);
  return words;
}

/** Replaces a counter of four words by the words drawn from it. Makes no garbage, for use in every step. */
export function scramble(words: Uint32Array, key: Key): void {
  let c0 = words[0] as number;
  let c1 = words[1] as number;
  let c2 = words[2] as number;
  let c3 = words[3] as number;
  let k0 = key[0];
  let k1 = key[1];
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = highWord(MULTIPLIER_0, c0);
    const high1 = highWord(MULTIPLIER_1, c2);
    const low0 = Math.imul(MULTIPLIER_0, c0);
    const low1 = Math.imul(MULTIPLIER_1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
}

/** The upper 32 bits of a 64-bit product, from products of halves that fit a double exactly. */
function highWord(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const cross = aHigh * bLow + ((aLow * bLow) >>> 16);
  const middle = aLow * bHigh + (cross & 0xffff);
  return aHigh * bHigh + Math.floor(cross / 65536) + Math.floor(middle / 65536);
}

/** Uniform in [0, 1) from the upper 24 bits, which float32 holds exactly. */
export function uniformFrom(word: number): number {
  return (word >>> 8) / 2 ** 24;
}

/** A seed as a Philox key. Seeds are integers from 0 to 2^53 - 1. */
export function keyOf(seed: number): Key {
  return [seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0];
}

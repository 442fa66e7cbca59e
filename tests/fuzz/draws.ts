/** Draws of one case: the same for the same parser, seed and number, on every machine. */
export interface Draws {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** Whether something with this probability happens. */
  chance(probability: number): boolean;
  pick<T>(values: readonly [T, ...T[]]): T;
  pick<T>(values: readonly T[]): T | undefined;
}

/** A word of each of a text and two numbers, as FNV-1a makes it. */
function scrambled(text: string, seed: number, number: number): number {
  let word = 0x811c9dc5;
  const add = (value: number) => {
    word = Math.imul(word ^ value, 0x01000193);
  };
  for (const letter of text) add(letter.codePointAt(0) ?? 0);
  for (const value of [seed, number]) {
    for (let shift = 0; shift < 32; shift += 8) add((value >>> shift) & 0xff);
  }
  return word;
}

/** sfc32 of Chris Doty-Humphrey. */
export function drawsOf(name: string, seed: number, number: number): Draws {
  let [a, b, c, count] = [scrambled(name, seed, number), seed | 0, number | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) next();
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(values: readonly T[]) => values[below(values.length)] as T,
  };
}

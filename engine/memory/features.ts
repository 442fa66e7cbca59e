import { normaliseText, GAP, scriptOf } from './normalise-text.ts';
import { extendHash, finishHash, startHash } from './hash.ts';

/** Input neurons, a power of two: each n-gram excites one of them, by its hash. */
export const INPUTS = 8192;
/** Maximum number of active input neurons: a long text is sampled, consistently for shared n-grams. */
const MAX_ACTIVE = 2048;

/** Lengths of n-grams: of letters, and of kana, kanji and syllables, each of which is more informative. */
const OF_LETTERS = { shortest: 2, longest: 4 };
const OF_SYLLABLES = { shortest: 1, longest: 3 };
const FIRST_SYLLABLE = 0x3000;
/** Input neurons per word, as a word is more informative than one of its n-grams. */
const WORD_INPUTS = 2;

/** Hashes of the two kinds begin differently. */
const GRAM = 0;
const WORD = 1;

const INDEX_BITS = Math.log2(INPUTS);
const EMPTY = 2 ** 32 - 1;
const RANKS = 2 ** (32 - INDEX_BITS);

/** Turns texts into spikes of the input neurons. */
export interface FeatureReader {
  /**
   * Sets the bits of the input neurons that the n-grams of a text excite, in `spikes` (`INPUTS` bits, all
   * clear); returns their number.
   */
  read(text: string, spikes: Uint32Array): number;
}

/**
 * Character n-grams, including the gaps between words, and words, of which each kanji is one, too;
 * frequencies are ignored. If more than `MAX_ACTIVE` neurons are excited, those with the lowest hashes fire.
 */
export function createFeatureReader(): FeatureReader {
  const lowest = new Uint32Array(INPUTS).fill(EMPTY);
  const touched = new Uint16Array(INPUTS);
  let room: Uint32Array | undefined;
  let count = 0;
  const excite = (hash: number) => {
    const input = hash & (INPUTS - 1);
    const rank = hash >>> INDEX_BITS;
    const known = lowest[input] as number;
    if (known === EMPTY) touched[count++] = input;
    if (rank < known) lowest[input] = rank;
  };
  return {
    read(text, spikes) {
      const { points, length } = normaliseText(text, room);
      room = points;
      count = 0;
      readGrams(points, length, excite);
      readWords(points, length, excite);
      const all = touched.subarray(0, count);
      const active = fire(all, lowest, spikes);
      for (const input of all) lowest[input] = EMPTY;
      return active;
    },
  };
}

/** Halves the ranks that fire until few enough are left. */
function fire(touched: Uint16Array, lowest: Uint32Array, spikes: Uint32Array): number {
  let limit = RANKS;
  let active = touched.length;
  while (active > MAX_ACTIVE) {
    limit /= 2;
    active = 0;
    for (const input of touched) active += Number((lowest[input] as number) < limit);
  }
  for (const input of touched) {
    if ((lowest[input] as number) >= limit) continue;
    spikes[input >>> 5] = (spikes[input >>> 5] as number) | (1 << (input & 31));
  }
  return active;
}

function readGrams(points: Uint32Array, length: number, excite: (hash: number) => void): void {
  for (let first = 0; first < length; first++) {
    const isSyllable = (points[first] as number) >= FIRST_SYLLABLE;
    const { shortest, longest } = isSyllable ? OF_SYLLABLES : OF_LETTERS;
    const end = Math.min(length, first + longest);
    let hash = startHash(GRAM);
    for (let i = first; i < end; i++) {
      hash = extendHash(hash, points[i] as number);
      if (i - first + 1 >= shortest) excite(finishHash(hash));
    }
  }
}

function readWords(points: Uint32Array, length: number, excite: (hash: number) => void): void {
  let hash = 0;
  let script = scriptOf(GAP);
  for (let i = 0; i < length; i++) {
    const point = points[i] as number;
    const next = scriptOf(point);
    if (next !== script) {
      if (script !== 'gap') exciteWord(hash, excite);
      hash = startHash(WORD);
      script = next;
    }
    hash = extendHash(hash, point);
    if (script === 'han') exciteWord(extendHash(startHash(WORD), point), excite);
  }
}

function exciteWord(hash: number, excite: (hash: number) => void): void {
  for (let copy = 0; copy < WORD_INPUTS; copy++) excite(finishHash(extendHash(hash, copy)));
}

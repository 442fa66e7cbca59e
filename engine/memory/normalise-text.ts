/** Length of text that is read; the rest is ignored. */
const MAX_TEXT_LENGTH = 2 ** 20;

/** Separator between words, and at the start and the end. */
export const GAP = 32;

/** A text as its embedder reads it. */
interface NormalisedText {
  /** Code points with a single gap between words, at the start and at the end. */
  readonly points: Uint32Array;
  readonly length: number;
}

const PUNCTUATION = '.,;:!?()[]{}"\'`-|\\/~^';
const isAsciiGap = Uint8Array.from({ length: 128 }, (_, point) =>
  Number(point <= GAP || point === 127 || PUNCTUATION.includes(String.fromCodePoint(point))),
);

/** Scripts without spaces between words: a word ends where the script changes. */
type Script = 'gap' | 'letters' | 'hiragana' | 'katakana' | 'han';

/** By ranges and not by the tables of the runtime, which differ with its version of Unicode. */
export function scriptOf(point: number): Script {
  if (point < 128) return isAsciiGap[point] ? 'gap' : 'letters';
  if (point < 0x3000) return isGapBelowKana(point) ? 'gap' : 'letters';
  if (point < 0x3100) return scriptOfKana(point);
  return isHan(point) ? 'han' : 'letters';
}

/** East Asian punctuation, hiragana and katakana; two signs that repeat or stand for a kanji count as kanji. */
function scriptOfKana(point: number): Script {
  if (point < 0x3040) return point === 0x3005 || point === 0x3007 ? 'han' : 'gap';
  if (point < 0x30a0) return 'hiragana';
  return point === 0x30fb ? 'gap' : 'katakana';
}

/** Controls and punctuation of Latin-1, and the general punctuation with its spaces. */
function isGapBelowKana(point: number): boolean {
  if (point < 0xc0) return point !== 0xaa && point !== 0xb5 && point !== 0xba;
  return point >= 0x2000 && point < 0x2070;
}

function isHan(point: number): boolean {
  if (point < 0xa000) return point >= 0x3400 && (point < 0x4dc0 || point >= 0x4e00);
  return (point >= 0xf900 && point < 0xfb00) || (point >= 0x20000 && point < 0x32000);
}

/**
 * Folds width, ligatures and case (NFKC, then upper and lower case, so that the sharp s becomes a double s),
 * and replaces everything between words by one gap. `room` is reused if it is large enough.
 */
export function normaliseText(text: string, room?: Uint32Array): NormalisedText {
  const folded = text
    .slice(0, MAX_TEXT_LENGTH)
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .slice(0, MAX_TEXT_LENGTH);
  const needed = folded.length + 2;
  const points = room && room.length >= needed ? room : new Uint32Array(2 * needed);
  let length = 0;
  points[length++] = GAP;
  for (let i = 0; i < folded.length; i++) {
    const point = folded.codePointAt(i) ?? GAP;
    if (point > 0xffff) i++;
    if (scriptOf(point) !== 'gap') points[length++] = point;
    else if (points[length - 1] !== GAP) points[length++] = GAP;
  }
  if (points[length - 1] !== GAP) points[length++] = GAP;
  return { points, length };
}

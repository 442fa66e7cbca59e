import type { CausalLanguage } from '../memory/contract/causal.ts';
import type { Span } from './finding.ts';

export interface Sentence extends Span {
  readonly language: CausalLanguage;
  /** Whether the preceding sentence belongs to the same paragraph and language. */
  readonly follows: boolean;
}

/** Longer ones are cut, which bounds the work of a rule and keeps the total time linear. */
export const MAX_SENTENCE_CHARACTERS = 800;

/** A longer run of final punctuation is noise. */
const MAX_MARKS = 8;

const TITLES = new Set(
  'dr mr mrs ms prof st fig figs no nos vs eq eqs e.g i.e cf approx jr sr gen col sgt rev hon mt sec ch vol pp ed eds al'.split(
    ' ',
  ),
);
const CLOSING = /["'”’»)\]」』）】]/u;
const LATIN_STOP = /[.!?]/;
const BULLET = /[-*•・‣#>|]|\d{1,3}[.)]/uy;

/**
 * Splits a text into sentences of English and Japanese; text without letters of either is left out.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let joined = false;
  for (const { end, ends } of boundaries(text)) {
    const span = trimmed(text, start, end);
    const language = span.end > span.start ? languageOf(text, span) : undefined;
    if (language) {
      const follows = joined && sentences.at(-1)?.language === language;
      sentences.push({ ...span, language, follows });
      joined = true;
    }
    if (ends === 'paragraph') joined = false;
    start = end;
  }
  return sentences;
}

interface Boundary {
  readonly end: number;
  readonly ends: 'sentence' | 'paragraph';
}

function* boundaries(text: string): Generator<Boundary> {
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const boundary = boundaryAt(text, i) ?? cutAt(text, start, i);
    if (!boundary) continue;
    yield boundary;
    start = boundary.end;
    i = boundary.end - 1;
  }
  yield { end: text.length, ends: 'paragraph' };
}

function boundaryAt(text: string, i: number): Boundary | undefined {
  const char = text.charAt(i);
  if (isLineEnd(text, i)) return lineEnd(text, i);
  if (FULL_STOP.test(char)) return fullEnd(text, i);
  // Of a run of punctuation the first mark decides.
  if (LATIN_STOP.test(char) && !LATIN_STOP.test(text.charAt(i - 1))) return latinEnd(text, i);
  return undefined;
}

/** A full stop in a quotation ends a sentence unless the outer one continues: 「降った。」と言った. */
function fullEnd(text: string, i: number): Boundary | undefined {
  const end = afterClosing(text, i + 1);
  const closes = /[」』]/.test(text.charAt(end - 1));
  return closes && AROUND.test(text.charAt(end)) ? undefined : { end, ends: 'sentence' };
}
const FULL_STOP = /[。！？．]/;
const AROUND = /[とっのはがをにでも、]/;

/** The second half of \r\n counts for both. */
const isLineEnd = (text: string, i: number) =>
  /[\n\r\u2028\u2029]/.test(text.charAt(i)) && text.slice(i, i + 2) !== '\r\n';

/**
 * A line break ends a sentence unless the next line continues it: lowercase, or after kana or a
 * comma.
 */
function lineEnd(text: string, i: number): Boundary | undefined {
  let next = i;
  let lines = 0;
  for (; next < text.length && /\s/u.test(text.charAt(next)); next++) {
    if (isLineEnd(text, next)) lines += 1;
  }
  if (lines > 1 || next >= text.length) return { end: next, ends: 'paragraph' };
  BULLET.lastIndex = next;
  if (BULLET.test(text)) return { end: next, ends: 'paragraph' };
  const goesOn = /\p{Ll}/u.test(text.charAt(next)) || GOES_ON.test(text.charAt(i - 1));
  return goesOn ? undefined : { end: next, ends: 'sentence' };
}
/** Hiragana: the line broke within a clause. */
const GOES_ON = /[\u3041-\u309f、,]/;

/**
 * A full stop ends a sentence before a space and no lowercase letter, unless it follows an
 * abbreviation.
 */
function latinEnd(text: string, i: number): Boundary | undefined {
  const end = afterClosing(text, i + 1);
  const after = text.charAt(end);
  if (after !== '' && !/[\s\u3040-\u30ff\u4e00-\u9fff]/u.test(after)) return undefined;
  let next = end;
  while (/[ \t]/.test(text.charAt(next))) next += 1;
  if (/\p{Ll}/u.test(text.charAt(next))) return undefined;
  if (text.charAt(i) === '.' && after !== '' && isAbbreviation(text, i)) return undefined;
  return { end, ends: 'sentence' };
}

function isAbbreviation(text: string, stop: number): boolean {
  let start = stop;
  while (start > 0 && stop - start < 8 && /[\p{L}.]/u.test(text.charAt(start - 1))) start -= 1;
  const word = text.slice(start, stop);
  // A single capital is an initial, but "I" is more often the pronoun.
  return TITLES.has(word.toLowerCase()) || (/^\p{Lu}$/u.test(word) && word !== 'I');
}

function afterClosing(text: string, from: number): number {
  const last = Math.min(text.length, from + MAX_MARKS);
  let end = from;
  while (end < last && /[.!?。！？…]/u.test(text.charAt(end))) end += 1;
  while (end < last && CLOSING.test(text.charAt(end))) end += 1;
  return end;
}

/**
 * Where a sentence has become too long: at the last space or comma within reach, else right here.
 */
function cutAt(text: string, start: number, i: number): Boundary | undefined {
  if (i - start < MAX_SENTENCE_CHARACTERS) return undefined;
  for (let end = i; end > start + MAX_SENTENCE_CHARACTERS / 2; end--) {
    if (/[\s、,;]/u.test(text.charAt(end - 1))) return { end, ends: 'paragraph' };
  }
  const splitsPair = /[\udc00-\udfff]/.test(text.charAt(i));
  return { end: splitsPair ? i - 1 : i, ends: 'paragraph' };
}

/** A range without the white space, control characters and bullets around it. */
function trimmed(text: string, from: number, to: number): Span {
  let [start, end] = [from, to];
  while (start < end && /[\s\p{Cc}\p{Cf}]/u.test(text.charAt(start))) start += 1;
  while (end > start && /[\s\p{Cc}\p{Cf}]/u.test(text.charAt(end - 1))) end -= 1;
  return { start, end };
}

/** A Latin letter carries about a third of the content of a Japanese one. */
function languageOf(text: string, { start, end }: Span): CausalLanguage | undefined {
  let latin = 0;
  let japanese = 0;
  for (let i = start; i < end; i++) {
    const char = text.charAt(i);
    if ((char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')) latin += 1;
    else if (/[\u3041-\u30ff\u3400-\u9fff]/.test(char)) japanese += 1;
  }
  if (japanese * 3 >= latin) return japanese > 0 ? 'ja' : undefined;
  return 'en';
}

/** A sentence without its bullet and its final punctuation. */
export function withoutStop(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (to > from && /[^\p{L}\p{N}\p{Cs}%％]/u.test(text.charAt(to - 1))) to -= 1;
  while (from < to && /[^\p{L}\p{N}\p{Cs}$€£¥]/u.test(text.charAt(from))) from += 1;
  return { start: from, end: to };
}

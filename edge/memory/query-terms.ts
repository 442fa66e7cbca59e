import { folded } from './content-key.ts';

/** What the index of trigrams is given: text that ends so that its last characters begin trigrams, too. */
export const indexedText = (content: string): string => `${folded(content)}\n\n`;

/** How many characters an entry of the index has. */
const TRIGRAM = 3;
/** More terms than this do not make a query clearer. */
const MOST_TERMS = 48;

/**
 * Runs of one kind of script: Japanese has no spaces, and its content words are runs of Chinese
 * characters or katakana. Hiragana between them is grammar more often than not.
 */
const RUNS =
  /[\p{sc=Han}々〆ヶ]+|[\p{sc=Katakana}ー]+|\p{sc=Hiragana}+|(?:(?![\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}ー々〆])[\p{L}\p{N}\p{M}_])+/gu;

/** The words of a query to look for, each once: as they are indexed, without any syntax. */
export function termsOf(query: string): readonly string[] {
  const text = folded(query);
  const runs = text.match(RUNS) ?? [];
  const terms = new Set(runs.flatMap(partsOf));
  const telling = [...terms].filter((term) => isLong(term) || /^\p{sc=Han}{2}$/u.test(term));
  // A short word says little beside longer ones; a pair of Chinese characters is a word.
  const found = (telling.length > 0 ? telling : [...terms]).slice(0, MOST_TERMS);
  // Signs alone, such as "C++" or an emoji, are looked for as they stand.
  return found.length > 0 || text === '' ? found : [text];
}

function partsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  if (/^\p{sc=Han}/u.test(run) && characters.length > 2) return windows(characters, 2);
  const isHiragana = /^\p{sc=Hiragana}/u.test(run);
  if (isHiragana && characters.length > TRIGRAM) return windows(characters, TRIGRAM);
  return [run];
}

const windows = (characters: readonly string[], size: number): readonly string[] =>
  characters.slice(size - 1).map((_, i) => characters.slice(i, i + size).join(''));

/** Whether the index finds a term by itself; others stand for all entries that begin with them. */
export const isLong = (term: string): boolean => Array.from(term).length >= TRIGRAM;

/** A term as one string of the query language, in which nothing means anything. */
export const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** The first text after all that begin with a term. */
export const afterPrefix = (term: string): string => `${term}\u{10FFFF}`;

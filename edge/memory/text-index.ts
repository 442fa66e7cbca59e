import type { Condition } from './records.ts';
import { folded } from './sealing.ts';
import { TableStore } from '../storage/table-store.ts';

/** The text for the trigram index, padded so that its last characters begin trigrams, too. */
export const indexedText = (content: string): string => `${folded(content)}\n\n`;

/** The number of characters in an index entry. */
const TRIGRAM = 3;
/** The maximum number of terms of a query. */
const MAX_TERMS = 48;

/**
 * Runs of one kind of script: Japanese has no spaces, and its content words are runs of Han
 * characters or katakana. Hiragana between them is mostly grammar.
 */
const RUNS =
  /[\p{sc=Han}々〆ヶ]+|[\p{sc=Katakana}ー]+|\p{sc=Hiragana}+|(?:(?![\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}ー々〆])[\p{L}\p{N}\p{M}_])+/gu;

/** The distinct terms of a query, as they are indexed, without query syntax. */
export function termsOf(query: string): readonly string[] {
  const text = folded(query);
  const runs = text.match(RUNS) ?? [];
  const terms = new Set(runs.flatMap(partsOf));
  const telling = [...terms].filter((term) => isLong(term) || /^\p{sc=Han}{2}$/u.test(term));
  // A short word adds little to longer ones; a pair of Han characters is a word.
  const found = (telling.length > 0 ? telling : [...terms]).slice(0, MAX_TERMS);
  // Symbols alone, such as "C++" or an emoji, are searched as they are.
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

/**
 * Whether a term is at least one index entry; shorter ones stand for all entries with that prefix.
 */
export const isLong = (term: string): boolean => Array.from(term).length >= TRIGRAM;

/** English function words. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `about after again all also and any are because been before being between both but can cannot could did
   didn does doesn doing don during each ever every few for from had has have having her here hers him his how
   into isn its itself just may might more most much must nor not off once only other our ours out over own
   same shall she should since some such than that the their theirs them then there these they this those
   through too under until upon very was wasn were what whatever when where whether which while who whom whose
   why will with within without won would you your yours`.split(/\s+/),
);

/** The factors for function words, and for runs of hiragana, which are mostly grammar. */
const FUNCTION_WORD = 0.05;
const HIRAGANA = 0.25;

/** The inverse document frequency of a term. One that no text contains counts as if one did. */
function termWeight(term: string, texts: number, all: number): number {
  const holding = Math.max(1, texts);
  const rarity = Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));
  if (FUNCTION_WORDS.has(term)) return rarity * FUNCTION_WORD;
  return /^\p{sc=Hiragana}+$/u.test(term) ? rarity * HIRAGANA : rarity;
}

/** A test for a term in a text, for an English word in any inflection. */
function finderOf(term: string): (text: string) => boolean {
  if (!/^[a-z]+$/.test(term)) return (text) => text.includes(term);
  const stem = term.length < 5 ? term : term.replace(/(?:([^aeiou])\1)?(?:ing|ed|es|s)$/, '$1');
  const begin = new RegExp(`(?<![a-z])${stem}`);
  return (text) => begin.test(text);
}

/** The weighted fraction of a query's terms that a text contains. */
export function coverage(weights: ReadonlyMap<string, number>): (content: string) => number {
  const terms = Array.from(weights, ([term, weight]) => ({ isIn: finderOf(term), weight }));
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  return (content) => {
    const text = folded(content);
    const held = terms.reduce((sum, { isIn, weight }) => sum + (isIn(text) ? weight : 0), 0);
    return all === 0 ? 0 : held / all;
  };
}

/** A term as a quoted string of the FTS query language. */
export const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** The upper bound of all texts with a prefix. */
const afterPrefix = (term: string): string => `${term}\u{10FFFF}`;

/** The maximum number of index entries for a short term. */
const MAX_ENTRIES = 64;
/** A term in this many texts is common; the exact number is not counted. */
const COMMON = 4_000;
/** The maximum number of texts with rare terms to rank, the rarest terms first. */
const MAX_RANKED = 8_000;

/** Memories that contain some terms, the best first, and the weight of each term. */
export interface FoundByWords {
  readonly seqs: readonly number[];
  readonly weights: ReadonlyMap<string, number>;
}

interface Phrase {
  readonly term: string;
  readonly match: string;
  /** The number of texts that contain it, up to COMMON. */
  readonly texts: number;
}

/** Full-text search in memories: a trigram index, independent of languages. */
export class MemoryText extends TableStore {
  add(seq: number, content: string): void {
    this.run`INSERT INTO memory_text (rowid, text) VALUES (${seq}, ${indexedText(content)})`;
  }

  /** The index stores no text, so a deletion has to pass it. */
  remove(seq: number, content: string): void {
    this.run`INSERT INTO memory_text (memory_text, rowid, text)
      VALUES ('delete', ${seq}, ${indexedText(content)})`;
  }

  /**
   * The numbers of memories that contain some of the terms, the best first (BM25). Only rare terms
   * are used where there are any, as common ones would only cost time. Where all are common, the
   * latest memories with all of them are found, or with any.
   */
  search(terms: readonly string[], condition: Condition, limit: number): FoundByWords {
    const asked = terms.map((term) => this.#phraseOf(term));
    const found = asked.filter(({ texts }) => texts > 0).toSorted((a, b) => a.texts - b.texts);
    return { seqs: this.#best(found, condition, limit), weights: this.#weights(asked) };
  }

  #best(phrases: readonly Phrase[], condition: Condition, limit: number): readonly number[] {
    let left = MAX_RANKED;
    const rare = phrases.filter(({ texts }) => texts < COMMON && (left -= texts) >= 0);
    if (rare.length > 0) return this.#ranked(joined(rare, 'OR'), condition, limit);
    if (phrases.length === 0) return [];
    const latest = this.#latest(joined(phrases, 'AND'), condition, limit);
    return latest.length > 0 ? latest : this.#latest(joined(phrases, 'OR'), condition, limit);
  }

  #weights(asked: readonly Phrase[]): ReadonlyMap<string, number> {
    // Sequence numbers are consecutive, so the last one approximates the count.
    const { all } = this.one<{ all: number }>(
      'SELECT coalesce(max(seq), 0) AS "all" FROM memories',
    );
    return new Map(asked.map(({ term, texts }) => [term, termWeight(term, texts, all)] as const));
  }

  #ranked(match: string, condition: Condition, limit: number): readonly number[] {
    return this.#numbers('bm25(memory_text), memory_text.rowid DESC', { match, condition, limit });
  }

  #latest(match: string, condition: Condition, limit: number): readonly number[] {
    return this.#numbers('memory_text.rowid DESC', { match, condition, limit });
  }

  #numbers(
    order: string,
    { match, condition, limit }: { match: string; condition: Condition; limit: number },
  ): readonly number[] {
    const rows = this.rows<{ seq: number }>(
      `SELECT memories.seq AS seq FROM memory_text
        JOIN memories ON memories.seq = memory_text.rowid
        WHERE memory_text MATCH ? AND ${condition.sql} ORDER BY ${order} LIMIT ?`,
      match,
      ...condition.values,
      limit,
    );
    return rows.map(({ seq }) => seq);
  }

  #phraseOf(term: string): Phrase {
    const entries = isLong(term) ? [term] : this.#entriesFor(term);
    if (entries.length === 0) return { term, match: '', texts: 0 };
    const match = `(${entries.map(quoted).join(' OR ')})`;
    const { texts } = this.one<{ texts: number }>(
      `SELECT count(*) AS texts FROM
          (SELECT 1 FROM memory_text WHERE memory_text MATCH ? LIMIT ${COMMON})`,
      match,
    );
    return { term, match, texts };
  }

  /** The index entries with a short term as their prefix. */
  #entriesFor(term: string): readonly string[] {
    const rows = this.rows<{ term: string }>`SELECT term FROM memory_terms
      WHERE term >= ${term} AND term < ${afterPrefix(term)} LIMIT ${MAX_ENTRIES}`;
    return rows.map(({ term: entry }) => entry);
  }
}

const joined = (phrases: readonly Phrase[], by: 'AND' | 'OR'): string =>
  phrases.map(({ match }) => match).join(` ${by} `);

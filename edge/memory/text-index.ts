import type { Condition } from './records.ts';
import { folded } from './sealing.ts';

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

/** English words that hold sentences together and say nothing of what they are about. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `about after again all also and any are because been before being between both but can cannot could did
   didn does doesn doing don during each ever every few for from had has have having her here hers him his how
   into isn its itself just may might more most much must nor not off once only other our ours out over own
   same shall she should since some such than that the their theirs them then there these they this those
   through too under until upon very was wasn were what whatever when where whether which while who whom whose
   why will with within without won would you your yours`.split(/\s+/),
);

/** What function words, and runs of hiragana, which are grammar more often than not, weigh of their rarity. */
const FUNCTION_WORD = 0.05;
const HIRAGANA = 0.25;

/**
 * How much a term of so many among all texts says: rare ones more than common ones. One that no text
 * has says no more than one of a single text.
 */
export function termWeight(term: string, texts: number, all: number): number {
  const holding = Math.max(1, texts);
  const rarity = Math.log(1 + Math.max(0, all - holding + 0.5) / (holding + 0.5));
  if (FUNCTION_WORDS.has(term)) return rarity * FUNCTION_WORD;
  return /^\p{sc=Hiragana}+$/u.test(term) ? rarity * HIRAGANA : rarity;
}

/** Finds a term in a text; an English word in any of its forms, as `stopped` and `stops` are of one. */
function finderOf(term: string): (text: string) => boolean {
  if (!/^[a-z]+$/.test(term)) return (text) => text.includes(term);
  const stem = term.length < 5 ? term : term.replace(/(?:([^aeiou])\1)?(?:ing|ed|es|s)$/, '$1');
  const begin = new RegExp(`(?<![a-z])${stem}`);
  return (text) => begin.test(text);
}

/** Says of a text which fraction of a query's terms, by what they weigh, it holds in some form. */
export function coverage(weights: ReadonlyMap<string, number>): (content: string) => number {
  const terms = Array.from(weights, ([term, weight]) => ({ isIn: finderOf(term), weight }));
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  return (content) => {
    const text = folded(content);
    const held = terms.reduce((sum, { isIn, weight }) => sum + (isIn(text) ? weight : 0), 0);
    return all === 0 ? 0 : held / all;
  };
}

/** A term as one string of the query language, in which nothing means anything. */
export const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** The first text after all that begin with a term. */
export const afterPrefix = (term: string): string => `${term}\u{10FFFF}`;

/** Entries of the index that one short term may stand for. */
const MOST_ENTRIES = 64;
/** A term that is in so many texts is common: how many more is not counted. */
const COMMON = 4_000;
/** So many texts with rare terms are ranked at most, in the order of the terms' rarity. */
const MOST_RANKED = 8_000;

/** Memories that hold some terms, the best first, and what each of the terms weighs. */
export interface FoundByWords {
  readonly seqs: readonly number[];
  readonly weights: ReadonlyMap<string, number>;
}

interface Phrase {
  readonly term: string;
  readonly match: string;
  /** In how many texts it is, up to COMMON. */
  readonly texts: number;
}

/** Which memories hold the words of a query: an index of trigrams, which knows no languages. */
export class MemoryText {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(seq: number, content: string): void {
    this.#sql.exec(
      'INSERT INTO memory_text (rowid, text) VALUES (?, ?)',
      seq,
      indexedText(content),
    );
  }

  /** The index holds no text of its own, so it is told what to take out. */
  remove(seq: number, content: string): void {
    this.#sql.exec(
      "INSERT INTO memory_text (memory_text, rowid, text) VALUES ('delete', ?, ?)",
      seq,
      indexedText(content),
    );
  }

  /**
   * Numbers of memories that hold some of these terms, the best first (BM25). Rare terms say what is
   * meant, and common ones would only cost time beside them. Where all are common none says more than
   * another, so the latest with all of them are found, or the latest with any.
   */
  search(terms: readonly string[], meant: Condition, limit: number): FoundByWords {
    const asked = terms.map((term) => this.#phraseOf(term));
    const found = asked.filter(({ texts }) => texts > 0).toSorted((a, b) => a.texts - b.texts);
    return { seqs: this.#best(found, meant, limit), weights: this.#weights(asked) };
  }

  #best(phrases: readonly Phrase[], meant: Condition, limit: number): readonly number[] {
    let left = MOST_RANKED;
    const rare = phrases.filter(({ texts }) => texts < COMMON && (left -= texts) >= 0);
    if (rare.length > 0) return this.#ranked(joined(rare, 'OR'), meant, limit);
    if (phrases.length === 0) return [];
    const latest = this.#latest(joined(phrases, 'AND'), meant, limit);
    return latest.length > 0 ? latest : this.#latest(joined(phrases, 'OR'), meant, limit);
  }

  #weights(asked: readonly Phrase[]): ReadonlyMap<string, number> {
    // Numbers are given in their order: the last one is about how many there are.
    const { all } = this.#sql
      .exec<{ all: number }>('SELECT coalesce(max(seq), 0) AS "all" FROM memories')
      .one();
    return new Map(asked.map(({ term, texts }) => [term, termWeight(term, texts, all)] as const));
  }

  #ranked(match: string, meant: Condition, limit: number): readonly number[] {
    return this.#numbers('bm25(memory_text), memory_text.rowid DESC', { match, meant, limit });
  }

  #latest(match: string, meant: Condition, limit: number): readonly number[] {
    return this.#numbers('memory_text.rowid DESC', { match, meant, limit });
  }

  #numbers(
    order: string,
    { match, meant, limit }: { match: string; meant: Condition; limit: number },
  ): readonly number[] {
    const rows = this.#sql.exec<{ seq: number }>(
      `SELECT memories.seq AS seq FROM memory_text
        JOIN memories ON memories.seq = memory_text.rowid
        WHERE memory_text MATCH ? AND ${meant.sql} ORDER BY ${order} LIMIT ?`,
      match,
      ...meant.values,
      limit,
    );
    return rows.toArray().map(({ seq }) => seq);
  }

  #phraseOf(term: string): Phrase {
    const entries = isLong(term) ? [term] : this.#entriesFor(term);
    if (entries.length === 0) return { term, match: '', texts: 0 };
    const match = `(${entries.map(quoted).join(' OR ')})`;
    const { texts } = this.#sql
      .exec<{ texts: number }>(
        `SELECT count(*) AS texts FROM
          (SELECT 1 FROM memory_text WHERE memory_text MATCH ? LIMIT ${COMMON})`,
        match,
      )
      .one();
    return { term, match, texts };
  }

  /** The entries that begin with a term which is too short to be one. */
  #entriesFor(term: string): readonly string[] {
    const rows = this.#sql.exec<{ term: string }>(
      'SELECT term FROM memory_terms WHERE term >= ? AND term < ? LIMIT ?',
      term,
      afterPrefix(term),
      MOST_ENTRIES,
    );
    return rows.toArray().map(({ term: entry }) => entry);
  }
}

const joined = (phrases: readonly Phrase[], by: 'AND' | 'OR'): string =>
  phrases.map(({ match }) => match).join(` ${by} `);

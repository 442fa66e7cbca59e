import { afterPrefix, indexedText, isLong, quoted, termWeight } from './query-terms.ts';
import type { Condition } from './condition.ts';

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

import { expect, it } from 'vitest';
import { vectorsOf } from '../../edge/memory/read-texts.ts';
import { termsOf } from '../../edge/memory/query-terms.ts';
import { MemoryBook } from '../../edge/objects/memory-book.ts';
import { MemoryCauses } from '../../edge/objects/memory-causes.ts';
import { MEMORY_MIGRATIONS } from '../../edge/objects/memory-schema.ts';
import { MemorySearch } from '../../edge/objects/memory-search.ts';
import { MemoryStore } from '../../edge/objects/memory-store.ts';
import { MemoryText } from '../../edge/objects/memory-text.ts';
import { MemoryVectors } from '../../edge/objects/memory-vectors.ts';
import { EMBEDDING_SIZE } from '../../engine/memory.ts';
import { openSql } from './sqlite.ts';

/** The parts of an object over a real SQLite, where so many vectors are compared. */
async function filled(capacity: number, contents: readonly string[]) {
  const sql = openSql(MEMORY_MIGRATIONS);
  const store = new MemoryStore(sql);
  const parts = {
    store,
    text: new MemoryText(sql),
    vectors: new MemoryVectors(sql, EMBEDDING_SIZE, capacity),
    causes: new MemoryCauses(sql, store.contentsOf),
  };
  const book = new MemoryBook(parts, (write) => write());
  const vectors = await vectorsOf(contents);
  const entries = contents.map((content, i) => ({
    content,
    userId: null,
    sessionId: null,
    tags: [],
    metadata: {},
    importance: i === 0 ? 1 : 0.5,
    occurredAt: null,
    ttlS: null,
    replaces: [],
    vector: vectors[i]!,
    findings: [],
  }));
  book.store(entries, 1_000);
  return { book, store, vectors: parts.vectors, search: new MemorySearch(parts) };
}

const ask = async (
  { search, store }: Awaited<ReturnType<typeof filled>>,
  text: string,
  outside?: readonly number[],
) => {
  const [vector] = await vectorsOf([text]);
  const query = { terms: termsOf(text), vector: vector!, isCue: false, hops: 0 };
  const found = search.search(query, { asOf: 2_000 }, { now: 2_000, outside });
  const kept = store.byNumber(found.ranked.map(({ seq }) => seq));
  const parts = found.ranked.map(
    ({ seq, breakdown }) => [kept.get(seq)?.content, breakdown.semantic > 0] as const,
  );
  return { compared: new Map(parts), truncated: found.truncated };
};

const CONTENTS = ['alpha', 'beta', 'gamma', 'delta', 'omega'].map(
  (name) => `The ${name} station reported a storm.`,
);

it('beyond the vectors that are compared, the rest is found by words, and that is said', async () => {
  const few = await filled(3, CONTENTS);

  const { compared, truncated } = await ask(few, 'station reported a storm');

  expect(truncated).toBe(true);
  // The important one and the latest are compared; no memory is missed.
  expect([...compared].toSorted()).toEqual(
    CONTENTS.map((content, i) => [content, i === 0 || i > 2] as const).toSorted(),
  );
  const all = await ask(await filled(5, CONTENTS), 'station reported a storm');
  expect(all.truncated).toBe(false);
  expect([...all.compared.values()]).toEqual([true, true, true, true, true]);
});

it('an index elsewhere stands in for those vectors', async () => {
  const few = await filled(3, CONTENTS);

  const { compared, truncated } = await ask(few, 'station reported a storm', [2, 3]);

  expect(truncated).toBe(false);
  expect(compared.get(CONTENTS[1])).toBe(true);
  expect(compared.get(CONTENTS[4])).toBe(false);
});

it('a vector comes in when a compared one is deleted', async () => {
  const few = await filled(3, CONTENTS);
  expect((await ask(few, 'storm')).truncated).toBe(true);

  few.book.remove([1, 5]);

  const { compared, truncated } = await ask(few, 'station reported a storm');
  expect(truncated).toBe(false);
  expect([...compared.values()]).toEqual([true, true, true]);
  expect(few.vectors.count).toBe(3);
});

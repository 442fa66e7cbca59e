import { describe, expect, it } from 'vitest';
import { vectorsOf } from '../../edge/memory/embedding.ts';
import { MemoryText, termsOf } from '../../edge/memory/text-index.ts';
import { MemoryWriter } from '../../edge/memory/writer.ts';
import { CausalStatements } from '../../edge/memory/causes.ts';
import { MEMORY_MIGRATIONS } from '../../edge/memory/schema.ts';
import { MemorySearch } from '../../edge/memory/search.ts';
import { MemoryStore } from '../../edge/memory/store.ts';
import { MemoryVectors } from '../../edge/memory/vectors.ts';
import { EMBEDDING_SIZE } from '../../engine/memory.ts';
import type { Similar } from '../../edge/memory/exact-vectors.ts';
import { openSql } from './sqlite.ts';

/** The parts of an object over a real SQLite, where so many vectors are compared. */
async function filled(capacity: number, contents: readonly string[]) {
  const sql = openSql(MEMORY_MIGRATIONS);
  const store = new MemoryStore(sql);
  const parts = {
    store,
    text: new MemoryText(sql),
    vectors: new MemoryVectors(sql, EMBEDDING_SIZE, capacity),
    causes: new CausalStatements(sql, store.contentsOf),
  };
  const book = new MemoryWriter(parts, (write) => write());
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
  external?: readonly Similar[],
) => {
  const [vector] = await vectorsOf([text]);
  const query = { terms: termsOf(text), vector: vector!, isCue: false, hops: 0 };
  const found = search.search(query, { asOf: 2_000 }, { now: 2_000, external });
  const kept = store.byNumber(found.ranked.map(({ seq }) => seq));
  const parts = found.ranked.map(
    ({ seq, breakdown }) => [kept.get(seq)?.content, breakdown.semantic > 0] as const,
  );
  const scores = new Map(found.ranked.map(({ seq, score }) => [kept.get(seq)?.content, score]));
  return { compared: new Map(parts), scores, truncated: found.truncated };
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

const OUTSIDE = [2, 3].map((seq) => ({ seq, similarity: 0.6 }));

it('an index elsewhere stands in for those vectors', async () => {
  const few = await filled(3, CONTENTS);

  const { compared, truncated } = await ask(few, 'station reported a storm', OUTSIDE);

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

describe('the score of what is found', () => {
  const pump = 'The pump stopped because the filter was clogged.';
  const open = 'The cafeteria opens at nine.';
  const curry = 'The cafeteria serves curry on Fridays because the cook likes it.';
  const ja = 'ポンプはフィルターの詰まりが原因で停止した。';
  const jaCurry = '食堂は九時に開く。';

  it.each([
    ['why did the pump stop?', pump],
    ['what is served on Fridays?', curry],
    ['when does the cafeteria open?', open],
    ['なぜポンプは止まったのか', ja],
    ['食堂はいつ開きますか', jaCurry],
  ])(
    'to "%s" is high for the answer and near 0 for what shares no word that counts',
    async (q, answer) => {
      const { scores } = await ask(await filled(9, [pump, open, curry, ja, jaCurry]), q);

      expect(scores.get(answer)).toBeGreaterThan(0.5);
      const unrelated = [...scores].filter(([content]) => isUnrelated(content, answer));
      expect(unrelated.filter(([, score]) => score >= 0.1)).toEqual([]);
    },
  );

  it('is near 0 for all where nothing was said of it', async () => {
    const few = await filled(9, [pump, open, curry]);

    for (const q of ['who won the football match?', 'the weather in Tokyo', '明日の天気は？']) {
      const { scores } = await ask(few, q);
      expect(Math.max(0, ...scores.values()), q).toBeLessThan(0.1);
    }
  });

  /** The two about the cafeteria have that word in common. */
  const isUnrelated = (content: string | undefined, answer: string) =>
    content !== answer && !(content?.includes('cafeteria') && answer.includes('cafeteria'));
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPosition, writeCursor } from '../../edge/http/cursor.ts';
import { contentKey, folded, newKey, nodeNumber, seal, unseal } from '../../edge/memory/sealing.ts';
import { ExactVectors, type VectorEntry } from '../../edge/memory/exact-vectors.ts';
import { languagesOf } from '../../edge/memory/retrieval.ts';
import { indexedText, isLong, quoted, termsOf } from '../../edge/memory/text-index.ts';
import {
  either,
  fuse,
  HALF_LIFE_MS,
  rankShare,
  recencyOf,
  scaled,
  type Weighed,
  WEIGHTS,
} from '../../edge/memory/ranking.ts';
import { openVectorize, type VectorizeBinding } from '../../edge/memory/external-index.ts';
import * as z from 'zod';
import { openSql } from './sqlite.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('terms', () => {
  it.each([
    ['why did the Pump overheat?', ['why', 'did', 'the', 'pump', 'overheat']],
    ['is it on', ['is', 'it', 'on']],
    ['ポンプの故障', ['ポンプ', '故障']],
    ['冷却水漏れ', ['冷却', '却水', '水漏']],
    ['故障', ['故障']],
    ['水', ['水']],
    ['ありがとう', ['ありが', 'りがと', 'がとう']],
    ['GPUが2枚', ['gpu']],
    ['C++', ['c']],
    ['🧠', ['🧠']],
    ['', []],
  ])('of %j are its words', (query, terms) => {
    expect(termsOf(query)).toEqual(terms);
  });

  it('mean nothing to the query language of SQLite, whatever they hold', () => {
    const sql = openSql([
      "CREATE VIRTUAL TABLE t USING fts5(text, content = '', tokenize = 'trigram')",
    ]);
    let rowid = 0;
    fc.assert(
      fc.property(anyText, anyText, (query, around) => {
        const terms = termsOf(query).filter(isLong);
        // NUL ends a text for SQLite's index, so it is looked for up to there.
        fc.pre(terms.every((term) => !term.includes('\u0000')));
        rowid += 1;
        const text = `${around.replaceAll('\u0000', '')} ${query.replaceAll('\u0000', '')}`;
        sql.exec('INSERT INTO t (rowid, text) VALUES (?, ?)', rowid, indexedText(text));
        for (const term of terms) {
          const rows = sql.exec(
            'SELECT rowid FROM t WHERE t MATCH ? AND rowid = ?',
            quoted(term),
            rowid,
          );
          expect([term, rows.toArray().length > 0]).toEqual([term, true]);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a text', () => {
  it('is the same in another width, case or spacing, and of one user alone', () => {
    expect(folded('  Ｐｕｍｐ\n\n７ ')).toBe('pump 7');
    expect(contentKey('The  Pump', 'a')).toEqual(contentKey('the ｐump', 'a'));
    expect(contentKey('the pump', 'a')).not.toEqual(contentKey('the pump', 'b'));
    expect(nodeNumber('The filter.')).toBe(nodeNumber('filter'));
    expect(Number.isSafeInteger(nodeNumber('x'))).toBe(true);
  });

  it('is read again with its key, and is nothing without', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const key = newKey();
        const sealed = seal(text, key);
        expect(unseal(sealed, key)).toBe(text);
        expect(sealed.length).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });

  it('is other bytes with another key', () => {
    const text = 'The same text, twice.';
    expect(seal(text, newKey())).not.toEqual(seal(text, newKey()));
  });

  it('names its languages', () => {
    expect(languagesOf(['plain', '日本'])).toEqual(['en', 'ja']);
    expect(languagesOf(['123', '…'])).toEqual([]);
  });
});

describe('ranks', () => {
  const weights = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);
  const list = fc.uniqueArray(fc.nat(40), { maxLength: 30 });

  it('are joined to a score from 0 to 1 that is the sum of its parts, in an order that is total', () => {
    expect(weights).toBe(1);
    fc.assert(
      fc.property(list, list, list, (semantic, lexical, graph) => {
        const seqs = [...new Set([...semantic, ...lexical, ...graph])];
        const weighed = new Map<number, Weighed>(
          seqs.map((seq) => [seq, { seq, validAt: seq * 1e9, importance: (seq % 5) / 4 }]),
        );
        const relevanceOf = (seq: number) => (1 + (seq % 3)) / 3;
        const rankings = { semantic, lexical, graph };
        const ranked = fuse(rankings, weighed, { asOf: 4e10, relevanceOf });

        expect(ranked.map(({ seq }) => seq).toSorted()).toEqual(seqs.toSorted());
        for (const [i, { score, breakdown }] of ranked.entries()) {
          const sum = Object.values(breakdown).reduce((total, part) => total + part, 0);
          expect(score).toBeCloseTo(sum, 12);
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(score).toBeLessThanOrEqual(ranked[i - 1]?.score ?? 1);
        }
      }),
    );
  });

  it('fall as reciprocals, and being recent halves with each half-life', () => {
    expect([rankShare(1), rankShare(62)]).toEqual([1, 0.5]);
    expect(recencyOf(0, 2 * HALF_LIFE_MS)).toBe(0.25);
    expect(recencyOf(10, 0)).toBe(1);
  });

  it('of what is first in every way come to 1', () => {
    const weighed = new Map([[7, { seq: 7, validAt: 5, importance: 1 }]]);
    const rankings = { semantic: [7], lexical: [7], graph: [7] };
    const [best] = fuse(rankings, weighed, { asOf: 5, relevanceOf: () => 1 });
    expect(best?.score).toBe(1);
    const [doubtful] = fuse(rankings, weighed, { asOf: 5, relevanceOf: () => 0.1 });
    expect(doubtful?.score).toBeCloseTo(0.1, 12);
  });

  it('say no more than how relevant a memory is: by its words, or by how alike it is', () => {
    expect([0.1, 0.25, 0.425, 0.9].map((x) => scaled(x, { chance: 0.25, certain: 0.6 }))).toEqual([
      ...[0, 0, expect.closeTo(0.5), 1],
    ]);
    expect([either(0, 0), either(0.5, 0.5), either(1, 0)]).toEqual([0, 0.75, 1]);
  });
});

describe('a cursor', () => {
  const Position = z.tuple([z.number(), z.number()]);

  it('marks a place for its own filters alone', () => {
    const cursor = writeCursor([10, 99], { q: 'a' });
    expect(readPosition(cursor, Position, { q: 'a' })).toEqual([10, 99]);
    expect(() => readPosition(cursor, Position, { q: 'b' })).toThrow('other filters');
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readPosition(text, Position, { q: 'a' })).toThrow('cursor');
      }),
    );
  });
});

const entry = (seq: number, vector: readonly number[], more: Partial<VectorEntry> = {}) => ({
  seq,
  vector: Int8Array.from(vector),
  importance: 0.5,
  validAt: 0,
  invalidAt: Infinity,
  expiresAt: Infinity,
  ...more,
});
const now = { limit: 10, floor: -1, asOf: 100, now: 100 };

describe('vectors', () => {
  const component = fc.integer({ min: -16, max: 16 });
  const vector = fc.array(component, { minLength: 4, maxLength: 4 });

  it('are compared exactly: the order is that of all cosines', () => {
    fc.assert(
      fc.property(fc.array(vector, { maxLength: 600 }), vector, (vectors, query) => {
        const index = new ExactVectors(4, 1_000);
        for (const [seq, one] of vectors.entries()) index.set(entry(seq, one));
        const cosine = (a: readonly number[], b: readonly number[]) => {
          const dot = (x: readonly number[], y: readonly number[]) =>
            x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0);
          return dot(a, b) / (Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b)));
        };
        const expected = vectors
          .map((one) => cosine(one, query))
          .filter((each) => !Number.isNaN(each))
          .toSorted((a, b) => b - a)
          .slice(0, 10);

        const found = index.search(Int8Array.from(query), now);

        expect(found).toHaveLength(expected.length);
        for (const [i, { similarity }] of found.entries()) {
          expect(similarity).toBeCloseTo(expected[i] ?? NaN, 5);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('of which there are too many leave out the least important, then the oldest', () => {
    const index = new ExactVectors(2, 3);
    index.set(entry(1, [1, 0], { importance: 0.9 }));
    index.set(entry(2, [1, 0]));
    index.set(entry(3, [1, 0]));
    index.set(entry(4, [1, 0]));
    index.set(entry(5, [1, 0], { importance: 0.1 }));
    const seqs = () => index.search(Int8Array.of(1, 0), now).map(({ seq }) => seq);

    expect(seqs()).toEqual([4, 3, 1]);
    index.remove(3);
    index.set(entry(6, [1, 0], { importance: 0 }));
    expect(seqs()).toEqual([6, 4, 1]);
    expect(index.count).toBe(3);
  });

  it('are found while they hold, and among those that are meant', () => {
    const index = new ExactVectors(2, 10);
    index.set(entry(1, [1, 0], { validAt: 150 }));
    index.set(entry(2, [1, 0], { invalidAt: 100 }));
    index.set(entry(3, [1, 0], { expiresAt: 100 }));
    index.set(entry(4, [1, 0], { validAt: 100, invalidAt: 101, expiresAt: 101 }));
    index.set(entry(5, [0, 0]));
    const seqs = (more: object) =>
      index.search(Int8Array.of(1, 0), { ...now, ...more }).map(({ seq }) => seq);

    expect(seqs({})).toEqual([4]);
    expect(seqs({ asOf: 200 })).toEqual([1]);
    expect(seqs({ among: new Set([5]) })).toEqual([]);
    expect(index.search(Int8Array.of(0, 0), now)).toEqual([]);
  });
});

it('vectors go to Vectorize under their namespace, and come back above a likeness', async () => {
  // Vectorize is a service outside; this stands for its documented behaviour.
  const kept = new Map<string, Parameters<VectorizeBinding['upsert']>[0][number]>();
  const binding = {
    upsert: async (vectors: Parameters<VectorizeBinding['upsert']>[0]) => {
      for (const one of vectors) kept.set(one.id, one);
      return { mutationId: 'm' };
    },
    deleteByIds: async (ids: string[]) => {
      for (const id of ids) kept.delete(id);
      return { mutationId: 'm' };
    },
    query: async (...[query, options]: Parameters<VectorizeBinding['query']>) => {
      const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
        Array.from(a).reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
      const matches = [...kept.values()]
        .filter(({ namespace }) => namespace === options?.namespace)
        .map((one) => ({
          id: one.id,
          score:
            dot(one.values, query) / Math.sqrt(dot(one.values, one.values) * dot(query, query)),
        }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, options?.topK);
      return { matches, count: matches.length };
    },
  };
  const mine = openVectorize(binding, 'a'.repeat(64));
  const other = openVectorize(binding, 'b'.repeat(64));
  const vectors = Array.from({ length: 1_500 }, (_, i) => Int8Array.of(16, i % 17));
  await mine.add(vectors.map((vector, i) => ({ memoryId: `mem_${i}`, vector })));
  await other.add([{ memoryId: 'mem_other', vector: Int8Array.of(16, 0) }]);

  const found = await mine.search(Int8Array.of(16, 0), 0.999);
  expect(found.every(({ similarity }) => similarity >= 0.999)).toBe(true);
  const near = found.map(({ memoryId }) => memoryId);
  await mine.remove(near);
  const rest = await mine.search(Int8Array.of(16, 0), 0.999);

  expect(near.length).toBeGreaterThan(80);
  expect(near).not.toContain('mem_other');
  expect(rest.map(({ memoryId }) => memoryId)).not.toContain(near[0]);
  expect(await other.search(Int8Array.of(1, 0), 0.5)).toMatchObject([{ memoryId: 'mem_other' }]);
});

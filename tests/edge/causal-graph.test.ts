import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCausalGraph, nodeKey, type StoredEdge } from '../../edge/causal/graph.ts';
import * as z from 'zod/mini';
import {
  CausalEdge,
  CausalNeighbourhood,
  CausalPath,
  CausalRelation,
  MAX_CAUSAL_NODES,
  MAX_SUPPORTS,
} from '../../edge/memory/contract/causal.ts';

const statement = (cause: string, effect: string, more: Partial<StoredEdge> = {}): StoredEdge => ({
  cause,
  effect,
  relation: 'causes',
  confidence: 0.5,
  evidence: `${cause} causes ${effect}.`,
  memory_id: 'memory-1',
  language: 'en',
  pattern: 'A',
  cue: 'causes',
  valid_at: '2026-01-02T00:00:00.000Z',
  invalid_at: null,
  ...more,
});

describe('corroboration', () => {
  it('joins what distinct sentences say by noisy-OR', () => {
    const graph = createCausalGraph([
      statement('rain', 'floods'),
      statement('Rain', 'Floods', {
        evidence: 'Floods are caused by rain.',
        memory_id: 'memory-2',
      }),
    ]);

    expect(graph.edges).toHaveLength(1);
    expect(graph.edges[0]).toMatchObject({
      confidence: 0.75,
      evidence_memory_ids: ['memory-1', 'memory-2'],
    });
  });

  it('counts a sentence once that several memories repeat', () => {
    const copies = ['a', 'b', 'c'].map((memory_id) => statement('rain', 'floods', { memory_id }));

    const [edge] = createCausalGraph(copies).edges;

    expect(edge?.confidence).toBe(0.5);
    expect(edge?.evidence_memory_ids).toEqual(['a', 'b', 'c']);
    expect(edge?.supports).toHaveLength(1);
  });

  it('takes nodes for one that differ in case, width, spaces, marks or an article', () => {
    expect(nodeKey(' “The  Flood”. ')).toBe('flood');
    expect(nodeKey('ＧＰＵの過熱')).toBe('gpuの過熱');
    expect(nodeKey('???')).toBe('???');
  });

  it('keeps and marks both sides of a contradiction, whatever brings the effect', () => {
    const graph = createCausalGraph([
      statement('coffee', 'headaches'),
      statement('coffee', 'headaches', { relation: 'contributes_to' }),
      statement('Coffee', 'headaches', {
        relation: 'prevents',
        evidence: 'Coffee prevents headaches.',
      }),
      statement('coffee', 'headaches', { relation: 'correlates' }),
      statement('coffee', 'joy'),
    ]);

    const marked = graph.edges.map(({ relation, effect, contradicted }) => [
      relation,
      effect,
      contradicted,
    ]);
    expect(marked).toEqual(
      expect.arrayContaining([
        ['causes', 'headaches', true],
        ['contributes_to', 'headaches', true],
        ['prevents', 'headaches', true],
        ['correlates', 'headaches', false],
        ['causes', 'joy', false],
      ]),
    );
  });

  it('has one edge for a correlation stated from either side', () => {
    const graph = createCausalGraph([
      statement('height', 'income', { relation: 'correlates' }),
      statement('income', 'height', {
        relation: 'correlates',
        evidence: 'Income goes with height.',
      }),
    ]);

    expect(graph.edges.map(({ cause, effect, confidence }) => [cause, effect, confidence])).toEqual(
      [['height', 'income', 0.75]],
    );
  });

  it('holds from its first memory to the end of its last one', () => {
    const first = statement('a', 'b', { invalid_at: '2026-02-01T00:00:00.000Z' });
    const second = { ...first, memory_id: 'memory-2', valid_at: '2025-01-01T00:00:00.000Z' };
    const later = { ...second, invalid_at: '2026-03-01T00:00:00.000Z' };
    const endless = { ...second, memory_id: 'memory-3', invalid_at: null };

    expect(createCausalGraph([first, later]).edges[0]).toMatchObject({
      valid_at: '2025-01-01T00:00:00.000Z',
      invalid_at: '2026-03-01T00:00:00.000Z',
    });
    expect(createCausalGraph([first, later, endless]).edges[0]?.invalid_at).toBeNull();
  });

  it('shows a bounded number of supports and still counts all of them', () => {
    const many = Array.from({ length: MAX_SUPPORTS + 5 }, (_, i) =>
      statement('a', 'b', { confidence: 0.01, evidence: `${i} says so.` }),
    );

    const [edge] = createCausalGraph(many).edges;

    expect(edge?.supports).toHaveLength(MAX_SUPPORTS);
    expect(edge?.confidence).toBeCloseTo(1 - 0.99 ** (MAX_SUPPORTS + 5), 12);
  });
});

describe('neighbourhoods', () => {
  const chain = ['a', 'b', 'c', 'd', 'e'].flatMap((from, i, all) => {
    const to = all[i + 1];
    return to === undefined ? [] : [statement(from, to)];
  });

  it('reaches as far as requested, against the edges too', () => {
    const graph = createCausalGraph(chain);
    const keysOf = (hops: number, direction?: 'effects' | 'causes') =>
      graph
        .neighbourhood(['C'], { hops, ...(direction && { direction }) })
        .nodes.map(({ key, hops: away }) => `${key}${away}`);

    expect(keysOf(0)).toEqual(['c0']);
    expect(keysOf(1)).toEqual(['c0', 'b1', 'd1']);
    expect(keysOf(2)).toEqual(['c0', 'b1', 'd1', 'a2', 'e2']);
    expect(keysOf(9, 'effects')).toEqual(['c0', 'd1', 'e2']);
    expect(keysOf(9, 'causes')).toEqual(['c0', 'b1', 'a2']);
  });

  it('goes around a cycle once', () => {
    const graph = createCausalGraph([...chain, statement('e', 'a'), statement('b', 'a')]);

    const { nodes, links, truncated } = graph.neighbourhood(['a'], { hops: 1_000 });

    expect(nodes).toHaveLength(5);
    expect(links).toHaveLength(6);
    expect(truncated).toBe(false);
  });

  it('stops at 500 nodes, keeps the most confident and says that it stopped', () => {
    const star = Array.from({ length: 2_000 }, (_, i) =>
      statement('hub', `effect ${i}`, { confidence: (i + 1) / 2_001 }),
    );

    const { nodes, links, truncated } = createCausalGraph(star).neighbourhood(['hub'], { hops: 3 });

    expect(nodes).toHaveLength(MAX_CAUSAL_NODES);
    expect(truncated).toBe(true);
    expect(links).toHaveLength(MAX_CAUSAL_NODES - 1);
    expect(links.every(({ confidence }) => confidence > 0.7)).toBe(true);
    expect(nodes[0]).toMatchObject({ key: 'hub', outgoing: 2_000 });
  });

  it('says that it stopped when as many nodes are requested', () => {
    const graph = createCausalGraph(chain);

    expect(graph.neighbourhood(['a'], { hops: 4, nodes: 3 })).toMatchObject({ truncated: true });
    expect(graph.neighbourhood(['a'], { hops: 4, nodes: 5 })).toMatchObject({ truncated: false });
  });

  it('is empty around what nobody spoke of', () => {
    expect(createCausalGraph(chain).neighbourhood(['z'], { hops: 2 })).toEqual({
      nodes: [],
      links: [],
      truncated: false,
    });
  });
});

describe('paths', () => {
  it('takes the fewest steps, and of these the most confident', () => {
    const graph = createCausalGraph([
      statement('a', 'x', { confidence: 0.9 }),
      statement('x', 'd', { confidence: 0.5 }),
      statement('a', 'y', { confidence: 0.8 }),
      statement('y', 'd', { confidence: 0.8 }),
      statement('a', 'b', { confidence: 1 }),
      statement('b', 'c', { confidence: 1 }),
      statement('c', 'd', { confidence: 1 }),
    ]);

    const path = graph.path('A', 'D');

    expect(path.links.map(({ from, to }) => from + to)).toEqual(['ay', 'yd']);
    expect(path.confidence).toBeCloseTo(0.64, 12);
  });

  it('goes from causes to effects, within the hops, and not along correlations', () => {
    const graph = createCausalGraph([
      statement('a', 'b'),
      statement('b', 'c'),
      statement('a', 'z', { relation: 'correlates' }),
    ]);

    expect(graph.path('a', 'c').links).toHaveLength(2);
    expect(graph.path('a', 'c', 1).links).toEqual([]);
    expect(graph.path('c', 'a').links).toEqual([]);
    expect(graph.path('a', 'z').links).toEqual([]);
  });

  it('leads from a node back to itself along its shortest cycle', () => {
    const graph = createCausalGraph([
      statement('a', 'b'),
      statement('b', 'c'),
      statement('c', 'a'),
    ]);

    expect(graph.path('a', 'a').links.map(({ from, to }) => from + to)).toEqual(['ab', 'bc', 'ca']);
  });
});

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'The a', '大雨', '洪水');
const anyStatement = fc
  .record({
    cause: word,
    effect: word,
    relation: fc.constantFrom(...CausalRelation.options),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    evidence: fc.constantFrom('one', 'two', 'three', 'four'),
    memory_id: fc.constantFrom('m1', 'm2', 'm3'),
    invalid_at: fc.constantFrom(null, '2026-05-01T00:00:00.000Z'),
  })
  .map((fields) => statement(fields.cause, fields.effect, fields));
const statements = fc.array(anyStatement, { maxLength: 40 });

describe('any statements', () => {
  it('give the same graph in whatever order they come', () => {
    const shuffled = statements.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, mixed]) => {
        const [one, other] = [createCausalGraph(all), createCausalGraph(mixed)];
        expect(other.edges).toEqual(one.edges);
        const query = { hops: 2, nodes: 4 };
        expect(other.neighbourhood(['a', '大雨'], query)).toEqual(
          one.neighbourhood(['a', '大雨'], query),
        );
        expect(other.path('a', 'e')).toEqual(one.path('a', 'e'));
      }),
    );
  });

  it('give edges, neighbourhoods and paths as the contract describes them', () => {
    fc.assert(
      fc.property(statements, word, word, fc.nat(6), (all, from, to, hops) => {
        const graph = createCausalGraph(all);
        z.parse(z.array(CausalEdge), graph.edges);
        const near = z.parse(CausalNeighbourhood, graph.neighbourhood([from], { hops }));
        const keys = new Set(near.nodes.map(({ key }) => key));
        expect(near.links.every((link) => keys.has(link.from) && keys.has(link.to))).toBe(true);
        const { links } = z.parse(CausalPath, graph.path(from, to, hops));
        expect(links.length).toBeLessThanOrEqual(hops);
        for (const [i, link] of links.entries()) {
          expect(link.from).toBe(links[i - 1]?.to ?? nodeKey(from));
        }
      }),
    );
  });

  it('are worth no less with one more of them', () => {
    fc.assert(
      fc.property(statements, anyStatement, (all, more) => {
        const before = createCausalGraph(all).edges;
        const after = new Map(
          createCausalGraph([...all, more]).edges.map((edge) => [
            `${nodeKey(edge.cause)}>${nodeKey(edge.effect)}>${edge.relation}`,
            edge.confidence,
          ]),
        );
        for (const edge of before) {
          const key = `${nodeKey(edge.cause)}>${nodeKey(edge.effect)}>${edge.relation}`;
          expect(after.get(key)).toBeGreaterThanOrEqual(edge.confidence - 1e-12);
        }
      }),
    );
  });
});

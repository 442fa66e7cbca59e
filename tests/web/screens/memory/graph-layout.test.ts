import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CausalLink, CausalNode } from '../../../../edge/memory/contract/causal.ts';
import { layOutGraph, NODE } from '../../../../web/screens/memory/causes/graph-layout.ts';
import { meantNode, withPath } from '../../../../web/screens/memory/causes/shown-graph.ts';

const node = (key: string): CausalNode => ({
  key,
  label: `The ${key}`,
  incoming: 0,
  outgoing: 0,
  hops: 0,
});

const link = (from: string, to: string, relation: CausalLink['relation'] = 'causes') => ({
  from,
  to,
  relation,
  cause: `The ${from}`,
  effect: `The ${to}`,
  confidence: 0.9,
  evidence: `The ${from} caused the ${to}.`,
  evidence_memory_ids: [],
  supports: [],
  contradicted: false,
  valid_at: '2026-01-01T00:00:00.000Z',
  invalid_at: null,
});

/** Where each node lies from left to right. */
const xs = (nodes: readonly CausalNode[], links: readonly CausalLink[]) =>
  Object.fromEntries(layOutGraph(nodes, links).nodes.map((placed) => [placed.node.key, placed.x]));

describe('the picture of a causal graph', () => {
  it('has causes left of their effects, however they come', () => {
    const x = xs(['loss', 'rain', 'outage', 'flood'].map(node), [
      link('outage', 'loss'),
      link('rain', 'flood'),
      link('flood', 'outage'),
    ]);

    expect(Object.entries(x).toSorted((a, b) => a[1] - b[1])).toEqual(
      ['rain', 'flood', 'outage', 'loss'].map((key) => [key, x[key]]),
    );
  });

  it('stands what begins a chain right before its effect', () => {
    const x = xs(['a', 'b', 'c', 'late'].map(node), [
      link('a', 'b'),
      link('b', 'c'),
      link('late', 'c'),
    ]);

    expect(x['late']).toBe(x['b']);
  });

  it('draws cycles, loops and several edges between the same two apart', () => {
    const nodes = ['a', 'b', 'c'].map(node);
    const links = [
      link('a', 'b'),
      link('b', 'c'),
      link('c', 'a'),
      link('a', 'a'),
      link('a', 'b', 'prevents'),
      link('b', 'a', 'correlates'),
    ];
    const picture = layOutGraph(nodes, links);

    expect(new Set(picture.links.map(({ path }) => path)).size).toBe(links.length);
  });

  it('puts no node over another, and the same graph always at the same place', () => {
    const key = fc.integer({ min: 0, max: 30 }).map((n) => `n${n}`);
    const graph = fc.array(fc.tuple(key, key), { maxLength: 80 });
    fc.assert(
      fc.property(graph, fc.gen(), (pairs, draw) => {
        const nodes = [...new Set(pairs.flat())].map(node);
        const links = [...new Set(pairs.map(([from, to]) => `${from} ${to}`))]
          .map((pair) => pair.split(' '))
          .map(([from = '', to = '']) => link(from, to));
        const { nodes: placed, width, height } = layOutGraph(nodes, links);

        const places = placed.map(({ x, y }) => `${x} ${y}`);
        expect(new Set(places).size).toBe(nodes.length);
        for (const { x, y } of placed) {
          expect(x + NODE.width).toBeLessThanOrEqual(width);
          expect(y + NODE.height).toBeLessThanOrEqual(height);
        }
        const shuffled = draw(() =>
          fc.shuffledSubarray(nodes, { minLength: nodes.length, maxLength: nodes.length }),
        );
        expect(xs(shuffled, links.toReversed())).toEqual(xs(nodes, links));
      }),
      { numRuns: 50, seed: 9 },
    );
  });

  it('keeps a star of 500 nodes on a few screens', () => {
    const effects = Array.from({ length: 499 }, (_, i) => `effect ${i}`);
    const picture = layOutGraph(
      ['hub', ...effects].map(node),
      effects.map((effect) => link('hub', effect)),
    );

    expect(picture.nodes).toHaveLength(500);
    expect(picture.height).toBeLessThan(1_200);
  });
});

describe('what is shown of a graph', () => {
  const around = { nodes: ['a', 'b'].map(node), links: [link('a', 'b')], truncated: false };

  it('has the way in it, also where the neighbourhood ends before', () => {
    const way = { links: [link('a', 'b'), link('b', 'c')], confidence: 0.81 };
    const { nodes, links, lit } = withPath(around, way);

    expect(nodes.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(links).toHaveLength(2);
    expect(lit.size).toBe(2);
  });

  it.each([
    ['A', 'a'],
    ['Ｔｈｅ　Ｂ', 'b'],
    ['the', 'a'],
    [' nothing like it ', 'nothing like it'],
  ])('finds the node that "%s" means', (words, key) => {
    expect(meantNode(around.nodes, words)).toBe(key);
  });
});

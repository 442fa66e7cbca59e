import { beforeAll, describe, expect, it } from 'vitest';
import { CausalNeighbourhood, CausalPath } from '../../edge/memory/contract/causal.ts';
import { FoundCausalNodes } from '../../edge/memory/contract/graph.ts';
import type { OrchestrateAnswer } from '../../edge/memory/contract/search.ts';
import { problemOf, type SharedEdge, sharedEdge } from './harness.ts';
import { memoriesIn, type MemoryWorld } from './memory-client.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

/** Each leads to the next, and the last of all back to the first. */
const CHAIN = [
  'Dust leads to clogged filters.',
  'Clogged filters lead to overheating.',
  'Overheating causes pump failure.',
  'Pump failure results in flooding.',
  'Flooding leads to dust.',
];

/** The invariant of platform.md: evidence is in the context, and in a stored memory, word for word. */
async function expectVerbatim(world: MemoryWorld, answer: OrchestrateAnswer): Promise<void> {
  const stored = (await world.list({ limit: '100' })).memories;
  for (const edgeFound of answer.causal_edges) {
    expect(answer.causal_context).toContain(edgeFound.evidence);
    for (const { evidence, memory_id: id } of edgeFound.supports) {
      expect(answer.causal_context).toContain(evidence);
      const memory = stored.find(({ memory_id: other }) => other === id);
      expect(memory?.content).toContain(evidence);
    }
  }
  for (const stretch of answer.causal_context) {
    expect(stored.some(({ content }) => content.includes(stretch))).toBe(true);
  }
}

const edgesOf = ({ causal_edges: edges }: OrchestrateAnswer) =>
  edges.map(({ cause, effect, relation }) => [cause, relation, effect]);

describe('orchestration', () => {
  it('answers memories with the causes behind them, as far as it may go', async () => {
    const world = memoriesIn(edge, 'chain');
    await world.storeAll(CHAIN);

    const far = await world.orchestrate('pump failure', { top_k: 1, max_hops: 2 });
    const none = await world.orchestrate('pump failure', { max_hops: 0 });
    const plain = await world.orchestrate('pump failure', { include_causal: false });

    await expectVerbatim(world, far);
    expect(far.memories).toHaveLength(1);
    expect(far.metadata).toMatchObject({
      strategy: 'lexical+semantic+graph',
      namespace: 'chain',
      memory_count: 1,
      edge_count: far.causal_edges.length,
      hops: 2,
      truncated: false,
      languages: ['en'],
    });
    expect(edgesOf(far)).toEqual(
      expect.arrayContaining([['Overheating', 'causes', 'pump failure']]),
    );
    for (const answer of [none, plain]) {
      expect(answer.causal_edges).toEqual([]);
      expect(answer.metadata.hops).toBe(0);
      expect(answer.metadata.strategy).toBe('lexical+semantic');
    }
  });

  it('reads what was said before to find what is meant', async () => {
    const world = memoriesIn(edge, 'context');
    await world.storeAll([
      'The turbine stopped because its bearing seized.',
      'The conveyor stopped because a guard was open.',
    ]);

    const one = await world.orchestrate('why did it stop?', { context: ['We saw the turbine.'] });
    const other = await world.orchestrate('why did it stop?', { context: ['The conveyor…'] });

    expect(one.memories[0]?.content).toContain('turbine');
    expect(other.memories[0]?.content).toContain('conveyor');
    await expectVerbatim(world, one);
  });

  it('reads Japanese', async () => {
    const world = memoriesIn(edge, 'ja');
    await world.storeAll(['フィルターの詰まりが原因でポンプが過熱した。', '今日は良い天気です。']);

    const answer = await world.orchestrate('ポンプはなぜ過熱した？', { top_k: 1 });

    await expectVerbatim(world, answer);
    expect(answer.metadata.languages).toEqual(['ja']);
    expect(answer.causal_edges[0]?.cause).toContain('詰まり');
    expect(answer.causal_edges[0]?.effect).toContain('ポンプが過熱した');
  });

  it('goes round a circle once, and marks what memories do not agree about', async () => {
    const world = memoriesIn(edge, 'circle');
    await world.storeAll([
      ...CHAIN,
      'Dust prevents clogged filters.',
      'In our plant, dust leads to clogged filters.',
    ]);

    const answer = await world.orchestrate('dust', { max_hops: 4, top_k: 3 });

    await expectVerbatim(world, answer);
    const contested = answer.causal_edges.filter(({ contradicted }) => contradicted);
    expect(new Set(contested.map(({ relation }) => relation))).toEqual(
      new Set(['causes', 'prevents']),
    );
    const said = answer.causal_edges.map((e) => `${e.cause} ${e.relation} ${e.effect}`);
    expect(new Set(said).size).toBe(said.length);
  });

  it('never shows the future', async () => {
    const world = memoriesIn(edge, 'time');
    const days = ['2024-01-01', '2025-01-01', '2026-01-01'];
    await world.storeAll(
      CHAIN.slice(0, 3).map((content, i) => ({ content, occurred_at: `${days[i]}T00:00:00Z` })),
    );

    const answers = await Promise.all(
      ['2023-06-01', '2024-06-01', '2025-06-01', '2026-06-01'].map((day) =>
        world.orchestrate('filters overheating', { as_of: `${day}T00:00:00Z`, max_hops: 4 }),
      ),
    );

    expect(answers.map(({ memories }) => memories.length)).toEqual([0, 1, 2, 3]);
    for (const answer of answers) {
      const { as_of: asOf } = answer.metadata;
      for (const { valid_at: at } of [...answer.memories, ...answer.causal_edges]) {
        expect(Date.parse(at)).toBeLessThanOrEqual(Date.parse(asOf));
      }
      await expectVerbatim(world, answer);
    }
  });
});

describe('the graph', () => {
  const graph = async (world: MemoryWorld, query: Readonly<Record<string, string>>) =>
    CausalNeighbourhood.parse(await (await fetch(world.at('/graph', query))).json());

  it('shows what lies around a node, and begins with the most certain where none is named', async () => {
    const world = memoriesIn(edge, 'around');
    await world.storeAll(CHAIN);

    const near = await graph(world, { node: 'overheating', hops: '1' });
    const effects = await graph(world, { node: 'overheating', hops: '1', direction: 'effects' });
    const all = await graph(world, {});

    expect(near.nodes.map(({ key, hops }) => [key, hops])).toEqual([
      ['overheating', 0],
      ['clogged filters', 1],
      ['pump failure', 1],
    ]);
    // Every node tells how many edges it has, also of those that are not shown.
    expect(near.nodes[2]).toMatchObject({ incoming: 1, outgoing: 1 });
    expect(effects.nodes.map(({ key }) => key)).toEqual(['overheating', 'pump failure']);
    expect(all.nodes).toHaveLength(5);
    expect(all.links).toHaveLength(5);
  });

  it('finds the way from a cause to an effect, three steps and more', async () => {
    const world = memoriesIn(edge, 'way');
    await world.storeAll(CHAIN);
    const path = async (query: Readonly<Record<string, string>>) =>
      CausalPath.parse(await (await fetch(world.at('/path', query))).json());

    const found = await path({ from: 'dust', to: 'Pump failure' });
    const tooFar = await path({ from: 'dust', to: 'flooding', hops: '2' });

    expect(found.links.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      'dust → clogged filters',
      'clogged filters → overheating',
      'overheating → pump failure',
    ]);
    expect(tooFar).toEqual({ links: [], confidence: 0 });
  });

  it('never shows the future, nor what has ceased to hold', async () => {
    const world = memoriesIn(edge, 'graph-time');
    const on = (day: string) => `${day}T00:00:00Z`;
    const [first] = (await world.storeAll([{ content: CHAIN[0], occurred_at: on('2024-01-01') }]))
      .memories;
    await world.storeAll([
      { content: CHAIN[1], occurred_at: on('2025-01-01') },
      { content: 'All is clean.', occurred_at: on('2026-01-01'), replaces: [first!.memory_id] },
    ]);
    const known = async (day: string) => {
      const near = await graph(world, { node: 'clogged filters', hops: '1', as_of: on(day) });
      const way = { from: 'dust', to: 'overheating', as_of: on(day) };
      const path = CausalPath.parse(await (await fetch(world.at('/path', way))).json());
      return [near.links.map(({ from, to }) => `${from} → ${to}`), path.links.length];
    };

    const [dust, heat] = ['dust → clogged filters', 'clogged filters → overheating'];
    expect(await known('2023-06-01')).toEqual([[], 0]);
    expect(await known('2024-06-01')).toEqual([[dust], 0]);
    expect(await known('2025-06-01')).toEqual([expect.arrayContaining([dust, heat]), 2]);
    expect(await known('2026-06-01')).toEqual([[heat], 0]);
  });

  it('finds causes and effects by words in them, as they were known at a time', async () => {
    const world = memoriesIn(edge, 'node-words');
    await world.storeAll([
      { content: CHAIN[0], occurred_at: '2025-01-01T00:00:00Z' },
      ...CHAIN.slice(1),
      'Clogged filters lead to noise.',
      'Heavy dust leads to a long cough.',
      '大雨が洪水を引き起こした。',
    ]);
    const keys = async (query: Readonly<Record<string, string>>) => {
      const answer = await fetch(world.at('/nodes', query));
      return FoundCausalNodes.parse(await answer.json()).nodes.map(({ key, statements }) => [
        key,
        statements,
      ]);
    };

    // Most of the words, then how often it is named.
    expect(await keys({ q: 'clogged FILTERS' })).toEqual([['clogged filters', 3]]);
    expect(await keys({ q: 'the heavy dust' })).toEqual([
      ['heavy dust', 1],
      ['dust', 2],
    ]);
    expect(await keys({ q: 'dust', limit: '1' })).toEqual([['dust', 2]]);
    expect(await keys({ q: '洪水' })).toEqual([['洪水', 1]]);
    expect(await keys({ q: 'dust', as_of: '2025-06-01T00:00:00Z' })).toEqual([['dust', 1]]);
    expect(await keys({ q: '" OR *' })).toEqual([]);
    const nowhere = new URL('/v1/memory/nodes?q=x&namespace=nowhere', edge.gateway);
    expect((await problemOf(await fetch(nowhere))).code).toBe('namespace_not_found');
  });
});

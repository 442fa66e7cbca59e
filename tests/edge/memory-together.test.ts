import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { clientOf } from '../../edge/contract/client.ts';
import { memoryEndpoints } from '../../edge/memory/endpoints.ts';
import { type Edge, startEdge } from './harness.ts';
import { contentsOf, memoriesIn } from './memory-client.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ vars: { METRICS_FLUSH_MS: 50 } });
});
afterAll(() => edge[Symbol.asyncDispose]());

it('many query and store concurrently, and each receives its own results', async () => {
  const world = memoriesIn(edge, 'together');
  const words = Array.from({ length: 24 }, (_, i) => `word${i}x`);

  const stored = await Promise.all(words.map((word) => world.store(`A memory of ${word}.`)));
  const found = await Promise.all(words.map((word) => world.retrieve(word, { top_k: '1' })));

  expect(new Set(stored.map(({ memory_id: id }) => id)).size).toBe(words.length);
  expect(found.map((answer) => contentsOf(answer)[0])).toEqual(
    words.map((word) => `A memory of ${word}.`),
  );
});

it('what is stored and deleted is counted, without names', async () => {
  const client = clientOf(memoryEndpoints, { base: edge.gateway.origin });
  const { memory_id: id } = await client.storeMemory({
    body: { content: 'Counted.', namespace: 'counted-here' },
  });
  await client.storeMemory({ body: { content: 'counted.', namespace: 'counted-here' } });
  await client.deleteMemory({ params: { memory_id: id }, query: { namespace: 'counted-here' } });

  await vi.waitFor(
    async () => {
      const text = await (await fetch(new URL('/metrics', edge.monitoring))).text();
      expect(text).toMatch(/memory_stored_total\{[^}]*result="duplicate"[^}]*\} 1\n/);
      expect(text).toMatch(/memory_deleted_total\{[^}]*why="deleted"[^}]*\} 1\n/);
      expect(text).not.toContain('counted-here');
    },
    { timeout: 10_000, interval: 200 },
  );
});

it('the client reads, lists and erases over the same contract', async () => {
  const client = clientOf(memoryEndpoints, { base: edge.gateway.origin });
  const place = { namespace: 'client' };
  const { memories } = await client.storeMemories({
    body: {
      memories: [
        { ...place, content: 'Rain leads to floods.', user_id: 'u' },
        { ...place, content: 'Floods cause damage.' },
      ],
    },
  });

  expect(
    (await client.getMemory({ params: { memory_id: memories[0]!.memory_id }, query: place }))
      .user_id,
  ).toBe('u');
  expect((await client.listMemories({ query: { ...place, limit: 1 } })).has_more).toBe(true);
  expect(
    (await client.memoryPath({ query: { ...place, from: 'rain', to: 'damage' } })).links,
  ).toHaveLength(2);
  expect(
    (await client.memoryGraph({ query: { ...place, node: ['floods'], hops: 1 } })).nodes,
  ).toHaveLength(3);
  expect((await client.memoryStats({ query: place })).edges).toBe(2);
  const lines = (await (await client.exportMemories({ query: place })).text()).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect((await client.eraseMemories({ params: { user_id: 'u' } })).memories).toBe(1);
  expect((await client.memoryStats({ query: place })).edges).toBe(1);
  await client.deleteMemoryNamespace({ params: { namespace: 'client' } });
  const { namespaces } = await client.listMemoryNamespaces();
  expect(namespaces.map(({ namespace }) => namespace)).not.toContain('client');
});

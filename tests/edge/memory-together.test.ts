import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createMemoryClient } from '../../edge/memory/contract/client.ts';
import { type Edge, startEdge } from './harness.ts';
import { contentsOf, memoriesIn } from './memory-client.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ vars: { METRICS_FLUSH_MS: 50 } });
});
afterAll(() => edge[Symbol.asyncDispose]());

it('many ask and store at once, and each is answered with its own', async () => {
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
  const client = createMemoryClient({ base: edge.gateway.origin });
  const { memory_id: id } = await client.store({ content: 'Counted.', namespace: 'counted-here' });
  await client.store({ content: 'counted.', namespace: 'counted-here' });
  await client.remove(id, { namespace: 'counted-here' });

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
  const client = createMemoryClient({ base: edge.gateway.origin });
  const place = { namespace: 'client' };
  const { memories } = await client.storeAll([
    { ...place, content: 'Rain leads to floods.', user_id: 'u' },
    { ...place, content: 'Floods cause damage.' },
  ]);

  expect((await client.memory(memories[0]!.memory_id, place)).user_id).toBe('u');
  expect((await client.list({ ...place, limit: 1 })).has_more).toBe(true);
  expect((await client.path({ ...place, from: 'rain', to: 'damage' })).links).toHaveLength(2);
  expect((await client.graph({ ...place, node: ['floods'], hops: 1 })).nodes).toHaveLength(3);
  expect((await client.stats(place)).edges).toBe(2);
  const lines = (await (await client.exported(place)).text()).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect((await client.erase('u')).memories).toBe(1);
  expect((await client.stats(place)).edges).toBe(1);
  await client.removeNamespace('client');
  const { namespaces } = await client.namespaces();
  expect(namespaces.map(({ namespace }) => namespace)).not.toContain('client');
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it, vi } from 'vitest';
import { WholeMemory } from '../../edge/memory/contract/memory.ts';
import { MemoryErased, MemoryNamespaceDeleted } from '../../edge/memory/contract/namespace.ts';
import { type Edge, problemOf, startEdge } from './harness.ts';
import { send } from './keys-in-hand.ts';
import { contentsOf, memoriesIn } from './memory-client.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-memory-'));
afterAll(() => rmSync(stateDir, { recursive: true }));

/** Files of the state that hold some bytes, also in what SQLite no longer uses. */
function filesWith(sought: string | Uint8Array): readonly string[] {
  const bytes = Buffer.from(sought);
  return readdirSync(stateDir, { recursive: true, encoding: 'utf8' }).filter((name) => {
    try {
      return readFileSync(join(stateDir, name)).includes(bytes);
    } catch (error) {
      // A folder, or a journal that SQLite has just closed.
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EISDIR' || code === 'ENOENT') return false;
      throw error;
    }
  });
}

/** The object restarts a moment after the erasure; then nothing holds it. */
const expectNowhere = (...sought: readonly (string | Uint8Array)[]) =>
  vi.waitFor(
    () => {
      for (const one of sought) expect([String(one), filesWith(one)]).toEqual([String(one), []]);
    },
    { timeout: 10_000 },
  );

/** The keys that seal the texts of memories, in the order in which they were stored. */
function keysOnDisk(): readonly Uint8Array[] {
  const [path = ''] = readdirSync(stateDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /spikegrid-Memory\/[0-9a-f]{64}\.sqlite$/.test(name),
  );
  using database = new DatabaseSync(join(stateDir, path));
  return database
    .prepare('SELECT key FROM memories JOIN slots USING (slot) ORDER BY seq')
    .all()
    .map((row) => row['key'] as Uint8Array);
}

/** Longer than a page of SQLite, so that part of it lies elsewhere. */
const LONG = `Zanzibarkey ${'lorem ipsum dolor '.repeat(600)}`;

async function fill(edge: Edge) {
  const world = memoriesIn(edge, 'forgotten');
  await world.storeAll(
    Array.from({ length: 60 }, (_, i) => ({
      content: `Ordinary note number ${i} is kept.`,
      user_id: i % 2 === 0 ? 'kept-user' : 'gone-user-9173',
      tags: [`tag-${i % 3}`],
    })),
  );
  const secrets = await world.storeAll([
    { content: 'Quetzalword leads to Xylophonword.', user_id: 'kept-user' },
    { content: LONG, user_id: 'gone-user-9173', metadata: { note: 'Metadatasecret' } },
    { content: '秘密の合言葉はひまわりです。', user_id: 'gone-user-9173', tags: ['Tagsecret'] },
    // CausalStatement again with another tag, so that it is written anew.
    { content: '秘密の合言葉はひまわりです。', user_id: 'gone-user-9173', tags: ['more'] },
  ]);
  return { world, ids: secrets.memories.map(({ memory_id: id }) => id) };
}

it('what is deleted or erased is gone from results, and from the disk', async () => {
  let edge = await startEdge({ stateDir });
  const { ids } = await fill(edge);
  await edge[Symbol.asyncDispose]();
  // Texts are sealed: what has to go is what opens them.
  await expectNowhere('Quetzalword', 'Zanzibarkey', 'ひまわり', 'gone-user-9173', 'Tagsecret');
  const keys = keysOnDisk();
  expect(keys).toHaveLength(63);
  const opening = new Map(keys.map((key, i) => [i, key]));
  for (const key of keys) expect(filesWith(key)).toHaveLength(1);

  edge = await startEdge({ stateDir });
  const world = memoriesIn(edge, 'forgotten');
  const [single = ''] = ids;
  const deleted = await send(world.at(`/memories/${single}`), { method: 'DELETE' });
  const again = await send(world.at(`/memories/${single}`), { method: 'DELETE' });
  expect(deleted.status).toBe(200);
  expect((await problemOf(again)).code).toBe('memory_not_found');
  await expectNowhere(opening.get(60)!);
  expect(contentsOf(await world.retrieve('Quetzalword'))).not.toContain('Quetzalword');
  expect((await world.orchestrate('Quetzalword')).causal_edges).toEqual([]);
  for (const path of [world.at('/nodes', { q: 'Quetzalword' }), world.at('/graph')]) {
    expect(await (await fetch(path)).text()).not.toMatch(/quetzalword/i);
  }

  const lines = await (await fetch(world.at('/export', { user_id: 'gone-user-9173' }))).text();
  const exported = lines
    .trim()
    .split('\n')
    .map((line) => WholeMemory.parse(JSON.parse(line)));
  expect(exported).toHaveLength(32);
  expect(new Set(exported.map(({ user_id: id }) => id))).toEqual(new Set(['gone-user-9173']));
  expect(exported[30]?.content).toBe(LONG);

  const erased = await send(world.at('/users/gone-user-9173'), { method: 'DELETE' });
  expect(MemoryErased.parse(await erased.json())).toMatchObject({
    memories: 32,
    namespaces: ['forgotten'],
  });
  const gone = [...opening].filter(([i]) => i > 60 || (i < 60 && i % 2 === 1));
  await expectNowhere(...gone.map(([, key]) => key));
  expect((await world.list()).total).toBe(30);
  expect(contentsOf(await world.retrieve('ひまわり'))).toEqual([]);

  // SIGKILL brings nothing back.
  await edge[Symbol.asyncDispose]();
  await expectNowhere(...gone.map(([, key]) => key));
  edge = await startEdge({ stateDir });
  const after = memoriesIn(edge, 'forgotten');
  expect((await after.list()).total).toBe(30);
  expect((await after.retrieve('Ordinary note', { top_k: '50' })).results).toHaveLength(30);

  const dropped = await send(new URL('/v1/memory/namespaces/forgotten', edge.gateway), {
    method: 'DELETE',
  });
  expect(MemoryNamespaceDeleted.parse(await dropped.json()).memories).toBe(30);
  await expectNowhere(...keys);
  const unknown = await fetch(after.at('/memories'));
  expect((await problemOf(unknown)).code).toBe('namespace_not_found');
  await edge[Symbol.asyncDispose]();
}, 60_000);

it('a memory is gone when its time is over, and answers are as before after a crash', async () => {
  let edge = await startEdge({ stateDir });
  let world = memoriesIn(edge, 'lasting');
  await world.storeAll([
    { content: 'The short one is brief.', ttl_s: 1 },
    'The lasting one stays.',
    '長く残る記憶です。',
  ]);
  const short = await world.retrieve('short brief');
  expect(short.results[0]).toMatchObject({ content: 'The short one is brief.' });
  expect(short.results[0]?.invalid_at).toBe(short.results[0]?.expires_at);
  await vi.waitFor(async () => expect((await world.list()).total).toBe(2), {
    timeout: 10_000,
    interval: 200,
  });
  const asOf = new Date().toISOString();
  const queries = ['lasting stays', '記憶', 'short brief'];
  const answers = () => Promise.all(queries.map((q) => world.retrieve(q, { as_of: asOf })));
  const before = await answers();

  await edge[Symbol.asyncDispose]();
  edge = await startEdge({ stateDir });
  world = memoriesIn(edge, 'lasting');

  expect((await answers()).map(({ results }) => results)).toEqual(
    before.map(({ results }) => results),
  );
  expect(contentsOf(before[2] ?? before[0]!)).not.toContain('The short one is brief.');
  await edge[Symbol.asyncDispose]();
}, 60_000);

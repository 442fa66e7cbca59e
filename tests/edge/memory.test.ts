import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  MemoryList,
  StoredMemories,
  StoredMemory,
  WholeMemory,
} from '../../edge/memory/contract/memory.ts';
import {
  MemoryErased,
  MemoryNamespaceList,
  MemoryStats,
  MemoryUser,
} from '../../edge/memory/contract/namespace.ts';
import { RetrieveAnswer } from '../../edge/memory/contract/search.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const at = (path: string, query: Readonly<Record<string, string>> = {}) =>
  new URL(`/v1/memory${path}?${new URLSearchParams(query)}`, edge.gateway);

async function store(namespace: string, memory: string | object): Promise<StoredMemory> {
  const said = typeof memory === 'string' ? { content: memory } : memory;
  const answer = await postJson(at('/store'), { namespace, ...said });
  expect(answer.status).toBe(201);
  return StoredMemory.parse(await answer.json());
}

async function retrieve(namespace: string, q: string, more: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(at('/retrieve', { namespace, q, ...more }));
  expect(answer.status).toBe(200);
  return RetrieveAnswer.parse(await answer.json());
}

const contentsOf = ({ results }: RetrieveAnswer) => results.map(({ content }) => content);

async function list(namespace: string, more: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(at('/memories', { namespace, ...more }));
  expect(answer.status).toBe(200);
  return MemoryList.parse(await answer.json());
}

describe('a memory', () => {
  it('is stored with all its metadata', async () => {
    const stored = await store('whole', {
      content: 'The pump overheated because the oil leaked.',
      user_id: 'mori',
      session_id: 's-1',
      tags: ['pump', 'heat', 'pump'],
      metadata: { shift: 'night', n: 3 },
      importance: 0.8,
      occurred_at: '2026-01-02T12:00:00+09:00',
    });

    const answer = await fetch(at(`/memories/${stored.memory_id}`, { namespace: 'whole' }));

    expect(stored).toMatchObject({ namespace: 'whole', deduplicated: false });
    expect(WholeMemory.parse(await answer.json())).toEqual({
      memory_id: stored.memory_id,
      namespace: 'whole',
      content: 'The pump overheated because the oil leaked.',
      user_id: 'mori',
      session_id: 's-1',
      tags: ['pump', 'heat'],
      metadata: { shift: 'night', n: 3 },
      importance: 0.8,
      created_at: stored.created_at,
      valid_at: '2026-01-02T03:00:00.000Z',
      invalid_at: null,
      expires_at: null,
      causal_edges: stored.causal_edges,
    });
    expect(stored.causal_edges).toMatchObject([
      { cause: 'the oil leaked', effect: 'The pump overheated' },
    ]);
  });

  it('of a conversation has a line for each turn', async () => {
    const messages = [
      { role: 'user', content: 'Why is it hot?' },
      { role: 'assistant', content: 'フィルターが詰まったからです。' },
    ];
    await store('talk', { messages });

    expect(contentsOf(await retrieve('talk', 'フィルター'))).toEqual([
      'user: Why is it hot?\nassistant: フィルターが詰まったからです。',
    ]);
  });

  it('that is said again is one, with the greater importance and all tags', async () => {
    const first = await store('again', {
      content: 'The Pump  is hot',
      importance: 0.2,
      tags: ['a'],
    });
    const second = await store('again', {
      content: 'the pump is ｈｏｔ',
      importance: 0.9,
      tags: ['b'],
    });
    const of = await store('again', { content: 'the pump is hot', user_id: 'somebody' });

    expect([second.memory_id, second.deduplicated]).toEqual([first.memory_id, true]);
    expect(of.deduplicated).toBe(false);
    const { memories, total } = await list('again', { tags: 'b' });
    expect(total).toBe(1);
    expect(memories[0]).toMatchObject({
      content: 'The Pump  is hot',
      importance: 0.9,
      tags: ['a', 'b'],
    });
  });

  it('of many is stored with all of them or none', async () => {
    const good = await postJson(at('/store_batch'), {
      memories: [1, 2, 3].map((n) => ({ namespace: 'many', content: `memory ${n}` })),
    });
    const mixed = await postJson(at('/store_batch'), {
      memories: [{ namespace: 'many', content: 'memory 4' }, { content: 'elsewhere' }],
    });

    expect(StoredMemories.parse(await good.json()).memories).toHaveLength(3);
    expect((await problemOf(mixed)).code).toBe('validation_failed');
    expect((await list('many')).total).toBe(3);
  });
});

describe('words', () => {
  it.each([
    ['overheat', ['The pump overheated.']],
    ['FILTER clogged', ['The filter was clogged by dust.']],
    ['故障', ['ポンプが故障した']],
    ['た', ['ポンプが故障した', '冷却水が漏れていた']],
    ['漏', ['冷却水が漏れていた']],
    ['冷却水の漏れ', ['冷却水が漏れていた']],
    ['ﾎﾟﾝﾌﾟ', ['ポンプが故障した']],
    ['zz', []],
    ['?!', []],
  ])('find what holds them: %s', async (q, expected) => {
    await postJson(at('/store_batch'), {
      memories: [
        'The pump overheated.',
        'The filter was clogged by dust.',
        'ポンプが故障した',
        '冷却水が漏れていた',
      ].map((content) => ({ namespace: 'words', content })),
    });

    const found = await retrieve('words', q, { strategy: 'lexical' });

    expect(contentsOf(found).toSorted()).toEqual(expected.toSorted());
  });
});

describe('a namespace', () => {
  it('that nobody stored in is unknown, but one’s own default is there', async () => {
    const unknown = await fetch(at('/retrieve', { namespace: 'nowhere', q: 'x' }));
    const own = await fetch(at('/memories'));

    expect((await problemOf(unknown)).code).toBe('namespace_not_found');
    expect(MemoryList.parse(await own.json())).toMatchObject({ memories: [], total: 0 });
  });

  it('reports what it holds', async () => {
    await store('told', { content: 'one', user_id: 'a', occurred_at: '2026-01-01T00:00:00Z' });
    await store('told', { content: 'two', user_id: 'b', occurred_at: '2026-02-01T00:00:00Z' });

    const stats = MemoryStats.parse(
      await (await fetch(at('/stats', { namespace: 'told' }))).json(),
    );
    const all = MemoryNamespaceList.parse(await (await fetch(at('/namespaces'))).json());

    expect(stats).toMatchObject({
      owner: 'local',
      memories: 2,
      users: 2,
      first_valid_at: '2026-01-01T00:00:00.000Z',
      last_valid_at: '2026-02-01T00:00:00.000Z',
    });
    expect(all.namespaces).toContainEqual(
      expect.objectContaining({ namespace: 'told', owner: 'local' }),
    );
  });
});

it('what a user has is reported before it is erased: in one namespace, or in all', async () => {
  const { memory_id: old } = await store('mine', { content: 'two', user_id: 'eve' });
  // A replaced memory is not found any more, and is erased as well.
  await store('mine', { content: 'one', user_id: 'eve', replaces: [old] });
  await store('yours', { content: 'three', user_id: 'eve' });
  await store('yours', { content: 'four', user_id: 'adam' });
  const held = async (query: Readonly<Record<string, string>>) =>
    MemoryUser.parse(await (await fetch(at('/users/eve', query))).json());

  const [all, there] = [await held({}), await held({ namespace: 'yours' })];
  const erased = await fetch(at('/users/eve'), { method: 'DELETE' });

  expect(there).toEqual({
    user_id: 'eve',
    memories: 1,
    namespaces: [{ namespace: 'yours', memories: 1 }],
  });
  expect(all.memories).toBe(3);
  const gone = MemoryErased.parse(await erased.json());
  expect(gone.memories).toBe(all.memories);
  expect(gone.namespaces.toSorted()).toEqual(['mine', 'yours']);
  expect(all.namespaces.map(({ namespace }) => namespace).toSorted()).toEqual(['mine', 'yours']);
  expect(await held({})).toMatchObject({ memories: 0, namespaces: [] });
  const nowhere = await fetch(at('/users/eve', { namespace: 'nowhere' }));
  expect((await problemOf(nowhere)).code).toBe('namespace_not_found');
});

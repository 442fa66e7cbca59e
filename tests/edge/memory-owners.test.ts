import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryNamespaceList } from '../../edge/memory/contract/namespace.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { contentsOf, memoriesIn } from './memory-client.ts';

let edge: GuardedEdge;
let [ada, ben, reader, stranger] = ['', '', '', ''];
let adaOwner = '';
beforeAll(async () => {
  edge = await startGuardedEdge();
  const both = ['memory:read', 'memory:write'] as const;
  const adas = await edge.keyFor(both);
  ada = adas.key;
  adaOwner = `key:${adas.key_id}`;
  ben = (await edge.keyFor(both)).key;
  reader = (await edge.keyFor(['memory:read'])).key;
  stranger = (await edge.keyFor(['infer'])).key;
});
afterAll(() => edge[Symbol.asyncDispose]());

const at = (path: string, query: Readonly<Record<string, string>> = {}) =>
  new URL(`/v1/memory${path}?${new URLSearchParams(query)}`, edge.gateway);

const namespacesFor = async (key: string, query: Readonly<Record<string, string>> = {}) =>
  MemoryNamespaceList.parse(await (await send(at('/namespaces', query), { key })).json())
    .namespaces;

describe('the memories of two people', () => {
  it('of the same name do not meet, by any query there is', async () => {
    const hers = memoriesIn(edge, 'shared-name', ada);
    const his = memoriesIn(edge, 'shared-name', ben);
    const secret = { content: 'The safe leads to gold.', user_id: 'u', tags: ['t'] };
    const { memory_id: id } = await hers.store(secret);
    await his.store({ ...secret, content: 'The garden leads to flowers.' });

    expect(contentsOf(await his.retrieve('safe gold'))).not.toContain(secret.content);
    expect((await his.list()).memories).toHaveLength(1);
    const answer = await his.orchestrate('safe gold', { max_hops: 4 });
    expect(JSON.stringify(answer)).not.toContain('gold');
    const asked = [
      his.at('/graph'),
      his.at('/export'),
      his.at('/stats'),
      his.at('/nodes', { q: 'safe gold' }),
      his.at('/path', { from: 'The safe', to: 'gold' }),
    ];
    for (const url of asked) {
      const given = await send(url, { key: ben });
      expect([given.status, await given.text()]).toEqual([
        200,
        expect.not.stringMatching(/gold|safe/),
      ]);
    }
    const known = await send(at('/users/u'), { key: ben });
    expect(await known.json()).toMatchObject({ memories: 1 });
    const byId = await send(his.at(`/memories/${id}`), { key: ben });
    expect((await problemOf(byId)).code).toBe('memory_not_found');
    const removed = await send(his.at(`/memories/${id}`), { key: ben, method: 'DELETE' });
    expect((await problemOf(removed)).code).toBe('memory_not_found');
    await send(at('/users/u'), { key: ben, method: 'DELETE' });
    await send(at('/namespaces/shared-name'), { key: ben, method: 'DELETE' });
    expect(contentsOf(await hers.retrieve('safe gold'))).toEqual([secret.content]);
  });

  it('are counted once each: the same text is no duplicate of another’s', async () => {
    const text = 'Exactly the same words.';
    const hers = await memoriesIn(edge, 'same', ada).store(text);
    const his = await memoriesIn(edge, 'same', ben).store(text);

    expect([hers.deduplicated, his.deduplicated]).toEqual([false, false]);
    expect(his.memory_id).not.toBe(hers.memory_id);
  });

  it('look as if they were not there, and are refused to who names their owner', async () => {
    await memoriesIn(edge, 'only-hers', ada).store('x');

    const guessed = await send(at('/memories', { namespace: 'only-hers' }), { key: ben });
    const never = await send(at('/memories', { namespace: 'never-was' }), { key: ben });
    const named = await send(at('/memories', { namespace: 'only-hers', owner: adaOwner }), {
      key: ben,
    });

    const [a, b] = [await problemOf(guessed), await problemOf(never)];
    expect([a.code, b.code]).toEqual(['namespace_not_found', 'namespace_not_found']);
    expect(a.detail).toBe(b.detail.replace('never-was', 'only-hers'));
    expect((await problemOf(named)).code).toBe('forbidden');
    expect((await namespacesFor(ben)).map(({ owner }) => owner)).not.toContain(adaOwner);
    const foreign = await send(at('/namespaces', { owner: adaOwner }), { key: ben });
    expect((await problemOf(foreign)).code).toBe('forbidden');
  });

  it('are open to administrators who name the owner', async () => {
    await memoriesIn(edge, 'looked-into', ada).store('The administrator may look.');

    const all = await namespacesFor(edge.admin);
    const answer = await send(at('/memories', { namespace: 'looked-into', owner: adaOwner }), {
      key: edge.admin,
    });

    expect(all.map(({ namespace }) => namespace)).toContain('looked-into');
    expect(await answer.text()).toContain('The administrator may look.');
  });
});

it('needs the scope for what is done', async () => {
  const read = await send(at('/memories'), { key: reader });
  const write = await send(at('/store'), { key: reader, method: 'POST', json: { content: 'x' } });
  const other = await send(at('/retrieve', { q: 'x' }), { key: stranger });
  const nobody = await send(at('/retrieve', { q: 'x' }));

  expect(read.status).toBe(200);
  expect((await problemOf(write)).code).toBe('forbidden');
  expect((await problemOf(other)).code).toBe('forbidden');
  expect((await problemOf(nobody)).code).toBe('unauthenticated');
});

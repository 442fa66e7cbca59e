import { beforeAll, describe, expect, it } from 'vitest';
import { AliasRecord } from '../../edge/registry/contract/alias.ts';
import { ModelList } from '../../edge/registry/contract/model-list.ts';
import { VersionRecord } from '../../edge/registry/contract/model.ts';
import { type SharedEdge, postJson, problemOf, sharedEdge, tiny, upload } from './harness.ts';
import { modelRequests } from './model-requests.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

const { at, register, send, setAlias, show } = modelRequests(() => edge);

describe('an alias', () => {
  it('is created, moved, read and taken away', async () => {
    await register('named', '1.0.0', '2.0.0');

    const created = await setAlias('named', 'production', '1.0.0');
    const same = await setAlias('named', 'production', '1.0.0');
    expect([created.status, same.status]).toEqual([201, 200]);
    expect((await show('/models/named?alias=production')).version).toBe('1.0.0');
    const moved = await setAlias('named', 'production', '2.0.0');
    expect(moved.status).toBe(200);
    expect(AliasRecord.parse(await moved.json())).toMatchObject({
      version: '2.0.0',
      etag: '"2.0.0"',
    });

    const details = await show('/models/named?version=2.0.0');
    expect(details.aliases).toEqual(['production']);
    expect(details.versions.map(({ aliases }) => aliases)).toEqual([['production'], []]);
    const read = await send('GET', '/models/named/aliases/production');
    expect(read.headers.get('etag')).toBe('"2.0.0"');
    expect((await send('DELETE', '/models/named/aliases/production')).status).toBe(204);
    expect((await show('/models/named?version=2.0.0')).aliases).toEqual([]);
  });

  it('finds files, and does not retain copies of them without end', async () => {
    await register('files', '1.0.0', '2.0.0');
    const model = at('/models/files').href;
    await upload(model, { filename: 'a.txt' }, 'one');
    await upload(model, { filename: 'a.txt', version: '2.0.0' }, 'two');
    await setAlias('files', 'stable', '1.0.0');

    const answer = await fetch(`${model}/download/a.txt?alias=stable`);

    expect(await answer.text()).toBe('one');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-location')).toContain('version=1.0.0');
  });

  it('moves only from the expected version, so that one of two concurrent moves is refused', async () => {
    await register('swap', '1.0.0', '2.0.0', '3.0.0');
    await setAlias('swap', 'live', '1.0.0');

    const answers = await Promise.all(
      ['2.0.0', '3.0.0'].map((version) =>
        setAlias('swap', 'live', version, { 'if-match': '"1.0.0"' }),
      ),
    );
    const create = await setAlias('swap', 'live', '1.0.0', { 'if-none-match': '*' });
    const absent = await setAlias('swap', 'other', '1.0.0', { 'if-match': '"1.0.0"' });
    const remove = await send('DELETE', '/models/swap/aliases/live', undefined, {
      'if-match': '"1.0.0"',
    });

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    for (const answer of [create, absent, remove]) {
      expect(answer.status).toBe(412);
      expect(await problemOf(answer)).toMatchObject({ code: 'precondition_failed' });
    }
  });

  it('chooses the version by which a list shows and filters models', async () => {
    await postJson(at('/models/register'), {
      ...tiny,
      model_id: 'by-alias',
      framework: 'al',
      name: 'Old',
    });
    await postJson(at('/models/register'), {
      ...tiny,
      model_id: 'by-alias',
      framework: 'al',
      name: 'New',
      version: '2.0.0',
    });
    await postJson(at('/models/register'), { ...tiny, model_id: 'without', framework: 'al' });
    await setAlias('by-alias', 'shown', '1.0.0');
    const list = async (query: string) =>
      ModelList.parse(await (await fetch(at(`/models?framework=al&${query}`))).json());

    expect((await list('alias=shown')).models.map(({ name }) => name)).toEqual(['Old']);
    expect((await list('alias=shown&name=new')).total).toBe(0);
    expect((await list('alias=none')).total).toBe(0);
    expect((await list('')).total).toBe(2);
  });

  it.each<[string, unknown, number, string]>([
    ['PUT /models/none/aliases/x', { version: '1.0.0' }, 404, 'model_not_found'],
    ['PUT /models/refused/aliases/x', { version: '9.0.0' }, 404, 'model_not_found'],
    ['PUT /models/refused/aliases/1.0.0', { version: '1.0.0' }, 400, 'invalid_parameter'],
    ['PUT /models/refused/aliases/x', { version: 'latest' }, 422, 'validation_failed'],
    ['PUT /models/refused/aliases/x', { version: '1.0.0', x: 1 }, 422, 'validation_failed'],
    ['GET /models/refused/aliases/x', undefined, 404, 'alias_not_found'],
    ['DELETE /models/refused/aliases/x', undefined, 404, 'alias_not_found'],
    ['GET /models/refused?alias=x', undefined, 404, 'alias_not_found'],
    ['GET /models/refused?alias=x&version=1.0.0', undefined, 400, 'invalid_parameter'],
    ['GET /models/refused/download/a?alias=x', undefined, 404, 'alias_not_found'],
  ])('%s with %j is refused', async (request, body, status, code) => {
    const [method = '', path = ''] = request.split(' ');
    await postJson(at('/models/register'), { ...tiny, model_id: 'refused' });

    const answer = await send(method, path, body);

    expect(answer.status).toBe(status);
    expect(await problemOf(answer)).toMatchObject({ code });
  });

  it('is one of 64 at most', async () => {
    await register('aliased', '1.0.0');
    for (let i = 0; i < 64; i++)
      expect((await setAlias('aliased', `a${i}`, '1.0.0')).status).toBe(201);

    expect((await setAlias('aliased', 'b', '1.0.0')).status).toBe(422);
    expect((await setAlias('aliased', 'a1', '1.0.0')).status).toBe(200);
  });
});

describe('a version', () => {
  const patch = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send('PATCH', path, body, { 'content-type': 'application/merge-patch+json', ...headers });

  it('changes in its description and tags, and is found by them', async () => {
    await postJson(at('/models/register'), {
      ...tiny,
      model_id: 'patched',
      tags: { a: '1', b: '2' },
    });

    const answer = await patch('/models/patched/versions/1.0.0', {
      description: 'better',
      tags: { a: null, c: '3' },
    });

    const record = VersionRecord.parse(await answer.json());
    expect(record).toMatchObject({ description: 'better', tags: { b: '2', c: '3' } });
    expect(answer.headers.get('etag')).toBe(record.etag);
    expect(await show('/models/patched')).toMatchObject({ tags: { b: '2', c: '3' } });
    const found = async (tag: string) =>
      ModelList.parse(await (await fetch(at(`/models?tag=${tag}&name=tiny`))).json()).total;
    expect([await found('c:3'), await found('a')]).toEqual([1, 0]);
  });

  it('is still the one that was registered: a repeat changes nothing', async () => {
    const body = { ...tiny, model_id: 'repeat', description: 'first' };
    await postJson(at('/models/register'), body);
    await patch('/models/repeat/versions/1.0.0', { description: 'second' });

    const again = await postJson(at('/models/register'), body);

    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ description: 'second' });
  });

  it('changes only as it was looked at, so that no change is lost', async () => {
    await register('guarded', '1.0.0');
    const path = '/models/guarded/versions/1.0.0';
    const { etag } = await show('/models/guarded');

    const answers = await Promise.all(
      ['one', 'two'].map((description) => patch(path, { description }, { 'if-match': etag })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const now = await fetch(at(path));
    const cached = await fetch(at(path), {
      headers: { 'if-none-match': now.headers.get('etag') ?? '' },
    });
    expect(cached.status).toBe(304);
    expect((await patch(path, { description: 'three' }, { 'if-match': '*' })).status).toBe(200);
    expect((await fetch(at(path))).headers.get('etag')).not.toBe(now.headers.get('etag'));
  });

  it.each<[string, unknown, number]>([
    ['/models/fixed/versions/1.0.0', {}, 422],
    ['/models/fixed/versions/1.0.0', { name: 'x' }, 422],
    ['/models/fixed/versions/1.0.0', { tags: { 'a:b': 'x' } }, 422],
    [
      '/models/fixed/versions/1.0.0',
      { tags: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`t${i}`, ''])) },
      422,
    ],
    ['/models/fixed/versions/9.0.0', { description: 'x' }, 404],
    ['/models/fixed/versions/one', { description: 'x' }, 404],
  ])('at %s does not take %j', async (path, body, status) => {
    await postJson(at('/models/register'), { ...tiny, model_id: 'fixed' });

    expect((await patch(path, body)).status).toBe(status);
  });
});

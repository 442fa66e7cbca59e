import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditList } from '../../edge/access/contract/audit.ts';
import { DeletionAnswer } from '../../edge/registry/contract/model.ts';
import { type Edge, postJson, problemOf, startEdge, tiny, upload } from './harness.ts';
import { modelRequests } from './model-requests.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const { at, register, send, setAlias, show } = modelRequests(() => edge);

describe('deleting', () => {
  it('a version takes its files along, and its number is not given again', async () => {
    await register('gone', '1.0.0', '2.0.0');
    const model = at('/models/gone').href;
    const before = edge.blobs();
    await upload(model, { filename: 'a.bin', version: '2.0.0' }, 'bytes');
    await upload(model, { filename: 'b.bin', version: '2.0.0' }, 'more bytes');

    const answer = await send('DELETE', '/models/gone/versions/2.0.0');

    expect(DeletionAnswer.parse(await answer.json())).toEqual({
      status: 'deleted',
      model_id: 'gone',
      versions: ['2.0.0'],
      aliases: [],
      deleted_files: 2,
      freed_bytes: 15,
    });
    expect(edge.blobs()).toEqual(before);
    expect((await show('/models/gone')).version).toBe('1.0.0');
    expect((await fetch(`${model}/download/a.bin?version=2.0.0`)).status).toBe(404);
    const again = await postJson(at('/models/register'), {
      ...tiny,
      model_id: 'gone',
      version: '2.0.0',
    });
    expect(again.status).toBe(409);
    expect((await problemOf(again)).detail).toContain('was deleted');
  });

  it('what an alias points to, or the last version, needs force', async () => {
    await register('used', '1.0.0', '2.0.0');
    await setAlias('used', 'live', '1.0.0');

    const version = await send('DELETE', '/models/used/versions/1.0.0');
    const model = await send('DELETE', '/models/used');
    expect([version.status, model.status]).toEqual([409, 409]);
    expect(await problemOf(version)).toMatchObject({ code: 'version_in_use', aliases: ['live'] });

    const forced = await send('DELETE', '/models/used/versions/1.0.0?force=true');
    expect(await forced.json()).toMatchObject({ aliases: ['live'] });
    const last = await send('DELETE', '/models/used/versions/2.0.0');
    expect((await problemOf(last)).detail).toContain('last version');
    expect((await send('DELETE', '/models/used/versions/2.0.0?force=true')).status).toBe(200);
    expect((await fetch(at('/models/used'))).status).toBe(404);
  });

  it('a model takes all its versions along, and leaves its name', async () => {
    await register('whole', '1.0.0', '2.0.0');

    const answer = await send('DELETE', '/models/whole');

    expect(await answer.json()).toMatchObject({ versions: ['2.0.0', '1.0.0'] });
    expect((await send('DELETE', '/models/whole')).status).toBe(404);
    await register('whole', '3.0.0');
    expect((await show('/models/whole')).versions).toHaveLength(1);
  });

  it('a version that has changed since it was looked at is refused', async () => {
    await register('changed', '1.0.0', '2.0.0');
    const { etag } = await show('/models/changed');
    await setAlias('changed', 'live', '2.0.0');

    const path = '/models/changed/versions/2.0.0?force=true';
    const answer = await send('DELETE', path, undefined, { 'if-match': etag });

    expect(answer.status).toBe(412);
  });

  it('is written to the audit log, as aliases and changes are', async () => {
    await register('audited', '1.0.0');
    await setAlias('audited', 'live', '1.0.0');
    await send('PATCH', '/models/audited/versions/1.0.0', { description: 'x' });
    await send('DELETE', '/models/audited?force=true');

    const log = await fetch(new URL('/api/audit?limit=10', edge.gateway));
    const events = AuditList.parse(await log.json()).events.filter(({ target }) =>
      target.startsWith('audited'),
    );

    expect(events.map(({ action }) => action)).toEqual([
      'model.delete',
      'version.update',
      'alias.set',
    ]);
  });
});

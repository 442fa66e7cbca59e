import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ServiceDeleted,
  ServiceList,
  ServiceRecord,
  type ServiceRegistrationInput,
} from '../../edge/contract/service.ts';
import { eventually } from './eventually.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { closedAddress, startUpstream, type Upstream } from './upstream.ts';

const LOOPBACK = ['127.0.0.0/8'];

let edge: Edge;
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream((_, response) => void response.end('{"status":"ok"}'));
  const UPSTREAMS = { configured: upstream.url };
  edge = await startEdge({ vars: { UPSTREAMS, TARGET_ALLOWLIST: LOOPBACK } });
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const at = (path: string) => new URL(path, edge.gateway);
const register = (body: ServiceRegistrationInput, headers: Record<string, string> = {}) =>
  fetch(at('/services/register'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const recordOf = async (answer: Response) => ServiceRecord.parse(await answer.json());
const getRecord = async (name: string) => recordOf(await fetch(at(`/services/${name}`)));
const remove = (name: string, headers: Record<string, string> = {}) =>
  fetch(at(`/services/${name}`), { method: 'DELETE', headers });

describe('a registration', () => {
  it('is new once, is reached at once, and is found in the list', async () => {
    const answer = await register({ name: 'fresh', url: upstream.url, tags: ['a'], version: '2' });
    const record = await recordOf(answer);

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/services/fresh');
    expect(record).toMatchObject({
      origin: 'registered',
      tags: ['a'],
      version: '2',
      status: 'unknown',
      expires_at: null,
      health: { path: '/health', interval_s: 10, timeout_s: 2 },
      instances: [{ id: 'fresh-1', url: `${upstream.url}/`, weight: 1, region_id: null }],
    });
    expect((await fetch(at('/fresh/x'))).status).toBe(200);
    const list = ServiceList.parse(await (await fetch(at('/services?tag=a'))).json());
    expect(list.services.map(({ name, status }) => [name, status])).toEqual([['fresh', 'passing']]);
  });

  it('that is repeated renews; with other content it takes the place of the first', async () => {
    const first = await register({ name: 'changing', url: upstream.url });
    const same = await register({ name: 'changing', url: upstream.url });
    const other = await register({ name: 'changing', url: upstream.url, meta: { a: 'b' } });

    expect([first.status, same.status, other.status]).toEqual([201, 200, 200]);
    expect(same.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(other.headers.get('etag')).not.toBe(first.headers.get('etag'));
    const [before, after] = [await recordOf(first), await recordOf(other)];
    expect(after).toMatchObject({ meta: { a: 'b' }, registered_at: before.registered_at });
    expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
  });

  it('is changed and removed only as If-Match saw it', async () => {
    const etag = (await register({ name: 'matched', url: upstream.url })).headers.get('etag') ?? '';
    const body = { name: 'matched', url: upstream.url, tags: ['x'] };
    const changed = await register(body, { 'if-match': etag });
    const late = await register({ ...body, tags: [] }, { 'if-match': etag });
    const lateRemoval = await remove('matched', { 'if-match': etag });
    const toNothing = await register({ ...body, name: 'nothing' }, { 'if-match': '*' });

    expect(changed.status).toBe(200);
    for (const refused of [late, lateRemoval, toNothing]) {
      expect(refused.status).toBe(412);
      expect(await problemOf(refused)).toMatchObject({ code: 'precondition_failed' });
    }
    const current = changed.headers.get('etag') ?? '';
    expect((await fetch(at('/services/matched'))).headers.get('etag')).toBe(current);
    expect((await remove('matched', { 'if-match': current })).status).toBe(200);
  });

  it('that is removed is gone at once, also for requests', async () => {
    await register({ name: 'leaving', url: upstream.url });
    expect((await fetch(at('/leaving/x'))).status).toBe(200);

    const removed = await remove('leaving');

    expect(ServiceDeleted.parse(await removed.json())).toEqual({
      status: 'deleted',
      name: 'leaving',
    });
    expect((await fetch(at('/leaving/x'))).status).toBe(404);
    expect((await remove('leaving')).status).toBe(404);
    expect(await problemOf(await fetch(at('/services/leaving')))).toMatchObject({
      code: 'service_not_found',
    });
  });

  it.each([
    'gateway',
    'registry',
    'monitoring',
    'api',
    'services',
    'models',
    'configured',
    'distributed_brain',
    'openapi.json',
  ])('cannot take or remove the name %s', async (name) => {
    for (const refused of [await register({ name, url: upstream.url }), await remove(name)]) {
      expect(refused.status).toBe(409);
      expect(await problemOf(refused)).toMatchObject({ code: 'reserved_name' });
    }
  });

  it.each(['health', 'register'])('cannot take the name of the path /services/%s', async (name) => {
    const refused = await register({ name, url: upstream.url });
    const removed = await remove(name);

    expect(await problemOf(refused)).toMatchObject({ code: 'reserved_name' });
    expect(await problemOf(removed)).toMatchObject({ code: 'method_not_allowed' });
    expect(removed.headers.get('allow')).toBe(
      name === 'health' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS',
    );
  });

  it.each<[string, unknown, string]>([
    ['no name', { url: 'http://127.0.0.1' }, '/name'],
    ['a name with capitals', { name: 'Upper', url: 'http://127.0.0.1' }, '/name'],
    ['no address', { name: 'x' }, ''],
    [
      'both forms',
      { name: 'x', url: 'http://127.0.0.1', instances: [{ url: 'http://127.0.0.1' }] },
      '',
    ],
    ['no instances', { name: 'x', instances: [] }, '/instances'],
    ['an unknown field', { name: 'x', url: 'http://127.0.0.1', port: 1 }, '/port'],
    ['another scheme', { name: 'x', url: 'file:///etc/passwd' }, '/url'],
    ['credentials', { name: 'x', url: 'http://a:b@127.0.0.1' }, '/url'],
    ['a private address', { name: 'x', url: 'http://10.0.0.1' }, '/url'],
    ['the metadata of a cloud', { name: 'x', url: 'http://169.254.169.254/latest' }, '/url'],
    ['it in hex', { name: 'x', url: 'http://0xA9FEA9FE/' }, '/url'],
    ['loopback by name', { name: 'x', url: 'http://localhost:1/' }, '/url'],
    [
      'a second instance elsewhere',
      { name: 'x', instances: [{ url: 'http://127.0.0.1' }, { url: 'http://8.8.8.8' }] },
      '/instances/1/url',
    ],
    [
      'an address twice',
      { name: 'x', instances: [{ url: 'http://127.0.0.1' }, { url: 'http://127.1' }] },
      '/instances/1/url',
    ],
    [
      'an id twice',
      {
        name: 'x',
        instances: [
          { id: 'a', url: 'http://127.0.0.1:1' },
          { id: 'a', url: 'http://127.0.0.1:2' },
        ],
      },
      '/instances/1/id',
    ],
    [
      'no weight',
      { name: 'x', instances: [{ url: 'http://127.0.0.1', weight: 0 }] },
      '/instances/0/weight',
    ],
    [
      'a timeout above its interval',
      { name: 'x', url: 'http://127.0.0.1', health: { interval_s: 1, timeout_s: 2 } },
      '/health/timeout_s',
    ],
    [
      'a health path elsewhere',
      { name: 'x', url: 'http://127.0.0.1', health: { path: 'http://10.0.0.1' } },
      '/health/path',
    ],
    ['a ttl of nothing', { name: 'x', url: 'http://127.0.0.1', ttl_s: 0 }, '/ttl_s'],
  ])('with %s is refused at the place', async (_, body, pointer) => {
    const answer = await postJson(at('/services/register'), body);

    expect(answer.status).toBe(422);
    const problem = await problemOf(answer);
    expect(problem.code).toBe('validation_failed');
    expect(problem.errors?.map((error) => error.pointer)).toEqual([pointer]);
    expect((await fetch(at('/services/x'))).status).toBe(404);
  });

  it('needs renewing where it has a ttl: it turns critical, then it is gone', async () => {
    await register({ name: 'mortal', url: upstream.url, ttl_s: 1 });
    expect((await getRecord('mortal')).status).toBe('passing');

    const late = await eventually(
      () => getRecord('mortal'),
      ({ status }) => status === 'critical',
    );
    expect(late.instances[0]?.last_error).toBe('not registered again within 1 s');
    expect((await register({ name: 'mortal', url: upstream.url, ttl_s: 1 })).status).toBe(200);
    expect((await getRecord('mortal')).status).toBe('passing');

    await eventually(
      () => fetch(at('/services/mortal')),
      ({ status }) => status === 404,
    );
  });

  it('outlives the Worker, and is held against the list of allowed targets of that day', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-services-'));
    const options = { stateDir, vars: { TARGET_ALLOWLIST: LOOPBACK } };
    const body = { name: 'lasting', url: await closedAddress() };
    let etag: string | null;
    {
      await using first = await startEdge(options);
      await postJson(new URL('/services/register', first.gateway), { ...body, name: 'taken' });
      etag = (await postJson(new URL('/services/register', first.gateway), body)).headers.get(
        'etag',
      );
      await fetch(new URL('/services', first.gateway));
    }

    const changed = { TARGET_ALLOWLIST: [], UPSTREAMS: { taken: upstream.url } };
    await using second = await startEdge({ ...options, vars: changed });
    const taken = await fetch(new URL('/services/taken', second.gateway));
    const found = await fetch(new URL('/services/lasting', second.gateway));

    expect(found.headers.get('etag')).toBe(etag);
    // Whoever configures the Worker has the last word on a name.
    expect(await recordOf(taken)).toMatchObject({ origin: 'configured', status: 'passing' });
    // A target allowed at registration is checked again: the list may have changed.
    expect((await recordOf(found)).instances[0]).toMatchObject({
      status: 'critical',
      last_error: expect.stringContaining('TARGET_ALLOWLIST'),
    });
    rmSync(stateDir, { recursive: true });
  });
});

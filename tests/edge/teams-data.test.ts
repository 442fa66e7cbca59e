import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlatformEvent } from '../../edge/events/contract/platform-event.ts';
import { LogMessage } from '../../edge/logs/contract/log-message.ts';
import type { Scope } from '../../edge/contract/scope.ts';
import { eventually } from './eventually.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, type Sending, startGuardedEdge } from './keys-in-hand.ts';
import { listenTo } from './log-listener.ts';

const MEMORY = ['memory:read', 'memory:write'] as const;
const LOGS = ['logs:read', 'logs:write', 'metrics:write', 'metrics:read'] as const;

let edge: GuardedEdge;
beforeAll(async () => {
  const QUOTAS = {
    sensors: { owner: 2, team: 3 },
    memories: { owner: 3, team: 5 },
    sockets: { owner: 2, team: 3 },
  };
  edge = await startGuardedEdge({ vars: { QUOTAS } });
});
afterAll(() => edge[Symbol.asyncDispose]());

const keyOf = async (team: string, ...scopes: Scope[]) => {
  const { key, key_id: id } = await edge.keyFor(scopes, { team });
  return { key, owner: `key:${id}` };
};

const ask = (path: string, sending: Sending) => send(new URL(path, edge.gateway), sending);
const post = (path: string, key: string, json: unknown) => ask(path, { key, method: 'POST', json });
const codeOf = async (answer: Response) => (await problemOf(answer)).code;

const register = (key: string, sensor_id: string) =>
  post('/v1/sensor/register', key, { sensor_id, type: 'temperature', unit: 'Cel' });
const store = (key: string, content: string, more: object = {}) =>
  post('/v1/memory/store', key, { content, ...more });

describe('sensors and memories', () => {
  it('are reached by name by who administers the team, by nobody else but administrators', async () => {
    const anna = await keyOf('vision', ...MEMORY);
    const mate = await keyOf('vision', ...MEMORY);
    const lead = await keyOf('vision', ...MEMORY, 'team:admin');
    const stranger = await keyOf('audio', ...MEMORY, 'team:admin');
    await register(anna.key, 'hers');
    await store(anna.key, 'The key lies under the mat.', { namespace: 'hers' });
    const of = (query: object) => new URLSearchParams({ owner: anna.owner, ...query });
    const reads = [
      `/v1/sensor/sensors?${of({})}`,
      `/v1/sensor/sensors/hers?${of({})}`,
      `/v1/sensor/sensors/hers/readings?${of({})}`,
      `/v1/memory/memories?${of({ namespace: 'hers' })}`,
      `/v1/memory/retrieve?${of({ namespace: 'hers', q: 'key' })}`,
      `/v1/memory/export?${of({})}`,
      `/v1/memory/namespaces?${of({})}`,
      `/v1/memory/stats?${of({ namespace: 'hers' })}`,
    ];

    for (const path of reads) {
      const statuses = await Promise.all(
        [anna, lead, { key: edge.admin }, mate, stranger].map(
          async ({ key }) => (await ask(path, { key })).status,
        ),
      );
      expect([path, statuses]).toEqual([path, [200, 200, 200, 403, 403]]);
    }
    // Another team gets the same response for existing and for unknown keys.
    const nobody = { ...stranger, owner: 'key:aaaaaaaaaaaa' };
    const told = async (owner: string) =>
      (await problemOf(await ask(`/v1/sensor/sensors?owner=${owner}`, { key: nobody.key }))).detail;
    expect((await told(anna.owner)).replace(anna.owner, nobody.owner)).toBe(
      await told(nobody.owner),
    );
    const removal = `/v1/sensor/sensors/hers?${of({})}`;
    for (const { key } of [mate, stranger]) {
      expect((await ask(removal, { key, method: 'DELETE' })).status).toBe(403);
    }
    expect((await ask(removal, { key: lead.key, method: 'DELETE' })).status).toBe(200);
  });

  it('are as many as a key and its team may have, until one is deleted', async () => {
    const [a, b] = [await keyOf('counted', ...MEMORY), await keyOf('counted', ...MEMORY)];
    for (const id of ['s-1', 's-2', 's-1']) expect((await register(a.key, id)).ok).toBe(true);

    expect(await problemOf(await register(a.key, 's-3'))).toMatchObject({
      ...{ code: 'quota_exceeded', status: 403, quota: 'sensors', scope: 'owner' },
      ...{ limit: 2, used: 2, reset_s: null },
    });
    expect((await register(b.key, 's-1')).status).toBe(201);
    expect(await problemOf(await register(b.key, 's-2'))).toMatchObject({ scope: 'team', used: 3 });
    await ask('/v1/sensor/sensors/s-1', { key: a.key, method: 'DELETE' });
    expect((await register(b.key, 's-2')).status).toBe(201);

    for (const content of ['one', 'two', 'two'])
      expect((await store(a.key, content)).status).toBe(201);
    const third = await store(a.key, 'three', { namespace: 'other' });
    expect(third.status).toBe(201);
    expect(await problemOf(await store(a.key, 'four'))).toMatchObject({
      ...{ code: 'quota_exceeded', quota: 'memories', scope: 'owner', limit: 3, used: 3 },
    });
    const memories = ['x', 'y', 'z'].map((content) => ({ content }));
    const batch = await post('/v1/memory/store_batch', b.key, { memories });
    expect(await problemOf(batch)).toMatchObject({ scope: 'team', limit: 5, used: 3 });
    await ask('/v1/memory/namespaces/other', { key: a.key, method: 'DELETE' });
    expect((await store(a.key, 'four')).status).toBe(201);
    for (const content of ['u', 'v', 'w', 'x', 'y', 'z']) {
      expect((await store(edge.admin, content)).status).toBe(201);
    }
  });
});

describe('logs and events', () => {
  it('are those of one’s team, sent under its name alone, whatever a publisher says', async () => {
    const [anna, ben] = [await keyOf('vision', ...LOGS), await keyOf('audio', ...LOGS)];
    const message = 'the secret of vision';
    const seen = async (key: string) => {
      const answer = await ask('/distributed_brain/logs?text=secret', { key });
      const { logs } = (await answer.json()) as { logs: unknown[] };
      return logs.map((log) => LogMessage.parse(log));
    };
    const his = await listenTo({ gateway: edge.gateway, key: ben.key });

    await post('/distributed_brain/publish_log', anna.key, { message, source: 'key:somebody' });
    await post('/distributed_brain/publish_log', ben.key, { message: 'no secret of audio' });

    const [hers] = await seen(anna.key);
    expect(hers).toMatchObject({
      message,
      source: 'key:somebody',
      owner: anna.owner,
      team: 'vision',
    });
    expect((await seen(ben.key)).map(({ message: said }) => said)).toEqual(['no secret of audio']);
    expect(await seen(edge.admin)).toHaveLength(2);
    await his.next('log', ({ message: said }) => said === 'no secret of audio');
    expect(JSON.stringify(his.frames)).not.toContain(message);
    his.socket.close();
  });

  it('have the events of a team’s nodes for it alone, and those of regions for all', async () => {
    const scopes = ['infer', 'discovery:read', 'geo:read'] as const;
    const [anna, ben] = [await keyOf('vision', ...scopes), await keyOf('audio', ...scopes)];
    const eventsFor = async (key: string) => {
      const answer = await ask('/events?limit=100', { key });
      const { events } = (await answer.json()) as { events: unknown[] };
      return events.map((event) => PlatformEvent.parse(event));
    };
    const maintained = await ask('/api/geo/regions/eu-west-1/status', {
      ...{ key: edge.admin, method: 'PUT', json: { status: 'maintenance', force: true } },
    });
    expect(maintained.status).toBe(200);
    const events = await eventually(
      () => eventsFor(ben.key),
      (found) => found.some(({ type }) => type === 'region.status'),
    );
    expect(events.map(({ team }) => team)).toEqual(events.map(() => null));
    expect((await eventsFor(anna.key)).length).toBe(events.length);
  });

  it('lets no team into the series or the traces of another', async () => {
    const [anna, ben] = [await keyOf('vision', ...LOGS), await keyOf('audio', ...LOGS)];
    const plain = await keyOf('default', ...LOGS);
    const push = (key: string, labels: object) =>
      post('/monitoring/metrics', key, {
        service_name: 'forged',
        metrics: [{ name: 'queue_depth', type: 'gauge', value: 1, labels }],
      });
    for (const { key } of [anna, ben, plain]) {
      expect((await push(key, { team: 'vision', kind: 'x' })).status).toBe(202);
    }
    const query = new URLSearchParams({ query: 'queue_depth{service="forged"}' });
    const found = await eventually(
      async () => {
        const answer = await ask(`/monitoring/api/v1/query?${query}`, { key: anna.key });
        return (await answer.json()) as { data: { result: { metric: { team?: string } }[] } };
      },
      ({ data }) => data.result.length === 3,
    );
    const teams = found.data.result.map(({ metric }) => metric.team ?? 'none');
    expect(teams.toSorted()).toEqual(['audio', 'none', 'vision']);

    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const span = {
      ...{ traceId: trace, spanId: '00f067aa0ba902b7', name: 'secret', kind: 2 },
      ...{ startTimeUnixNano: '1795167600000000000', endTimeUnixNano: '1795167600000000001' },
    };
    const resourceSpans = [{ resource: {}, scopeSpans: [{ scope: {}, spans: [span] }] }];
    await post('/v1/traces', anna.key, { resourceSpans });
    expect((await ask(`/v1/traces/${trace}`, { key: anna.key })).status).toBe(200);
    expect(await codeOf(await ask(`/v1/traces/${trace}`, { key: ben.key }))).toBe(
      'trace_not_found',
    );
    const named = await ask(`/v1/traces/${trace}?team=vision`, { key: ben.key });
    expect(await codeOf(named)).toBe('forbidden');
    expect((await ask(`/v1/traces/${trace}?team=vision`, { key: edge.admin })).status).toBe(200);
  });

  it('has a silence ended by who made it, or who administers his team', async () => {
    const scopes = ['metrics:read', 'metrics:write'] as const;
    const anna = await keyOf('vision', ...scopes);
    const made = await post('/monitoring/alerts/silences', anna.key, {
      matchers: [{ name: 'alertname', value: 'x' }],
      duration_s: 60,
    });
    const { id } = (await made.json()) as { id: string };
    const end = async (key: string) =>
      (await ask(`/monitoring/alerts/silences/${id}`, { key, method: 'DELETE' })).status;

    expect(await end((await keyOf('vision', ...scopes)).key)).toBe(403);
    expect(await end((await keyOf('audio', ...scopes, 'team:admin')).key)).toBe(403);
    expect(await end((await keyOf('vision', ...scopes, 'team:admin')).key)).toBe(200);
  });
});

describe('streams of events', () => {
  it('count among the sockets of a key and its team, and are let go when they end', async () => {
    const scopes = ['geo:read', 'discovery:read'] as const;
    const [a, b] = [await keyOf('streams', ...scopes), await keyOf('streams', ...scopes)];
    const open: Socket[] = [];
    const follow = async (key: string, path = '/events') => {
      const asked = request(new URL(path, edge.gateway), {
        headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
        agent: false,
      });
      asked.on('error', () => {}).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.on('error', () => {});
      const { statusCode: status = 0, headers } = answer;
      if (status === 200) open.push(answer.socket);
      const body = status === 200 ? null : await text(answer);
      return new Response(body, { status, headers: headers as Record<string, string> });
    };
    expect((await follow(a.key)).status).toBe(200);
    expect((await follow(a.key, '/api/geo/events')).status).toBe(200);

    expect(await problemOf(await follow(a.key))).toMatchObject({
      ...{ code: 'rate_limited', quota: 'sockets', scope: 'owner', limit: 2, used: 2, reset_s: 10 },
    });
    expect((await follow(b.key)).status).toBe(200);
    expect(await problemOf(await follow(b.key))).toMatchObject({ scope: 'team', limit: 3 });
    open[0]?.resetAndDestroy();
    const again = await eventually(
      () => follow(b.key),
      ({ ok }) => ok,
    );
    expect(again.status).toBe(200);
    for (const socket of open) socket.resetAndDestroy();
  });
});

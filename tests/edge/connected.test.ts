import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { connectOutward, type OutwardConnection } from '../../compute/outward/connect-outward.ts';
import type { Handler } from '../../compute/outward/outward-server.ts';
import { createIdentityVerifier } from '../../compute/http/gateway-identity.ts';
import { passedOver } from '../../compute/http/peers.ts';
import { writeFrame, writeHead } from '../../edge/outward/contract/frames.ts';
import type { Scope } from '../../edge/contract/scope.ts';
import { ServiceRecord } from '../../edge/contract/service.ts';
import { bytesOf, problemOf, sha256 } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { openRequest } from './raw-http.ts';
import { bearer, upgrade } from './upgrade.ts';

/** Of a service, to begin its answer. */
const TIME_LIMIT_MS = 4_000;
const SOON = { timeout: 20_000, interval: 50 };

let edge: GuardedEdge;
let service: { readonly key: string; readonly key_id: string };
let user: string;
beforeAll(async () => {
  edge = await startGuardedEdge({
    vars: { UPSTREAMS: { configured: 'http://127.0.0.1:9' }, UPSTREAM_TIMEOUT_MS: TIME_LIMIT_MS },
  });
  service = await edge.keyFor(['service:connect']);
  user = (await edge.keyFor(['infer'])).key;
});
afterAll(() => edge[Symbol.asyncDispose]());

const open: OutwardConnection[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close(0)));
});

const healthy = () => Response.json({ status: 'ok' });

/** Connects a service that answers its health, and the rest with `answer`. */
async function connect(name: string, answer: Handler, key = service.key) {
  const connection = await connectOutward({
    gateway: edge.gateway.origin,
    headers: bearer(key),
    service: name,
    tags: ['mine'],
    handle: async (request, path) => (path === '/health' ? healthy() : answer(request, path)),
  });
  open.push(connection);
  return connection;
}

const at = (path: string) => new URL(path, edge.gateway);
const opening = (name: string, instance: string) =>
  at(`/services/connect?service=${name}&instance=${instance}`);

async function recordOf(name: string): Promise<ServiceRecord> {
  return ServiceRecord.parse(await (await send(at(`/services/${name}`), { key: user })).json());
}

describe('a connection', () => {
  it.each([[[]], [['infer']], [['train', 'registry:write', 'metrics:write', 'discovery:read']]])(
    'is refused before the upgrade to a key with %j',
    async (scopes) => {
      const made = scopes.length > 0 ? await edge.keyFor(scopes as Scope[]) : undefined;
      const refused = await upgrade(opening('mine', 'one'), made ? bearer(made.key) : {});

      expect([refused.status, JSON.parse(refused.body).code]).toEqual(
        made ? [403, 'forbidden'] : [401, 'unauthenticated'],
      );
      const asked = connect('mine', async () => healthy(), made?.key ?? 'sg_none');
      await expect(asked).rejects.toThrow(made ? /service:connect/ : /not an API key/);
      expect((await send(at('/services/mine'), { key: user })).status).toBe(404);
    },
  );

  it.each(['registry', 'api', 'configured'])('cannot take the name %s', async (name) => {
    const refused = await upgrade(opening(name, 'one'), bearer(service.key));

    expect([refused.status, JSON.parse(refused.body).code]).toEqual([409, 'reserved_name']);
  });

  it('is a WebSocket, of a service and an instance that can be named', async () => {
    const plain = await send(opening('mine', 'one'), { key: service.key });
    expect((await problemOf(plain)).code).toBe('upgrade_required');
    const odd = await upgrade(opening('mine', '../../x'), bearer(service.key));
    expect(odd.status).toBe(400);
  });

  it('of an instance that is connected is refused to everybody', async () => {
    const other = await edge.keyFor(['service:connect']);
    const { instance } = await connect('held', async () => healthy());

    for (const key of [other.key, service.key]) {
      const refused = await upgrade(opening('held', instance), bearer(key));
      expect([refused.status, JSON.parse(refused.body).code]).toEqual([409, 'already_exists']);
    }
  });

  it('adds an instance to a service that was registered, and no more than that', async () => {
    const url = 'https://service.example.com/';
    const json = { name: 'mixed', url, health: { interval_s: 3600 } };
    const registering = { key: edge.admin, method: 'POST', json };
    await send(at('/services/register'), registering);
    const { instance } = await connect('mixed', async () => healthy());

    const { origin, instances } = await recordOf('mixed');
    expect(origin).toBe('registered');
    expect(instances.map((one) => one.url)).toEqual([url, `connected://mixed/${instance}`]);
    // Nobody can register what stands for a connection.
    const forged = { ...json, url: `connected://mixed/${instance}` };
    const refused = await send(at('/services/register'), { ...registering, json: forged });
    expect((await problemOf(refused)).code).toBe('validation_failed');
  });

  it('is closed with a reason where the service breaks the rules', async () => {
    const socket = new WebSocket(opening('rude', 'one'), { headers: bearer(service.key) });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    socket.send(Uint8Array.of(99, 0, 0, 0, 1));

    const [code, reason] = await closed;

    expect([code, String(reason)]).toEqual([1008, 'a frame of kind 99']);
    await vi.waitFor(async () => {
      expect((await send(at('/services/rude'), { key: user })).status).toBe(404);
    }, SOON);
  });
});

describe('a service that is connected', () => {
  it('is an instance as any other is, until it leaves', async () => {
    const connection = await connect('listed', async () => new Response('here'));
    expect(connection.fault).toBeUndefined();
    expect(await recordOf('listed')).toMatchObject({
      origin: 'connected',
      status: 'passing',
      instances: [
        {
          id: connection.instance,
          url: `connected://listed/${connection.instance}`,
          status: 'passing',
        },
      ],
    });
    const removed = await send(at('/services/listed'), { key: edge.admin, method: 'DELETE' });
    expect((await problemOf(removed)).code).toBe('reserved_name');
    const audited = await send(at('/api/audit?action=service.connect&target=listed'), {
      key: edge.admin,
    });
    expect(await audited.json()).toMatchObject({
      events: [{ actor: { id: service.key_id }, detail: { instance: connection.instance } }],
    });

    await connection.close(0);

    await vi.waitFor(async () => {
      expect((await send(at('/services/listed'), { key: user })).status).toBe(404);
    }, SOON);
  });

  it('learns the caller from the signature alone, for the path with its query', async () => {
    const verify = createIdentityVerifier(edge.gateway.origin, 'signed');
    await connect('signed', async (request, path) => {
      const { caller, isForwarded } = await passedOver(request, path, verify);
      const without = new Request(request, { headers: { 'x-spikegrid-caller': 'local' } });
      const nobody = await passedOver(without, path, verify);
      const again = await passedOver(request, path, verify);
      const key = request.headers.get('authorization');
      return Response.json({
        caller,
        isForwarded,
        nobody,
        again: again.refusal?.message,
        path,
        key,
      });
    });

    const answer = await send(at('/signed/a%20b?c=%2F&d'), { key: user });

    expect(await answer.json()).toMatchObject({
      caller: { kind: 'key', scopes: ['infer'] },
      isForwarded: true,
      nobody: { isHere: false },
      again: expect.stringContaining('it was used before'),
      path: '/a%20b?c=%2F&d',
      key: null,
    });
  });

  it('streams bodies of any length both ways, many at a time', async () => {
    const digests: string[] = [];
    await connect('bulk', async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      digests.push(sha256(bytes));
      return new Response(bytes.toReversed(), { headers: { 'x-length': String(bytes.length) } });
    });
    const sizes = [0, 1, 70_000, 1_000_000, 3_000_000, 300_000];

    const answers = await Promise.all(
      sizes.map(async (size) => {
        const body = bytesOf(size, size + 1);
        const answer = await fetch(at('/bulk/x'), { method: 'POST', body, headers: bearer(user) });
        const got = new Uint8Array(await answer.arrayBuffer());
        return [answer.status, sha256(got.toReversed()) === sha256(body)];
      }),
    );

    expect(answers).toEqual(sizes.map(() => [200, true]));
    expect(digests.toSorted()).toEqual(
      sizes.map((size) => sha256(bytesOf(size, size + 1))).toSorted(),
    );
  });

  it('sends events one by one as they come, and learns when their reader leaves', async () => {
    const left = Promise.withResolvers<void>();
    let say: (text: string) => void = () => {};
    await connect('stream', async ({ signal }) => {
      signal.addEventListener('abort', () => left.resolve());
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          say = (text) => controller.enqueue(new TextEncoder().encode(`data: ${text}\n\n`));
          say('0');
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    });
    const reader = new AbortController();
    const answer = await fetch(at('/stream/'), { headers: bearer(user), signal: reader.signal });
    const chunks = answer.body!.pipeThrough(new TextDecoderStream()).getReader();

    for (const text of ['0', '1', '2']) {
      expect((await chunks.read()).value).toBe(`data: ${text}\n\n`);
      say(String(Number(text) + 1));
    }
    reader.abort();

    // The runtime finds out by what it cannot send.
    const talking = setInterval(() => say('more'), 20);
    await left.promise.finally(() => clearInterval(talking));
  });

  it('learns that the caller hung up before it answered, and answers others meanwhile', async () => {
    const gone = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await connect('patient', async ({ signal }, path) => {
      if (path === '/quick') return new Response('quick');
      signal.addEventListener('abort', () => gone.resolve());
      begun.resolve();
      await gone.promise;
      return new Response('late');
    });
    const slow = openRequest(edge.gateway, [
      'GET /patient/slow HTTP/1.1',
      `Host: ${edge.gateway.host}`,
      `Authorization: Bearer ${user}`,
    ]);
    await begun.promise;
    expect(await (await send(at('/patient/quick'), { key: user })).text()).toBe('quick');

    slow.reset();

    await gone.promise;
  });

  it('is given up once its time is up, and learns it', async () => {
    const gone = Promise.withResolvers<void>();
    await connect('late', async ({ signal }) => {
      signal.addEventListener('abort', () => gone.resolve());
      await gone.promise;
      return new Response('late');
    });

    const answer = await send(at('/late/x'), { key: user });

    expect((await problemOf(answer)).code).toBe('upstream_timeout');
    await gone.promise;
  });

  it('shares its requests with other instances, and leaves without losing one', async () => {
    const served: string[] = [];
    const start = (id: string) =>
      connect('shared', async () => {
        served.push(id);
        return new Response(id);
      });
    const [one] = await Promise.all([start('one'), start('two')]);
    await vi.waitFor(async () => {
      expect((await recordOf('shared')).instances.map(({ status }) => status)).toEqual([
        'passing',
        'passing',
      ]);
    }, SOON);
    // It cannot be sent twice, so it must not be sent to who is gone.
    const ask = async () =>
      (await send(at('/shared/x'), { key: user, method: 'POST', json: {} })).status;
    const statuses = await Promise.all(Array.from({ length: 40 }, ask));
    expect(new Set(served)).toEqual(new Set(['one', 'two']));

    const leaving = one.close(5_000);
    statuses.push(...(await Promise.all(Array.from({ length: 40 }, ask))));
    await leaving;

    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('that breaks off fails what is under way with 502 and Retry-After, unless another can take it', async () => {
    const begun = Promise.withResolvers<void>();
    const socket = new WebSocket(opening('fragile', 'raw'), { headers: bearer(service.key) });
    await once(socket, 'open');
    socket.on('message', (data: Buffer) => {
      const stream = data.readUInt32BE(1);
      const isHealth = data.toString().includes('/health');
      if (data[0] !== 1) return;
      if (!isHealth) return begun.resolve();
      socket.send(writeHead('response', stream, { status: 200, headers: [] }));
      socket.send(writeFrame('end', stream));
    });
    const post = fetch(at('/fragile/x'), { method: 'POST', body: 'x', headers: bearer(user) });
    await begun.promise;

    socket.terminate();

    const broken = await post;
    expect([broken.status, broken.headers.get('retry-after')]).toEqual([502, '1']);
    expect((await problemOf(broken)).code).toBe('upstream_error');
  });

  it('is refused for good within five seconds once its key is revoked', async () => {
    const made = await edge.keyFor(['service:connect']);
    const connection = await connect('revoked', async () => healthy(), made.key);

    await send(at(`/api/keys/${made.key_id}`), { key: edge.admin, method: 'DELETE' });

    const revokedAt = Date.now();
    await expect(connection.refused).rejects.toThrow(/was revoked or has expired/);
    expect(Date.now() - revokedAt).toBeLessThan(5_000);
    expect((await send(at('/revoked/x'), { key: user })).status).toBe(404);
  });
});

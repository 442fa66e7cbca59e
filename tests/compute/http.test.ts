import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createVerifier } from '../../compute/http/gateway-keys.ts';
import { createIdentityVerifier } from '../../compute/http/gateway-identity.ts';
import { createMemoryIdempotency } from '../../compute/http/memory-idempotency.ts';
import { createNodeMiddleware } from '../../compute/http/node-middleware.ts';
import { type NodeServer, startNodeServer } from '../../compute/http/node-server.ts';
import { type AuthMode, passedBy } from '../../compute/http/peers.ts';
import { createApiKey, formatApiKey } from '../../edge/access/contract/api-key.ts';
import { accessEndpoints } from '../../edge/access/endpoints.ts';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import type { Endpoints } from '../../edge/contract/endpoint.ts';
import { routesOf } from '../../edge/http/route.ts';
import { createService } from '../../edge/http/service.ts';
import { type Signer, startSigner } from '../edge/identity-signer.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { killLaunchers, makeFolders, startLauncher } from './launcher-process.ts';

const endpoints = {
  who: {
    method: 'POST',
    path: '/who',
    summary: 'Says who asks.',
    access: 'infer',
    body: z.strictObject({ note: z.optional(z.string()) }),
    maxBodyBytes: 100,
    responses: { 200: z.object({ kind: z.string(), id: z.nullable(z.string()), turn: z.int() }) },
  },
  stream: {
    method: 'GET',
    path: '/stream',
    summary: 'Goes on until nobody listens.',
    access: 'public',
    responses: { 200: { media: ['text/plain'] } },
  },
} as const satisfies Endpoints;

let gateway: string;
let adminKey: string;
let key: string;
let weak: string;
const servers: NodeServer[] = [];
const streams = { cancelled: Promise.withResolvers<void>() };

beforeAll(async () => {
  const folders = makeFolders();
  ({ gateway } = await startLauncher(folders, ['--auth', 'required']));
  adminKey = readFileSync(join(folders.state, 'bootstrap-key'), 'utf8').trim();
  key = await makeKey(adminKey, ['infer']);
  weak = await makeKey(adminKey, ['metrics:read']);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close(0)));
  killLaunchers();
});

async function makeKey(admin: string, scopes: 'infer'[] | 'metrics:read'[]): Promise<string> {
  const http = openHttp({ base: gateway, headers: { authorization: `Bearer ${admin}` } });
  const body = { name: `for ${scopes.join()}`, scopes };
  return (await callEndpoint(http, accessEndpoints.createKey, { body })).body.key;
}

const past = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

async function serve(auth: AuthMode, itsGateway = gateway): Promise<string> {
  let turn = 0;
  const verifyIdentity = createIdentityVerifier(itsGateway, 'who');
  const server = await startNodeServer({
    serve: createService<null>({
      ...createNodeMiddleware({
        verify: createVerifier(gateway),
        reporting: { sink: () => ({ record: async () => {} }), everyMs: 10 },
      }),
      name: `test-${randomUUID()}`,
      routes: routesOf<null, typeof endpoints>(endpoints, {
        who: ({ caller }) => {
          turn += 1;
          return {
            status: 200,
            body: { kind: caller.kind, id: 'id' in caller ? caller.id : null, turn },
          };
        },
        stream: () =>
          new Response(
            new ReadableStream({
              pull: (controller) => controller.enqueue(new Uint8Array(1024)),
              cancel: () => streams.cancelled.resolve(),
            }),
          ),
      }),
    }),
    env: null,
    host: '127.0.0.1',
    port: 0,
    passedOf: (request) => passedBy(request, { auth, verifyIdentity }),
  });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

const ask = (base: string, headers: Record<string, string> = {}, body: unknown = {}) =>
  fetch(`${base}/who`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** As `ask`, with headers that fetch sets itself. */
function askAs(base: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const given = { 'content-type': 'application/json', ...headers };
    const asked = httpRequest(`${base}/who`, { method: 'POST', headers: given }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.on('error', reject);
    asked.end('{}');
  });
}

const MIB = 2 ** 20;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('a service in Node that requires no key from this machine', () => {
  it('lets people and programs here in', async () => {
    const base = await serve('local');

    expect(await (await ask(base)).json()).toMatchObject({ kind: 'local' });
  });

  it.each([
    ['who came through a proxy', { 'x-forwarded-for': '203.0.113.9' }, 401],
    ['who came by a proxy that tells but its own name', { via: '1.1 proxy' }, 401],
    [
      'a forwarded name of this machine',
      { host: 'a.example', 'x-forwarded-host': 'localhost' },
      401,
    ],
    ['a name that was pointed here', { host: 'evil.example' }, 401],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a key that does not hold', bearer('sg_000000000000_nope'), 401],
  ])('does not let in %s', async (_, headers, status) => {
    expect(await askAs(await serve('local'), headers)).toBe(status);
  });
});

describe.each(['local', 'required'] as const)('a service behind the gateway, auth %s', (auth) => {
  const WHO = { htm: 'POST', htu: '/who', here: false } as const;
  const infer = {
    kind: 'key',
    id: 'café',
    team: 'default',
    scopes: ['infer'],
    until: null,
  } as const;
  const claims = { ...WHO, caller: { ...infer, scopes: [...infer.scopes] } };
  let signer: Signer;
  let base: string;
  beforeAll(async () => {
    signer = await startSigner();
    base = await serve(auth, signer.url);
  });
  afterAll(() => signer[Symbol.asyncDispose]());
  const proved = async (token: Promise<string>) =>
    ask(base, { 'x-spikegrid-identity': await token });

  it('takes whom the gateway signs for, with their scopes and no others', async () => {
    const other = { ...claims, caller: { ...claims.caller, scopes: ['metrics:read' as const] } };

    const named = await proved(signer.sign('who', claims));

    expect(await named.json()).toMatchObject({ kind: 'key', id: 'café' });
    expect((await proved(signer.sign('who', other))).status).toBe(403);
  });

  it.each([
    ['another service', () => signer.sign('other', claims), /another service/],
    ['another path', () => signer.sign('who', { ...claims, htu: '/who?x=1' }), /signed for POST/],
    ['another method', () => signer.sign('who', { ...claims, htm: 'GET' }), /signed for GET/],
    [
      'a minute ago',
      () => signer.sign('who', claims, { issuedAt: past(90), expiresAt: past(30) }),
      /expired/,
    ],
    [
      'longer than a minute',
      () => signer.sign('who', claims, { issuedAt: past(90) }),
      /expired|hold/,
    ],
    [
      'nobody',
      async () => `${(await signer.sign('who', claims)).slice(0, -6)}AAAAAA`,
      /does not hold/,
    ],
    ['nothing', async () => 'local', /does not hold/],
  ])('refuses what was signed for %s', async (_, token, why) => {
    const answer = await proved(token());

    expect(answer.status).toBe(401);
    expect(((await answer.json()) as { detail: string }).detail).toMatch(why);
  });

  it('takes a signature once, and none of another gateway', async () => {
    await using other = await startSigner();
    const token = signer.sign('who', claims);

    expect((await proved(token)).status).toBe(200);
    expect((await proved(token)).status).toBe(401);
    expect((await proved(other.sign('who', claims))).status).toBe(401);
  });

  // As a proxy on the same machine passes on what anybody sends, Host rewritten.
  it('believes no header that says who calls', async () => {
    const forged = { 'x-spikegrid-caller': 'local', 'x-spikegrid-scopes': 'admin test:run infer' };
    const proxied = { ...forged, 'x-forwarded-for': '203.0.113.9' };

    expect((await ask(base, proxied)).status).toBe(401);
    expect((await ask(base, forged)).status).toBe(auth === 'local' ? 200 : 401);
  });
});

describe('a service that registered at a running gateway', () => {
  it('learns who calls, and refuses the same when it comes around the gateway', async () => {
    const base = await serve('required');
    const headers = { ...bearer(adminKey), 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'who', url: base });
    await fetch(`${gateway}/services/register`, { method: 'POST', headers, body });

    const through = await ask(`${gateway}/who`, bearer(key));
    const forged = await ask(`${gateway}/who`, { ...bearer(weak), 'x-spikegrid-identity': 'x' });

    expect(await through.json()).toMatchObject({ kind: 'key' });
    expect(forged.status).toBe(403);
    expect((await ask(base)).status).toBe(401);
  });
});

describe('a service in Node that requires a key from everybody', () => {
  it('takes the keys the gateway knows, for what they may do', async () => {
    const base = await serve('required');

    expect((await ask(base)).headers.get('www-authenticate')).toContain('Bearer');
    expect((await ask(base)).status).toBe(401);
    expect(await (await ask(base, bearer(key))).json()).toMatchObject({ kind: 'key' });
    expect((await ask(base, bearer(weak))).status).toBe(403);
    expect((await ask(base, bearer(`${key}x`))).status).toBe(401);
  });
});

describe('a service in Node', () => {
  it('notices that nobody reads a stream any more', async () => {
    const base = await serve('local');
    const gone = new AbortController();
    const answer = await fetch(`${base}/stream`, { signal: gone.signal });
    await answer.body!.getReader().read();

    gone.abort();

    expect(await streams.cancelled.promise).toBeUndefined();
  });

  it('answers like those of the edge: trace, body limit, HEAD, OPTIONS, unsafe paths', async () => {
    const base = await serve('local');
    const large = await ask(base, {}, { note: 'x'.repeat(200) });
    const traced = await ask(base, { 'x-request-id': 'mine' });
    const options = await fetch(`${base}/who`, { method: 'OPTIONS' });

    expect(large.status).toBe(413);
    expect(traced.headers.get('x-request-id')).toBe('mine');
    expect(traced.headers.get('traceparent')).toMatch(/^00-/);
    expect(options.headers.get('allow')).toBe('POST, OPTIONS');
    expect((await fetch(`${base}/nowhere`)).status).toBe(404);
    expect((await fetch(`${base}/a%2f..%2fwho`)).status).toBe(400);
  });

  it('reads a body that is too large to its end, for a sender that looks at the answer last', async () => {
    const { port, hostname } = new URL(await serve('local'));
    const socket = connect(Number(port), hostname);
    socket.pause();
    const head = ['POST /who HTTP/1.1', `Host: ${hostname}`, 'Connection: close'];
    const body = ['Content-Type: application/json', `Content-Length: ${40 * MIB}`, '', ''];

    socket.write([...head, ...body].join('\r\n'));
    for (let sent = 0; sent < 40; sent++) {
      await new Promise((written) => socket.write(Buffer.alloc(MIB, 'x'), written));
    }
    const answer = await readText(socket);

    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });

  it('counts keys that do not hold, and lets good ones in', async () => {
    const base = await serve('required');
    const wrong = () => ask(base, bearer(formatApiKey(createApiKey())));
    const known = (await ask(base, bearer(key))).status;

    const statuses = (await Promise.all(Array.from({ length: 40 }, wrong))).map((a) => a.status);

    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(15);
    expect([known, (await ask(base, bearer(key))).status]).toEqual([200, 200]);
  });

  it('carries a request with an Idempotency-Key out once, for each caller', async () => {
    const base = await serve('local');
    const once = { 'idempotency-key': 'k' };
    const first = await ask(base, once);
    const again = await ask(base, once);
    const other = await ask(base, { ...once, ...bearer(key) });
    const changed = await ask(base, once, { note: 'x' });

    expect([first, again, other].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await again.json()).toEqual(await first.json());
    expect(await other.json()).toMatchObject({ turn: 2 });
    expect(changed.status).toBe(422);
  });
});

describe('responses stored in memory', () => {
  it('are forgotten after a day, and a request whose carrier died may come again', async () => {
    let now = 0;
    const repeats = createMemoryIdempotency(() => now)({ kind: 'anonymous' });
    const first = await repeats.begin('a', 'f');
    expect(await repeats.begin('a', 'f')).toEqual({ kind: 'in-flight' });

    now += 120_000;
    const second = await repeats.begin('a', 'f');
    expect(second.kind).toBe('start');
    // The first is not dead after all, but no longer the one that counts.
    const answer = { status: 200, headers: {}, body: 'late' };
    if (first.kind === 'start') await repeats.finish(first.number, answer);
    expect(await repeats.begin('a', 'f')).toEqual({ kind: 'in-flight' });

    if (second.kind === 'start') await repeats.finish(second.number, { ...answer, body: 'once' });
    expect(await repeats.begin('a', 'f')).toMatchObject({ answer: { body: 'once' } });
    now += 24 * 3600 * 1000;
    expect((await repeats.begin('a', 'f')).kind).toBe('start');
  });
});

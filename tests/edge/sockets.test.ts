import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ServiceRecord } from '../../edge/contract/service.ts';
import { type Edge, startEdge } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { bearer, codeOf, hangUp, openMany, upgrade, type Upgraded } from './upgrade.ts';
import { startEcho, startUpstream, type Upstream } from './upstream.ts';

/** The most a key may have open at once, and everybody at this machine together. */
const MOST = 20;
const MAX_LOCAL = 200;
/** Credentials are looked at every three seconds. */
const SOON = { timeout: 8_000, interval: 100 };

const ISSUER = 'https://issuer.example';
const pair = await generateKeyPair('EdDSA', { extractable: true });
const key = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'EdDSA', use: 'sig' };

const tokenFor = (lifeS: number) =>
  new SignJWT({ scope: 'infer' })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'one' })
    .setIssuer(ISSUER)
    .setAudience('spikegrid')
    .setSubject('jürgen')
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifeS)
    .sign(pair.privateKey);

let echo: Upstream;
let edge: GuardedEdge;
beforeAll(async () => {
  echo = await startEcho();
  const vars = {
    TARGET_ALLOWLIST: ['127.0.0.0/8'],
    UPSTREAMS: { echo: echo.url },
    ...{ JWT_ISSUER: ISSUER, JWT_AUDIENCE: 'spikegrid', JWT_JWKS: { keys: [key] } },
  };
  edge = await startGuardedEdge({ vars });
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await echo[Symbol.asyncDispose]();
});

const echoAt = ({ gateway }: Pick<Edge, 'gateway'>) => new URL('/echo/', gateway);

/** A socket as browsers open one. */
async function openSocket(token: string): Promise<WebSocket> {
  const url = echoAt(edge);
  url.protocol = 'ws:';
  const socket = new WebSocket(url, ['chat', `bearer.${Buffer.from(token).toString('base64url')}`]);
  await once(socket, 'open');
  return socket;
}

/** Says something through a socket and returns what came back. */
async function said(socket: WebSocket, data: string | Uint8Array<ArrayBuffer>): Promise<unknown> {
  const answer = once(socket, 'message');
  socket.send(data);
  const [{ data: got }] = (await answer) as [MessageEvent];
  return got;
}

describe('the WebSockets of a key', () => {
  it('are twenty at most: one more is refused until one is closed', async () => {
    const made = await edge.keyFor(['infer']);
    const open = await openMany(echoAt(edge), bearer(made.key), MOST - 1);
    const last = await openSocket(made.key);

    const refused = await upgrade(echoAt(edge), bearer(made.key));

    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(refused.body)).toMatchObject({
      code: 'rate_limited',
      retryable: true,
      detail:
        'sockets: This key has 20 of 20: end some, or try again in 10 s, or ask an administrator.',
      ...{ quota: 'sockets', scope: 'owner', limit: 20, used: 20, reset_s: 10 },
    });
    // The service was not to blame, nor asked.
    const record = await send(new URL('/services/echo', edge.gateway), { key: edge.admin });
    expect(ServiceRecord.parse(await record.json()).instances[0]).toMatchObject({
      consecutive_failures: 0,
      in_flight: 0,
    });
    const closed = codeOf(last);
    last.close(4000, 'done');
    expect(await closed).toEqual([4000, 'done']);
    const again = await openMany(echoAt(edge), bearer(made.key), 1);
    expect((await upgrade(echoAt(edge), bearer(made.key))).status).toBe(429);
    hangUp([...open, ...again]);
  });

  it('give their places back when their connections break', async () => {
    const { key: text } = await edge.keyFor(['infer']);
    const open = await openMany(echoAt(edge), bearer(text), MOST);

    open[0]?.socket?.resetAndDestroy();
    open[1]?.socket?.destroy();

    const opened: Upgraded[] = [];
    const openOne = async () => {
      const answer = await upgrade(echoAt(edge), bearer(text));
      opened.push(answer);
      expect(answer.status).toBe(101);
    };
    await vi.waitFor(openOne, SOON);
    await vi.waitFor(openOne, SOON);
    expect((await upgrade(echoAt(edge), bearer(text))).status).toBe(429);
    hangUp([...open, ...opened]);
  });

  it('are counted with those of its sessions, and not with those of another key', async () => {
    const { key: text } = await edge.keyFor(['infer']);
    const signedIn = await send(new URL('/api/session', edge.gateway), {
      method: 'POST',
      json: { key: text },
    });
    const [cookie = ''] = signedIn.headers.getSetCookie()[0]?.split(';') ?? [];
    const open = await openMany(echoAt(edge), bearer(text), MOST - 1);
    const withCookie = await openMany(echoAt(edge), { cookie }, 1);

    expect((await upgrade(echoAt(edge), { cookie })).status).toBe(429);
    const other = await edge.keyFor(['infer']);
    const others = await openMany(echoAt(edge), bearer(other.key), 1);
    hangUp([...open, ...withCookie, ...others]);
  });

  it('cost no place where the service opens none, or takes too long', async () => {
    await using silent = await startUpstream((asked, answer) => {
      if (asked.url === '/health' || asked.url === '/no') answer.end('well');
    });
    const vars = { UPSTREAMS: { silent: silent.url }, UPSTREAM_TIMEOUT_MS: 200 };
    await using hasty = await startGuardedEdge({ vars });
    const { key: text } = await hasty.keyFor(['infer']);

    const statuses = new Set<number>();
    for (let i = 0; i < MOST + 1; i++) {
      for (const path of ['/silent/no', '/silent/never']) {
        statuses.add((await upgrade(new URL(path, hasty.gateway), bearer(text))).status);
      }
    }

    expect([...statuses].toSorted()).toEqual([200, 504]);
  });

  it('are all free after a restart', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-sockets-'));
    const options = { stateDir, vars: { UPSTREAMS: { echo: echo.url } } };
    const first = await startGuardedEdge(options);
    const { key: text } = await first.keyFor(['infer']);
    await openMany(echoAt(first), bearer(text), MOST);
    // This ends workerd with SIGKILL.
    await first[Symbol.asyncDispose]();

    await using second = await startEdge({
      ...options,
      vars: { ...options.vars, AUTH_MODE: 'required' },
    });
    const open = await openMany(echoAt(second), bearer(text), MOST);
    expect((await upgrade(echoAt(second), bearer(text))).status).toBe(429);
    hangUp(open);
    rmSync(stateDir, { recursive: true });
  });
});

describe('the WebSockets of this machine', () => {
  it('are one caller with two hundred', async () => {
    await using own = await startEdge({ vars: { UPSTREAMS: { echo: echo.url } } });
    const open = await openMany(echoAt(own), {}, MAX_LOCAL);

    expect((await upgrade(echoAt(own), {})).status).toBe(429);
    hangUp(open);
  });
});

describe('a WebSocket', () => {
  it('hands on text, bytes and the code it is closed with', async () => {
    const { key: text } = await edge.keyFor(['infer']);
    const socket = await openSocket(text);
    socket.binaryType = 'arraybuffer';

    expect(socket.protocol).toBe('chat');
    expect(await said(socket, 'one')).toBe('echo:one');
    expect(await said(socket, 'ü'.repeat(100_000))).toBe(`echo:${'ü'.repeat(100_000)}`);
    const bytes = (await said(socket, Uint8Array.of(0, 255, 128))) as ArrayBuffer;
    expect([...new Uint8Array(bytes)]).toEqual([0, 255, 128]);
    const closed = codeOf(socket);
    await said(socket, 'one more');
    socket.close();
    expect((await closed)[0]).toBe(1005);
  });

  it('is notified when its service breaks off', async () => {
    const own = await startEcho();
    await using single = await startEdge({ vars: { UPSTREAMS: { own: own.url } } });
    const url = new URL('/own/', single.gateway);
    url.protocol = 'ws:';
    const socket = new WebSocket(url);
    await once(socket, 'open');

    const closed = codeOf(socket);
    await own[Symbol.asyncDispose]();

    expect(await closed).toEqual([1011, 'the other side broke off']);
  });

  const ENDED = [4401, 'the credentials have ended'];

  it.concurrent('ends with 4401 when its key is revoked, and no other does', async () => {
    const { key: text, key_id } = await edge.keyFor(['infer']);
    const other = await openSocket((await edge.keyFor(['infer'])).key);
    const socket = await openSocket(text);
    const closed = codeOf(socket);

    await send(new URL(`/api/keys/${key_id}`, edge.gateway), { key: edge.admin, method: 'DELETE' });

    const revokedAt = Date.now();
    expect(await closed).toEqual(ENDED);
    expect(Date.now() - revokedAt).toBeLessThan(6_000);
    expect(await said(other, 'still here')).toBe('echo:still here');
    other.close();
  });

  it.concurrent('ends with 4401 when its token has expired', async () => {
    const until = Date.now() + 4_000;
    const socket = await openSocket(await tokenFor(4));
    const closed = codeOf(socket);
    expect(await said(socket, 'early')).toBe('echo:early');

    expect(await closed).toEqual(ENDED);
    expect(Date.now()).toBeGreaterThan(until - 1_000);
    expect(Date.now()).toBeLessThan(until + 5_000);
  });

  it.concurrent('that a ticket opened ends with the credentials the ticket was made with', async () => {
    const issued = await send(new URL('/ws/tickets', edge.gateway), {
      key: await tokenFor(4),
      method: 'POST',
    });
    const { ticket } = (await issued.json()) as { ticket: string };
    const url = new URL(`/echo/?ticket=${ticket}`, edge.gateway);
    url.protocol = 'ws:';
    const socket = new WebSocket(url);
    await once(socket, 'open');

    expect(await codeOf(socket)).toEqual(ENDED);
  });

  it.concurrent('ends with 4401 when its session is closed', async () => {
    const { key: text } = await edge.keyFor(['infer']);
    const at = new URL('/api/session', edge.gateway);
    const signedIn = await send(at, { method: 'POST', json: { key: text } });
    const { csrf_token } = (await signedIn.json()) as { csrf_token: string };
    const [cookie = ''] = signedIn.headers.getSetCookie()[0]?.split(';') ?? [];
    const [opened] = await openMany(echoAt(edge), { cookie }, 1);
    const frame = once(opened!.socket!, 'data');

    const headers = { cookie, 'x-spikegrid-csrf': csrf_token };
    expect((await send(at, { method: 'DELETE', headers })).status).toBe(204);

    const [bytes] = (await frame) as [Buffer];
    // RFC 6455, section 5.5.1: a close frame starts with its code.
    expect([bytes[0], bytes.readUInt16BE(2)]).toEqual([0x88, 4401]);
    opened?.socket?.destroy();
  });
});

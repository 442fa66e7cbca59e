import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IDENTITY_HEADER } from '../../edge/contract/identity.ts';
import { problemOf } from './harness.ts';
import { signedIn } from './identity-signer.ts';
import { type GuardedEdge, send, type Sending, startGuardedEdge } from './keys-in-hand.ts';
import { startUpstream, type Upstream } from './upstream.ts';

interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** The headers of the next answer. */
let answers: Readonly<Record<string, string>> = {};
let edge: GuardedEdge;
let mirror: Upstream;
/** Requests that the service received, the latest last. */
const seen: Seen[] = [];

beforeAll(async () => {
  mirror = await startUpstream((request, response) => {
    const { url = '', headers } = request;
    if (url !== '/health') seen.push({ url, headers });
    for (const [name, value] of Object.entries(answers)) response.setHeader(name, value);
    response.end('fine');
  });
  edge = await startGuardedEdge({ vars: { TARGET_ALLOWLIST: ['127.0.0.0/8'] } });
  const json = { name: 'mirror', url: mirror.url };
  const answer = await ask('/services/register', { key: edge.admin, method: 'POST', json });
  expect(answer.status).toBe(201);
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await mirror[Symbol.asyncDispose]();
});

const ask = (path: string, sending: Sending = {}) => send(new URL(path, edge.gateway), sending);
const lastSeen = () => JSON.stringify(seen.at(-1));

describe('a service outside of the Worker', () => {
  it('is not reached without credentials, nor with wrong ones', async () => {
    const before = seen.length;
    const wrong = `${edge.admin.slice(0, -1)}${edge.admin.endsWith('0') ? '1' : '0'}`;

    for (const sending of [{}, { key: wrong }, { headers: { [IDENTITY_HEADER]: 'forged' } }]) {
      const answer = await ask('/mirror/x', sending);
      expect(answer.status).toBe(401);
      expect((await problemOf(answer)).code).toBe('unauthenticated');
    }
    expect(seen.length).toBe(before);
  });

  it('learns the owner and scopes of the key, but not the key', async () => {
    const { key, key_id } = await edge.keyFor(['infer', 'registry:read']);

    const answer = await ask('/mirror/x', { key, headers: { [IDENTITY_HEADER]: 'forged' } });

    expect(answer.status).toBe(200);
    expect(signedIn(seen.at(-1)?.headers ?? {})).toMatchObject({
      aud: 'mirror',
      htm: 'GET',
      htu: '/x',
      caller: { kind: 'key', id: key_id, team: 'default', scopes: ['infer', 'registry:read'] },
      here: false,
    });
    expect(seen.at(-1)?.headers.authorization).toBeUndefined();
    expect(lastSeen()).not.toContain(key);
  });

  it('does not see the session of a browser, though it lives on the same origin', async () => {
    const signIn = await ask('/api/session', { method: 'POST', json: { key: edge.admin } });
    const [session = ''] = signIn.headers.getSetCookie()[0]?.split(';') ?? [];
    const headers = { cookie: `theme=dark; ${session}; CF_Authorization=secret` };

    const answer = await ask('/mirror/x', { headers });

    expect([session.length > 50, answer.status]).toEqual([true, 200]);
    expect(seen.at(-1)?.headers.cookie).toBeUndefined();
    expect(signedIn(seen.at(-1)?.headers ?? {}).caller.kind).toBe('session');
  });

  it('does not see what opens a WebSocket', async () => {
    const { key } = await edge.keyFor(['infer']);
    const ticket = (await (await ask('/ws/tickets', { key, method: 'POST' })).json()) as {
      ticket: string;
    };
    const encoded = Buffer.from(key).toString('base64url');

    for (const [query, protocols] of [
      [`?a=1&ticket=${ticket.ticket}`, ['chat']],
      ['?a=1', ['chat', `bearer.${encoded}`]],
    ] as const) {
      const url = new URL(`/mirror/socket${query}`, edge.gateway);
      url.protocol = 'ws:';
      const socket = new WebSocket(url, [...protocols]);
      // The mirror speaks no WebSocket: what counts is what it was asked.
      await once(socket, 'error');

      expect(seen.at(-1)).toMatchObject({
        url: '/socket?a=1',
        headers: { upgrade: 'websocket', 'sec-websocket-protocol': 'chat' },
      });
    }
  });
});

describe('what a service outside of the Worker answers', () => {
  const HARMFUL = {
    'set-cookie': 'theme=stolen; Path=/',
    'clear-site-data': '"*"',
    'service-worker-allowed': '/',
    'strict-transport-security': 'max-age=1',
    'alt-svc': 'h3="evil.example:443"',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': 'script-src *',
    refresh: '0; url=https://evil.example',
    link: '</x.js>; rel=preload; as=script',
    'www-authenticate': 'Basic realm="spikegrid"',
  };
  const answered = async (type: string, headers: Record<string, string> = {}) => {
    answers = { ...HARMFUL, ...(type !== '' && { 'content-type': type }) };
    const answer = await ask('/mirror/page', { key: edge.admin, headers });
    answers = {};
    return answer;
  };

  it.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/xhtml+xml',
    'image/svg+xml',
    'text/xml',
    'application/xml',
    'text/javascript',
    'application/pdf',
    'text/css',
    'multipart/x-mixed-replace; boundary=x',
    'nonsense',
    '',
  ])('is saved and not shown under the origin of the dashboard: %j', async (type) => {
    const { headers } = await answered(type);

    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each(['application/json', 'text/plain; charset=utf-8', 'text/event-stream', 'image/png'])(
    'is shown where nothing in it can act: %s, though nothing of it speaks for the origin',
    async (type) => {
      const { headers } = await answered(type);

      expect(headers.has('content-disposition')).toBe(false);
      expect(headers.get('content-security-policy')).toContain('sandbox');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      const { 'content-security-policy': _, 'cross-origin-resource-policy': __, ...gone } = HARMFUL;
      expect(Object.keys(gone).filter((name) => headers.has(name))).toEqual([]);
    },
  );

  it.each(['script', 'serviceworker', 'worker', 'style', 'iframe'])(
    'is not used as %s by any page',
    async (use) => {
      const before = seen.length;
      const { status } = await answered('text/javascript', { 'sec-fetch-dest': use });

      expect([status, seen.length]).toEqual([403, before]);
    },
  );
});

describe('the services', () => {
  it('are for administrators to change, and for whoever has credentials to see', async () => {
    const { key } = await edge.keyFor(['infer']);
    const json = { name: 'own', url: mirror.url };

    const refused = [
      await ask('/services/register', { key, method: 'POST', json }),
      await ask('/services/mirror', { key, method: 'DELETE' }),
    ];

    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect((await ask('/services', { key })).status).toBe(200);
    expect((await ask('/services')).status).toBe(401);
    expect((await ask('/mirror/x', { key })).status).toBe(200);
  });

  it('are in the audit log with who registered and removed them', async () => {
    const json = { name: 'audited', url: mirror.url };
    await ask('/services/register', { key: edge.admin, method: 'POST', json });
    await ask('/services/register', { key: edge.admin, method: 'POST', json });
    await ask('/services/audited', { key: edge.admin, method: 'DELETE' });

    const log = await (await ask('/api/audit', { key: edge.admin })).json();

    const { events } = log as { events: { action: string; target: string }[] };
    // A registration that only renews is none.
    expect(events.filter(({ target }) => target === 'audited').map(({ action }) => action)).toEqual(
      ['service.delete', 'service.register'],
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Session } from '../../edge/access/contract/session.ts';
import { type Edge, problemOf, startEdge } from './harness.ts';
import { send } from './keys-in-hand.ts';
import { getRaw, sendRaw } from './raw-http.ts';

const PAGE = 'https://app.example';
/** A page of this machine, as a server for development serves it. */
const DEVELOPED = 'http://localhost:5173';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ vars: { CORS_ORIGINS: [PAGE, DEVELOPED], FAILED_AUTH_PER_MIN: 1000 } });
});
afterAll(() => edge[Symbol.asyncDispose]());

const keys = () => new URL('/api/keys', edge.gateway);

/** GET as it is, under any host name and with any headers. */
const askAs = (host: string, ...headers: string[]) =>
  sendRaw(
    edge.gateway,
    ['GET /api/keys HTTP/1.1', `Host: ${host}`, 'Connection: close', ...headers, '\r\n'].join(
      '\r\n',
    ),
  );

describe('a machine of one’s own', () => {
  it('requires no credentials, and allows everything but running tests', async () => {
    expect((await send(keys())).status).toBe(200);

    const session = await send(new URL('/api/session', edge.gateway));
    const { kind, scopes, auth_mode } = Session.parse(await session.json());
    expect([auth_mode, kind, scopes.includes('admin'), scopes.includes('test:run')]).toEqual([
      'local',
      'local',
      true,
      false,
    ]);
  });

  it('gives nobody what it has not itself', async () => {
    const json = { name: 'runner', scopes: ['test:run'] };
    const refused = await send(keys(), { method: 'POST', json });

    expect((await problemOf(refused)).code).toBe('forbidden');
  });

  it.each(['localhost:1', '127.0.0.1', '127.9.9.9:80', '[::1]:8000', 'spikegrid.localhost'])(
    'is known by the name %s',
    async (host) => expect((await askAs(host)).status).toBe(200),
  );

  // DNS rebinding: a page of evil.example, whose name was pointed at 127.0.0.1 in the meantime.
  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'notlocalhost',
    '10.0.0.1',
    '0.0.0.0',
    '[::ffff:7f00:1]',
  ])('is not known by the name %s', async (host) => {
    const { status, text } = await askAs(host);

    expect(status).toBe(401);
    expect(text).toMatch(/www-authenticate: Bearer/i);
  });

  it.each([
    'X-Forwarded-For: 127.0.0.1',
    'Forwarded: for=127.0.0.1',
    'X-Forwarded-Host: localhost',
    'X-Forwarded-Proto: http',
    'X-Real-IP: 127.0.0.1',
    'Via: 1.1 proxy',
  ])('does not let through what came by a proxy (%s)', async (header) =>
    expect((await askAs('localhost', header)).status).toBe(401),
  );

  it.each([
    ['Origin: https://evil.example'],
    ['Origin: null'],
    ['Origin: http://localhost:1'],
    ['Sec-Fetch-Site: cross-site'],
  ])('refuses pages of others (%s)', async (header) => {
    const { status, text } = await askAs(edge.gateway.host, header);

    expect(status).toBe(403);
    expect(text).toContain('origin_not_allowed');
  });

  it('serves its own page; those of elsewhere that may call it need a key', async () => {
    const own = await askAs(edge.gateway.host, `Origin: ${edge.gateway.origin}`);
    const here = await askAs(edge.gateway.host, `Origin: ${DEVELOPED}`);
    const told = await send(keys(), { headers: { origin: PAGE } });

    expect([own.status, here.status, told.status]).toEqual([200, 200, 401]);
    expect(told.headers.get('access-control-allow-origin')).toBe(PAGE);
  });

  it.each([
    { language: 'en', host: 'evil.example', wanted: 401, words: 'sign in with a key' },
    { language: 'ja', host: 'evil.example', wanted: 401, words: 'キーでサインイン' },
    { language: 'en', more: 'X-Forwarded-For: ::1', wanted: 401, words: 'through no proxy' },
    { language: 'en', more: 'Sec-Fetch-Site: cross-site', wanted: 403, words: 'another site' },
  ])(
    'tells a browser in $language how to come in, as $host with $more',
    async ({ language, host = edge.gateway.host, more = 'DNT: 1', wanted, words }) => {
      const asked = ['Accept: text/html,*/*;q=0.8', `Accept-Language: ${language}-XX,fr;q=0.5`];
      const { status, text } = await askAs(host, ...asked, more);

      expect(status).toBe(wanted);
      expect(text).toMatch(/content-type: text\/html; charset=utf-8/i);
      expect(text).toMatch(/content-security-policy: default-src 'none'/i);
      expect(Buffer.from(text, 'latin1').toString()).toContain(words);
    },
  );

  it('shows nothing of a request unescaped on that page', async () => {
    const page = await sendRaw(
      edge.gateway,
      [
        "GET /registry/models/'$(id)?a='&lt;b=1 HTTP/1.1",
        'Host: evil.example',
        'Accept: text/html',
        'Connection: close',
        '\r\n',
      ].join('\r\n'),
    );

    expect(page.text).toContain('/models/%27$(id)?a=%27&amp;lt;b=1&#39;</code>');
  });

  it.each(['Bearer sg_wrong', 'Bearer eyJ.eyJ.x', 'Basic YTpi', 'Bearer'])(
    'refuses credentials that do not hold: %j',
    async (authorization) => {
      const refused = await send(keys(), { headers: { authorization } });

      expect((await problemOf(refused)).code).toBe('unauthenticated');
    },
  );

  it('takes a path only as it is, also through the gateway', async () => {
    for (const path of [
      '/registry/../api/keys',
      '/registry/%2e%2e/api/keys',
      '/registry/..%2fapi/keys',
      '/api/keys/..%5c..',
      '/api/keys/%00',
    ]) {
      expect((await getRaw(edge.gateway, path)).text).toContain('unsafe_path');
    }
  });
});

describe('pages of another origin', () => {
  const preflight = (origin: string, path = '/registry/models/register') =>
    fetch(new URL(path, edge.gateway), {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  it.each(['/registry/models/register', '/api/keys', '/nothing/here'])(
    'are told that they may send requests to %s where they are allowed to',
    async (path) => {
      const answer = await preflight(PAGE, path);

      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
      expect(answer.headers.get('access-control-allow-methods')).toContain('PATCH');
      expect(answer.headers.get('access-control-allow-headers')).toContain('idempotency-key');
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    },
  );

  it('learn nothing where they are not', async () => {
    const answer = await preflight('https://evil.example');

    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    expect(answer.headers.get('vary')).toContain('origin');
  });

  it('may read answers and refusals, with their headers', async () => {
    for (const path of ['/registry/models', '/registry/models/none']) {
      const answer = await send(new URL(path, edge.gateway), { headers: { origin: PAGE } });

      expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE);
      expect(answer.headers.get('access-control-expose-headers')).toContain('ratelimit');
    }
  });
});

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditList } from '../../edge/access/contract/audit.ts';
import { createApiKey, formatApiKey } from '../../edge/access/contract/api-key.ts';
import { Session, Ticket } from '../../edge/access/contract/session.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';

let edge: GuardedEdge;
beforeAll(async () => {
  edge = await startGuardedEdge({ vars: { FAILED_AUTH_PER_MIN: 1000 } });
});
afterAll(() => edge[Symbol.asyncDispose]());

const at = (path: string) => new URL(path, edge.gateway);
const ORIGIN = () => edge.gateway.origin;

interface Browser {
  readonly cookie: string;
  readonly session: Session;
  readonly setCookie: string;
}

async function signIn(key: string, headers = {}): Promise<Browser> {
  const answer = await send(at('/api/session'), { method: 'POST', json: { key }, headers });
  expect(answer.status).toBe(201);
  const setCookie = answer.headers.get('set-cookie') ?? '';
  const [cookie = ''] = setCookie.split(';');
  return { cookie, setCookie, session: Session.parse(await answer.json()) };
}

describe('a session of the dashboard', () => {
  it('is a cookie that scripts cannot read and other sites cannot send', async () => {
    const { key, key_id } = await edge.keyFor(['registry:read']);
    const { setCookie, cookie, session } = await signIn(key);

    expect(setCookie).toMatch(
      /^spikegrid_session=[0-9a-z]{52}\.[0-9a-z]{52}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43(?:200|19\d)$/,
    );
    expect(session).toMatchObject({ auth_mode: 'required', kind: 'session', id: key_id });
    const shown = await send(at('/api/session'), { headers: { cookie } });
    expect(Session.parse(await shown.json())).toEqual(session);
    expect(JSON.stringify(session)).not.toContain(cookie.split('.')[1]);
    expect((await send(at('/registry/models'), { headers: { cookie } })).status).toBe(200);
    expect((await send(at('/api/keys'), { headers: { cookie } })).status).toBe(403);
  });

  it('needs its token for what changes something', async () => {
    const { cookie, session } = await signIn(edge.admin);
    const make = (headers: Record<string, string>) =>
      send(at('/api/keys'), {
        method: 'POST',
        json: { name: 'by session', scopes: ['infer'] },
        headers: { cookie, ...headers },
      });
    const token = session.csrf_token ?? '';
    const other = await signIn(edge.admin);

    expect((await make({ 'x-spikegrid-csrf': token, origin: ORIGIN() })).status).toBe(201);
    expect((await make({ 'x-spikegrid-csrf': token })).status).toBe(201);
    for (const wrong of ['', token.slice(1), `${token}0`, other.session.csrf_token ?? '']) {
      const headers =
        wrong === 'é' ? { 'x-spikegrid-csrf': '%C3%A9' } : { 'x-spikegrid-csrf': wrong };
      expect((await problemOf(await make(headers))).code).toBe('forbidden');
    }
    expect((await problemOf(await make({}))).code).toBe('forbidden');
  });

  it.each([
    ['https://evil.example', {}],
    ['null', {}],
    ['http://localhost:1', {}],
    [undefined, { 'sec-fetch-site': 'cross-site' }],
  ])('is no use to pages of %s', async (origin, extra) => {
    const { cookie, session } = await signIn(edge.admin);
    const headers = { cookie, 'x-spikegrid-csrf': session.csrf_token ?? '', ...extra };
    const refused = await send(at('/api/keys'), {
      method: 'POST',
      json: { name: 'x', scopes: ['infer'] },
      headers: origin === undefined ? headers : { ...headers, origin },
    });

    expect((await problemOf(refused)).code).toBe('origin_not_allowed');
  });

  it('cannot be opened by another page, in anybody’s name', async () => {
    const refused = await send(at('/api/session'), {
      method: 'POST',
      json: { key: edge.admin },
      headers: { origin: 'https://evil.example' },
    });

    expect((await problemOf(refused)).code).toBe('origin_not_allowed');
  });

  it('ends when it is signed out, and the cookie with it', async () => {
    const { cookie, session } = await signIn(edge.admin);
    const token = { 'x-spikegrid-csrf': session.csrf_token ?? '' };
    const without = await send(at('/api/session'), { method: 'DELETE', headers: { cookie } });
    expect((await problemOf(without)).code).toBe('forbidden');

    const out = await send(at('/api/session'), { method: 'DELETE', headers: { cookie, ...token } });

    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
    const refused = await send(at('/registry/models'), { headers: { cookie } });
    expect(refused.status).toBe(401);
    const shown = Session.parse(
      await (await send(at('/api/session'), { headers: { cookie } })).json(),
    );
    expect(shown).toMatchObject({ kind: 'anonymous', scopes: [], csrf_token: null });
  });

  it('ends with its key', async () => {
    const { key, key_id } = await edge.keyFor(['registry:read']);
    const { cookie } = await signIn(key);
    expect((await send(at('/registry/models'), { headers: { cookie } })).status).toBe(200);

    await send(at(`/api/keys/${key_id}`), { key: edge.admin, method: 'DELETE' });

    expect((await send(at('/registry/models'), { headers: { cookie } })).status).toBe(401);
  });

  it.each(['nonsense', formatApiKey(createApiKey())])('is not opened with %s', async (key) => {
    const refused = await send(at('/api/session'), { method: 'POST', json: { key } });

    expect(refused.headers.has('set-cookie')).toBe(false);
    expect((await problemOf(refused)).code).toBe('unauthenticated');
  });

  it('leaves its way in and out, and failures, in the audit log', async () => {
    const { key, key_id } = await edge.keyFor(['infer']);
    const { cookie, session } = await signIn(key);
    const token = { 'x-spikegrid-csrf': session.csrf_token ?? '' };
    await send(at('/api/session'), { method: 'DELETE', headers: { cookie, ...token } });
    await send(at(`/api/keys/${key_id}`), { key: edge.admin, method: 'DELETE' });
    await send(at('/api/session'), { method: 'POST', json: { key } });

    const text = await (await send(at(`/api/audit?target=${key_id}`), { key: edge.admin })).text();

    const actions = AuditList.parse(JSON.parse(text)).events.map(({ action }) => action);
    expect(actions).toEqual([
      'session.failed',
      'key.revoke',
      'session.logout',
      'session.login',
      'key.create',
    ]);
    expect(text).not.toContain(key.split('_')[2]);
  });
});

describe('a ticket for a WebSocket', () => {
  /** The status of a request to open a WebSocket. */
  const upgrade = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(at(path), {
        agent: false,
        headers: {
          connection: 'upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
          ...headers,
        },
      });
      asked.on('error', reject);
      asked.on('response', (answer) => {
        answer.destroy();
        resolve(answer.statusCode);
      });
      asked.end();
    });
  const issue = async (key: string) =>
    Ticket.parse(await (await send(at('/ws/tickets'), { key, method: 'POST' })).json());

  it('opens one socket with what its caller may do, and no second one', async () => {
    const { ticket, expires_at } = await issue(edge.admin);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(30_000);

    // Behind the gateway a service's own routes decide; this one is public, so that only the
    // gateway's look at the ticket counts.
    const first = await upgrade(`/registry/health/live?ticket=${ticket}`);
    const second = await upgrade(`/registry/health/live?ticket=${ticket}`);

    expect([first, second]).toEqual([200, 401]);
  });

  it('is none once the key of its caller was revoked', async () => {
    const { key, key_id } = await edge.keyFor(['infer']);
    const { ticket } = await issue(key);
    await send(at(`/api/keys/${key_id}`), { key: edge.admin, method: 'DELETE' });

    expect(await upgrade(`/registry/health/live?ticket=${ticket}`)).toBe(401);
  });

  it('is none where the request opens no WebSocket', async () => {
    const { ticket } = await issue(edge.admin);

    expect((await send(at(`/services?ticket=${ticket}`))).status).toBe(401);
  });

  it('can be left out where a subprotocol carries the key', async () => {
    const bearer = (text: string) => `bearer.${Buffer.from(text).toString('base64url')}`;
    const open = (text: string) =>
      upgrade('/registry/models', {
        'sec-websocket-protocol': `spikegrid.logs.v1, ${bearer(text)}`,
      });

    expect(await open(edge.admin)).toBe(200);
    expect(await open('sg_wrong')).toBe(401);
  });

  it.each(['key', 'token', 'ticket', 'access_token'])(
    'is the only credential a URL may hold: no key as %s',
    async (name) => {
      const refused = await send(at(`/registry/models?${name}=${edge.admin}`));

      const problem = await problemOf(refused);
      expect(problem.errors?.[0]?.code).toBe('credential_in_url');
      expect(JSON.stringify(problem)).not.toContain(edge.admin);
    },
  );
});

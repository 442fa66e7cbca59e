import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Session } from '../../edge/access/contract/session.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'spikegrid';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

const pair = (alg: string) => generateKeyPair(alg, { extractable: true });
const pairs: Record<string, Pair> = {
  EdDSA: await pair('EdDSA'),
  ES256: await pair('ES256'),
  RS256: await pair('RS256'),
};
const keys = await Promise.all(
  Object.entries(pairs).map(async ([alg, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    kid: alg,
    alg,
    use: 'sig',
  })),
);

const other = await pair('EdDSA');
/** The public key as text: what a careless check would take for the secret of HS256. */
const publicText = new TextEncoder().encode(await exportSPKI(pairs['RS256']!.publicKey));

interface Claims {
  readonly alg: string;
  readonly key?: Pair['privateKey'] | Uint8Array;
  readonly kid?: string;
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly issuedAt: number;
  readonly lifeS: number;
  readonly scopes: Record<string, unknown>;
}

const now = () => Math.floor(Date.now() / 1000);

function tokenOf(claims: Partial<Claims> = {}): Promise<string> {
  const { alg, kid, key, scopes, issuer, audience, subject, issuedAt, lifeS }: Claims = {
    alg: 'EdDSA',
    issuer: ISSUER,
    audience: AUDIENCE,
    subject: 'someone',
    issuedAt: now(),
    lifeS: 600,
    scopes: { scope: 'registry:read other' },
    ...claims,
  };
  return new SignJWT(scopes)
    .setProtectedHeader({ alg, kid: kid ?? alg })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifeS)
    .sign(key ?? pairs[alg]!.privateKey);
}

/** A token with its payload changed after it was signed. */
async function edited(change: Record<string, unknown>): Promise<string> {
  const [head, payload = '', signature] = (await tokenOf()).split('.');
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change };
  return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}

let edge: GuardedEdge;
beforeAll(async () => {
  const vars = {
    JWT_ISSUER: ISSUER,
    JWT_AUDIENCE: AUDIENCE,
    JWT_JWKS: { keys },
    FAILED_AUTH_PER_MIN: 1000,
  };
  edge = await startGuardedEdge({ vars });
});
afterAll(() => edge[Symbol.asyncDispose]());

const models = (key: string) => send(new URL('/registry/models', edge.gateway), { key });

describe('a token', () => {
  it.each(['EdDSA', 'ES256', 'RS256'])('signed with %s is taken', async (alg) => {
    const answer = await models(await tokenOf({ alg }));

    expect(answer.status).toBe(200);
  });

  it.each([
    ['scope', { scope: 'registry:read metrics:read unknown' }],
    ['permissions', { permissions: ['registry:read', 'metrics:read', 7] }],
  ])('may do what its %s says, as far as it means something here', async (_, scopes) => {
    const key = await tokenOf({ scopes });
    const shown = await send(new URL('/api/session', edge.gateway), { key });

    const session = Session.parse(await shown.json());
    expect(session).toMatchObject({ kind: 'token', id: 'someone' });
    expect(session.scopes).toEqual(['registry:read', 'metrics:read']);
    expect((await send(new URL('/api/keys', edge.gateway), { key })).status).toBe(403);
  });

  const forgeries: Readonly<Record<string, () => Promise<string> | string>> = {
    'that is not signed (alg none)': () =>
      new UnsecuredJWT({ scope: 'admin' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject('x')
        .setIssuedAt()
        .setExpirationTime('10m')
        .encode(),
    'signed with HS256 and the public key for a secret': () =>
      tokenOf({ alg: 'HS256', key: publicText, kid: 'RS256' }),
    'signed with an algorithm that is not taken (ES384)': async () =>
      tokenOf({ alg: 'ES384', key: (await pair('ES384')).privateKey, kid: 'ES256' }),
    'signed by somebody else': () => tokenOf({ key: other.privateKey }),
    'signed with a key the issuer does not have': () => tokenOf({ kid: 'unknown' }),
    'that has expired': () => tokenOf({ issuedAt: now() - 700 }),
    'that holds for more than an hour': () => tokenOf({ lifeS: 3601 }),
    'that was made in the future, to hold for longer': () => tokenOf({ issuedAt: now() + 60 }),
    'of another issuer': () => tokenOf({ issuer: 'https://other.example' }),
    'for somebody else': () => tokenOf({ audience: 'other' }),
    'of nobody': () => tokenOf({ subject: '' }),
    'with other scopes than were signed': () => edited({ scope: 'admin' }),
    'with another end than was signed': () => edited({ exp: now() + 3000 }),
    'cut short': async () => (await tokenOf()).slice(0, -10),
    'without its signature': async () => (await tokenOf()).replace(/[^.]*$/, ''),
    'that is none': () => 'eyJ.eyJ.x',
  };

  it.each(Object.entries(forgeries))('%s is refused', async (_, make) => {
    const refused = await models(await make());

    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect((await problemOf(refused)).code).toBe('unauthenticated');
  });
});

describe('keys that are fetched', () => {
  it('are used for tokens and for what Cloudflare Access says', async () => {
    let asked = 0;
    const server = createServer((_, answer) => {
      asked += 1;
      answer.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using fetching = await startGuardedEdge({
      vars: {
        JWT_ISSUER: ISSUER,
        JWT_AUDIENCE: AUDIENCE,
        JWT_JWKS: `${base}/jwks.json`,
        CF_ACCESS_TEAM: base,
        CF_ACCESS_AUDIENCE: 'app',
      },
    });
    const url = new URL('/models', fetching.registry);
    const access = (claims: Partial<Claims>) =>
      tokenOf({ issuer: base, audience: 'app', ...claims });
    const asserted = async (claims: Partial<Claims>, headers = {}) =>
      send(url, { headers: { 'cf-access-jwt-assertion': await access(claims), ...headers } });

    expect((await send(url, { key: await tokenOf() })).status).toBe(200);
    expect((await send(url, { key: await tokenOf({ kid: 'ES256', alg: 'ES256' }) })).status).toBe(
      200,
    );
    expect(asked).toBe(1);
    // Access signs with RS256 and lets people stay for a day.
    expect((await asserted({ alg: 'RS256', lifeS: 86_400 })).status).toBe(200);
    expect((await asserted({ alg: 'ES256' })).status).toBe(401);
    expect((await asserted({ alg: 'RS256', audience: 'another-app' })).status).toBe(401);
    const elsewhere = { origin: 'https://evil.example' };
    const crossSite = await asserted({ alg: 'RS256' }, elsewhere);
    expect((await problemOf(crossSite)).code).toBe('origin_not_allowed');

    server.close();
  });

  it('answer 502 where nobody gives them', async () => {
    const vars = { JWT_ISSUER: ISSUER, JWT_AUDIENCE: AUDIENCE, JWT_JWKS: 'http://127.0.0.1:9/' };
    await using lonely = await startGuardedEdge({ vars });

    const refused = await send(new URL('/models', lonely.registry), { key: await tokenOf() });

    expect(await problemOf(refused)).toMatchObject({ code: 'upstream_error', retryable: true });
  });
});

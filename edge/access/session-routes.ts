import { accessOf } from './access-stub.ts';
import { audit } from './audit.ts';
import { clearSessionCookie, readSessionCookie, writeSessionCookie } from './credentials.ts';
import { identityOf } from './identify.ts';
import { countFailure, countRequest, guessesOf, presenterOf } from './limits.ts';
import { allowedOrigins } from './origin.ts';
import { checkOrigin } from '../http/origin.ts';
import {
  csrfTokenOf,
  forgetKey,
  grantIn,
  type Identity,
  presentedAs,
  presentKey,
  presentSession,
} from './verify.ts';
import type { accessEndpoints } from './endpoints.ts';
import { randomSecret } from './contract/api-key.ts';
import { IDENTITY_ALGORITHM } from '../contract/identity.ts';
import type { Session } from './contract/session.ts';
import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';

type SessionEndpoint = 'getSession' | 'identityKeys' | 'signIn' | 'signOut';
type Handled<K extends SessionEndpoint> = CallOf<Env, (typeof accessEndpoints)[K]>;
type Reply<K extends SessionEndpoint> = Promise<ReplyOf<(typeof accessEndpoints)[K]>>;

export async function getSession(call: Handled<'getSession'>): Reply<'getSession'> {
  const body = sessionOf(call.env, await identityOf(call));
  return { status: 200, body };
}

/** Exchanges a key for a session, whose cookie only the browser sees. */
export async function signIn(call: Handled<'signIn'>): Reply<'signIn'> {
  const { env, url, request, body } = call;
  // Otherwise another page could sign its visitors in as somebody else.
  checkOrigin(request, url, allowedOrigins(env));
  const cookie = { id: randomSecret(), secret: randomSecret() };
  const { keyId, ...granted } = await openSession(call, body.key, cookie);
  const caller: Caller = { kind: 'session', id: keyId, sessionId: cookie.id, ...granted };
  countRequest(call, caller);
  await audit({ ...call, caller }, { action: 'session.login', target: keyId });
  const maxAgeS = Math.floor(((granted.until ?? 0) - Date.now()) / 1000);
  const headers = { 'set-cookie': writeSessionCookie(cookie, url, maxAgeS) };
  const csrfToken = await csrfTokenOf(cookie);
  return { status: 201, body: sessionOf(env, { caller, csrfToken }), headers };
}

async function openSession(
  call: Handled<'signIn'>,
  text: string,
  cookie: { readonly id: string; readonly secret: string },
) {
  const presenter = presenterOf(call);
  try {
    const key = await presentKey(text);
    guessesOf(call.env).admit(presenter.from, presentedAs('key', key));
    const session = await presentSession(cookie);
    const grant = grantIn(await accessOf(call.env).openSession(key, session));
    guessesOf(call.env).held(presentedAs('session', session));
    return grant;
  } catch (error) {
    countFailure(presenter, error);
    if (error instanceof Problem && error.code === 'unauthenticated') {
      // The id of a key is no secret; where there is none, nothing of the text is recorded.
      const [, target = 'unknown'] = /^sg_([0-9a-z]{12})_/.exec(text) ?? [];
      await audit(call, { action: 'session.failed', target, detail: { reason: error.message } });
    }
    throw error;
  }
}

/** Ends the session and deletes its cookie; no effect without a session. */
export async function signOut(call: Handled<'signOut'>): Reply<'signOut'> {
  const { env, url, request } = call;
  const cookie = readSessionCookie(request.headers, url);
  const { caller } = await identityOf(call);
  if (cookie && caller.kind === 'session') {
    await accessOf(env).closeSession(cookie.id);
    forgetKey(caller.id);
    await audit({ ...call, caller }, { action: 'session.logout', target: caller.id });
  }
  const headers = { 'set-cookie': clearSessionCookie(url) };
  return { status: 204, body: undefined, headers };
}

/** Cached in this isolate: public keys never change. */
let publicKey: { readonly kid: string; readonly x: string } | undefined;

export async function identityKeys({ env }: Handled<'identityKeys'>): Reply<'identityKeys'> {
  if (!publicKey) {
    const { keyId: kid, publicJwk } = await accessOf(env).signingKey();
    publicKey = { kid, x: publicJwk.x ?? '' };
  }
  const key = { kty: 'OKP', crv: 'Ed25519', ...publicKey } as const;
  const body = { keys: [{ ...key, alg: IDENTITY_ALGORITHM, use: 'sig' } as const] };
  return { status: 200, body, headers: { 'cache-control': 'public, max-age=300' } };
}

function sessionOf(env: Env, { caller, csrfToken }: Identity): Session {
  const until = 'until' in caller ? caller.until : null;
  return {
    auth_mode: env.AUTH_MODE,
    kind: caller.kind,
    id: 'id' in caller ? caller.id : null,
    team: caller.kind === 'anonymous' ? null : caller.team,
    scopes: caller.kind === 'anonymous' ? [] : [...caller.scopes],
    csrf_token: csrfToken ?? null,
    expires_at: until === null ? null : new Date(until).toISOString(),
  };
}

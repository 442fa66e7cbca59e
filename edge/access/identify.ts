import { Scope } from '../contract/scope.ts';
import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Env } from '../env.ts';
import type { Call, Guard } from '../http/call.ts';
import { allows, type Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import { FIRST_KEY_NEEDED, lacksFirstKey } from './contract/first-key.ts';
import { CSRF_HEADER } from './contract/session.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import { verifyAccess, verifyToken } from './jwt.ts';
import { countFailure, countRequest, type Presenter, presenterOf } from './limits.ts';
import { sameHash } from './machine.ts';
import { allowedOrigins } from './origin.ts';
import { checkOrigin, isFromHere, isLoopbackOrigin } from '../http/origin.ts';
import { missingScope, noCredentials } from '../http/refusals.ts';
import { type Identity, redeemTicket, verifyKey, verifySession } from './verify.ts';

const LOCAL: Caller = {
  kind: 'local',
  team: DEFAULT_TEAM,
  scopes: Scope.options.filter((scope) => scope !== 'test:run'),
};
const ANONYMOUS: Identity = { caller: { kind: 'anonymous' } };

/**
 * Identifies the caller: as the gateway already did, else by the credentials of the request, else
 * by its origin. Invalid credentials are refused even where none are needed. Each request is
 * counted once.
 *
 * @throws Problem unauthenticated, forbidden, origin_not_allowed, invalid_parameter or
 * rate_limited
 */
export async function identify(call: Call<Env>): Promise<Caller> {
  return (await identityOf(call)).caller;
}

/** As `identify`, with what else is known of the caller. */
export async function identityOf(call: Call<Env>): Promise<Identity> {
  if (call.forwardedCaller) return { caller: call.forwardedCaller };
  const identity = await verified(call).catch((error: unknown) => {
    countFailure(presenterOf(call), error);
    throw error;
  });
  countRequest(call, identity.caller);
  return identity;
}

async function verified(call: Call<Env>): Promise<Identity> {
  const credentials = credentialsOf(call);
  switch (credentials.kind) {
    case 'bearer':
      return byToken(presenterOf(call), credentials.token);
    case 'ticket':
      return redeemTicket(presenterOf(call), credentials.ticket);
    case 'access':
      return byAccess(call, credentials.token);
    case 'cookie':
      return (await bySession(call, credentials)) ?? byPlace(call);
    case 'none':
      return byPlace(call);
  }
}

/**
 * The bearer of an API key or a token. @throws Problem unauthenticated, rate_limited or
 * upstream_error
 */
export async function byToken(presenter: Presenter, token: string): Promise<Identity> {
  if (token.startsWith('sg_')) return verifyKey(presenter, token);
  const { subject: id, ...granted } = await verifyToken(presenter.env, token);
  return { caller: { kind: 'token', id, ...granted } };
}

/** Access has a cookie of its own, so the browser may add this by itself. */
async function byAccess(call: Call<Env>, token: string): Promise<Identity> {
  const { subject: id, ...granted } = await verifyAccess(call.env, token);
  checkOrigin(call.request, call.url, allowedOrigins(call.env));
  return { caller: { kind: 'token', id, ...granted } };
}

async function bySession(
  call: Call<Env>,
  { cookie }: Extract<Credentials, { kind: 'cookie' }>,
): Promise<Identity | undefined> {
  const identity = await verifySession(presenterOf(call), cookie);
  if (identity) checkBrowser(call, identity);
  return identity;
}

/** CSRF: a page of another origin can make a browser send the cookie, but cannot read the token. */
function checkBrowser({ request, url }: Call<Env>, { csrfToken = '' }: Identity): void {
  checkOrigin(request, url, new Set());
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  if (isSafe || sameHash(csrfToken, request.headers.get(CSRF_HEADER) ?? '')) return;
  throw new Problem(
    'forbidden',
    `With a session, this needs the header ${CSRF_HEADER} with the csrf_token of GET /api/session.`,
  );
}

function byPlace({ request, url, env }: Call<Env>): Identity {
  if (env.AUTH_MODE !== 'local' || !isFromHere(request, url)) return ANONYMOUS;
  const allowed = allowedOrigins(env);
  // A page of another origin that may call the API needs a key: it is not local.
  const origin = request.headers.get('origin');
  if (origin !== null && allowed.has(origin) && !isLoopbackOrigin(origin)) return ANONYMOUS;
  checkOrigin(request, url, allowed);
  return { caller: LOCAL };
}

/** Admits a call that may use an endpoint. @throws Problem unauthenticated or forbidden */
export const guard: Guard<Env> = async (call, access) => {
  const caller = await identify(call);
  if (allows(caller, access)) return caller;
  throw caller.kind === 'anonymous' ? noCredentials(whyNone(call)) : missingScope(access);
};

function whyNone({ env, url }: Call<Env>): string {
  if (lacksFirstKey(env)) return `This needs credentials. ${FIRST_KEY_NEEDED}.`;
  if (env.AUTH_MODE === 'required') return 'This needs credentials, and the request has none.';
  return `Without credentials, only this machine may do this: by its own name, not as ${url.host}, and through no proxy.`;
}

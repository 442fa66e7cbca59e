import { hashSecret, parseApiKey } from '../contract/api-key.ts';
import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import type { Grant, Verdict } from '../objects/access-machine.ts';
import type { Presentation } from '../objects/access-object.ts';
import { accessOf } from './access-stub.ts';
import type { SessionCookie } from './cookies.ts';
import { createGrantCache } from './grant-cache.ts';
import { badCredentials } from './refusals.ts';

/** Who calls. */
export interface Identity {
  readonly caller: Caller;
  /** What unsafe requests with this session's cookie have to carry. */
  readonly csrfToken?: string;
}

/** In the memory of this isolate: most requests come with a key that was looked up a moment ago. */
const grants = createGrantCache();

/** Ends what this isolate remembers of a key, so that a revocation holds here at once. */
export const forgetKey = (keyId: string): void => grants.drop(keyId);

/** @throws Problem unauthenticated */
export async function verifyKey(env: Env, text: string): Promise<Identity> {
  const key = await presentKey(text);
  const lookUp = () => accessOf(env).verifyKey(key);
  const { keyId, team, scopes, until } = await grantOf(key, 'key', lookUp);
  return { caller: { kind: 'key', id: keyId, team, scopes, until } };
}

/** What an API key is looked up by. @throws Problem unauthenticated where the text is none */
export async function presentKey(text: string): Promise<Presentation> {
  const key = parseApiKey(text);
  if (!key) throw badCredentials('This is not an API key: expected sg_<id>_<secret>.');
  return { id: key.id, secretHash: await hashSecret(key.secret) };
}

/** Whose session a cookie holds; undefined where it holds none any more. */
export async function verifySession(
  env: Env,
  cookie: SessionCookie,
): Promise<Identity | undefined> {
  const session = await presentSession(cookie);
  const lookUp = () => accessOf(env).verifySession(session);
  const grant = await grantOf(session, 'session', lookUp).catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  if (!grant) return undefined;
  const { keyId: id, ...granted } = grant;
  const csrfToken = await csrfTokenOf(cookie);
  const caller: Caller = { kind: 'session', id, sessionId: session.id, ...granted };
  return { caller, csrfToken };
}

export const presentSession = async ({ id, secret }: SessionCookie): Promise<Presentation> => ({
  id,
  secretHash: await hashSecret(secret),
});

/** Whoever can read the cookie's secret needs no token; everybody else cannot make one. */
export const csrfTokenOf = ({ secret }: SessionCookie): Promise<string> =>
  hashSecret(`csrf:${secret}`);

/** Uses up a ticket. @throws Problem unauthenticated */
export async function redeemTicket(env: Env, ticket: string): Promise<Identity> {
  const caller = await accessOf(env).redeemTicket(await hashSecret(ticket));
  if (!caller) throw badCredentials('The ticket is unknown, was used already, or is too old.');
  return { caller };
}

function grantOf(
  { id, secretHash }: Presentation,
  kind: 'key' | 'session',
  lookUp: () => Promise<Verdict>,
): Promise<Grant> {
  const presented = `${kind}:${id}:${secretHash}`;
  const now = Date.now();
  const known = grants.find(presented, now);
  if (known) return Promise.resolve(known);
  return grants.remember(presented, now, async () => grantIn(await lookUp(), kind));
}

/** What a verdict grants. @throws Problem unauthenticated */
export function grantIn(verdict: Verdict, kind: 'key' | 'session' = 'key'): Grant {
  if (verdict.kind === 'valid') return verdict.grant;
  const name = kind === 'key' ? 'The API key' : 'The session';
  if (verdict.kind === 'unknown') throw badCredentials(`${name} is not valid.`);
  const since = new Date(verdict.since).toISOString();
  const what = verdict.kind === 'revoked' ? 'was revoked' : 'expired';
  throw badCredentials(`${name} ${what} at ${since}.`);
}

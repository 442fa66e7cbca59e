import { hashSecret, parseApiKey } from './contract/api-key.ts';
import type { Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import type { Grant, Verdict } from './machine.ts';
import type { PresentedCredential } from './object.ts';
import { accessOf } from './access-stub.ts';
import type { SessionCookie } from './credentials.ts';
import { createGrantCache } from './grant-cache.ts';
import { countFailure, guessesOf, type Presenter } from './limits.ts';
import { badCredentials } from '../http/refusals.ts';

/** An authenticated caller. */
export interface Identity {
  readonly caller: Caller;
  /** The token required for unsafe requests with this session's cookie. */
  readonly csrfToken?: string;
}

/** In this isolate's memory, as most requests repeat a recent key. */
const grants = createGrantCache();

/** Removes a key from this isolate's cache, so that a revocation applies here at once. */
export const forgetKey = (keyId: string): void => grants.drop(keyId);

/** @throws Problem unauthenticated or rate_limited */
export async function verifyKey(presenter: Presenter, text: string): Promise<Identity> {
  const key = await presentKey(text);
  const lookUp = () => accessOf(presenter.env).verifyKey(key);
  const { keyId: id, ...granted } = await grantOf(presenter, key, { kind: 'key', lookUp });
  return { caller: { kind: 'key', id, ...granted } };
}

/** Parses an API key for its lookup. @throws Problem unauthenticated where the text is not one */
export async function presentKey(text: string): Promise<PresentedCredential> {
  const key = parseApiKey(text);
  if (!key) throw badCredentials('This is not an API key: expected sg_<id>_<secret>.');
  return { id: key.id, secretHash: await hashSecret(key.secret) };
}

/** Unknown sessions: a browser sends its cookie with every request. */
const noSessions = createForgetful(1_000);

/**
 * The session of a cookie; undefined where it is no longer valid. An unknown one counts as a
 * guess, once.
 *
 * @throws Problem rate_limited
 */
export async function verifySession(
  presenter: Presenter,
  cookie: SessionCookie,
): Promise<Identity | undefined> {
  const session = await presentSession(cookie);
  const presented = presentedAs('session', session);
  if (noSessions.has(presented)) return undefined;
  const lookUp = () => accessOf(presenter.env).verifySession(session);
  const grant = await grantOf(presenter, session, { kind: 'session', lookUp }).catch(
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      noSessions.add(presented);
      countFailure(presenter, error);
      return undefined;
    },
  );
  if (!grant) return undefined;
  const { keyId: id, ...granted } = grant;
  const csrfToken = await csrfTokenOf(cookie);
  const caller: Caller = { kind: 'session', id, sessionId: session.id, ...granted };
  return { caller, csrfToken };
}

export const presentSession = async ({
  id,
  secret,
}: SessionCookie): Promise<PresentedCredential> => ({
  id,
  secretHash: await hashSecret(secret),
});

/** Whoever can read the cookie's secret needs no token; nobody else can create one. */
export const csrfTokenOf = ({ secret }: SessionCookie): Promise<string> =>
  hashSecret(`csrf:${secret}`);

const isRefusal = (error: unknown) => error instanceof Problem && error.code === 'unauthenticated';

/** Redeems a ticket. @throws Problem unauthenticated or rate_limited */
export async function redeemTicket({ env, from }: Presenter, ticket: string): Promise<Identity> {
  guessesOf(env).admit(from);
  const caller = await accessOf(env).redeemTicket(await hashSecret(ticket));
  if (!caller) throw badCredentials('The ticket is unknown, was used already, or is too old.');
  return { caller };
}

/** The cache key of credentials, which contains a hash instead of the secret. */
export const presentedAs = (
  kind: 'key' | 'session',
  { id, secretHash }: PresentedCredential,
): string => `${kind}:${id}:${secretHash}`;

interface LookUp {
  readonly kind: 'key' | 'session';
  readonly lookUp: () => Promise<Verdict>;
}

function grantOf(
  { env, from }: Presenter,
  presentation: PresentedCredential,
  { kind, lookUp }: LookUp,
): Promise<Grant> {
  const presented = presentedAs(kind, presentation);
  const now = Date.now();
  const known = grants.find(presented, now);
  if (known) return Promise.resolve(known);
  const guesses = guessesOf(env);
  return grants.remember(presented, now, async () => {
    guesses.admit(from, presented);
    const verdict = await lookUp();
    if (verdict.kind === 'valid') guesses.held(presented);
    else guesses.ended(presented);
    return grantIn(verdict, kind);
  });
}

/** The grant of a verdict. @throws Problem unauthenticated */
export function grantIn(verdict: Verdict, kind: 'key' | 'session' = 'key'): Grant {
  if (verdict.kind === 'valid') return verdict.grant;
  const name = kind === 'key' ? 'The API key' : 'The session';
  if (verdict.kind === 'unknown') throw badCredentials(`${name} is not valid.`);
  const since = new Date(verdict.since).toISOString();
  const what = verdict.kind === 'revoked' ? 'was revoked' : 'expired';
  throw badCredentials(`${name} ${what} at ${since}.`);
}

/** A set of the latest texts, of limited size. */
function createForgetful(most: number) {
  const texts = new Set<string>();
  return {
    has: (text: string) => texts.has(text),
    add(text: string) {
      texts.add(text);
      const [oldest] = texts;
      if (texts.size > most && oldest !== undefined) texts.delete(oldest);
    },
  };
}

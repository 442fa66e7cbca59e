import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { Problem } from '../http/problem.ts';
import { badCredentials } from '../http/refusals.ts';

/** A session cookie: the session's id, and a secret only its browser knows. */
export interface SessionCookie {
  readonly id: string;
  readonly secret: string;
}

const NAME = 'spikegrid_session';
/** With this prefix browsers enforce Secure and Path=/, and accept it over https only. */
const SECURE_NAME = `__Host-${NAME}`;
const VALUE = /^([0-9a-z]{52})\.([0-9a-z]{52})$/;

const nameFor = (url: URL) => (url.protocol === 'https:' ? SECURE_NAME : NAME);

/** The session cookie of a request, where it has a valid one. */
export function readSessionCookie(headers: Headers, url: URL): SessionCookie | undefined {
  const name = nameFor(url);
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=');
    const [, id, secret] = (key === name && VALUE.exec(value)) || [];
    if (id !== undefined && secret !== undefined) return { id, secret };
  }
  return undefined;
}

/** `Set-Cookie` for a session of limited age. */
export function writeSessionCookie(
  { id, secret }: SessionCookie,
  url: URL,
  maxAgeS: number,
): string {
  return `${nameFor(url)}=${id}.${secret}; ${attributesFor(url, maxAgeS)}`;
}

/** `Set-Cookie` that deletes the session cookie. */
export const clearSessionCookie = (url: URL): string =>
  `${nameFor(url)}=; ${attributesFor(url, 0)}`;

function attributesFor(url: URL, maxAgeS: number): string {
  const secure = url.protocol === 'https:' ? '; Secure' : '';
  return `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`;
}

/** The credentials of a request. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: string }
  /** Cloudflare Access vouches for the caller with a token. */
  | { readonly kind: 'access'; readonly token: string }
  | { readonly kind: 'ticket'; readonly ticket: string }
  | { readonly kind: 'cookie'; readonly cookie: SessionCookie };

/** A subprotocol that carries a token: browsers cannot send headers with a WebSocket. */
const BEARER_PROTOCOL = /^bearer\.([A-Za-z0-9_-]+)$/;

/** The form of an API key or a token (JWT), wherever it appears. */
const LONG_LIVED = /^(?:sg_[0-9a-z]{12}_|eyJ[\w-]+\.[\w-]+\.)/;

/**
 * The credentials of a request, explicit ones before those a browser adds by itself.
 *
 * @throws Problem unauthenticated for an invalid form, invalid_parameter for a key in the URL
 */
export function credentialsOf({ request, url, env }: Call<Env>): Credentials {
  refuseKeysIn(url);
  const { headers } = request;
  const authorization = headers.get('authorization');
  if (authorization !== null) return bearerOf(authorization);
  const socket = headers.get('upgrade')?.toLowerCase() === 'websocket';
  const presented = socket ? socketCredentials(headers, url) : undefined;
  if (presented) return presented;
  const assertion = headers.get('cf-access-jwt-assertion');
  if (assertion !== null && env.CF_ACCESS_TEAM) return { kind: 'access', token: assertion };
  const cookie = readSessionCookie(headers, url);
  return cookie ? { kind: 'cookie', cookie } : { kind: 'none' };
}

function bearerOf(authorization: string): Credentials {
  const [, token] = /^bearer +([\x21-\x7e]{1,8192})$/i.exec(authorization) ?? [];
  if (token !== undefined) return { kind: 'bearer', token };
  throw badCredentials('The Authorization header must be "Bearer " and an API key or a token.');
}

function socketCredentials(headers: Headers, url: URL): Credentials | undefined {
  const protocols = (headers.get('sec-websocket-protocol') ?? '').split(',');
  for (const protocol of protocols) {
    const [, encoded] = BEARER_PROTOCOL.exec(protocol.trim()) ?? [];
    if (encoded !== undefined) return { kind: 'bearer', token: decodeToken(encoded) };
  }
  const ticket = url.searchParams.get('ticket');
  return ticket === null ? undefined : { kind: 'ticket', ticket };
}

function decodeToken(encoded: string): string {
  try {
    return atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw badCredentials('The subprotocol bearer.<token> does not hold a token in base64url.');
  }
}

/** URLs end up in logs and histories, so long-lived credentials are not accepted there. */
function refuseKeysIn(url: URL): void {
  for (const [name, value] of url.searchParams) {
    if (!LONG_LIVED.test(value) && name !== 'access_token') continue;
    throw new Problem(
      'invalid_parameter',
      `${name}: keys and tokens do not belong into a URL, expected an Authorization header.`,
      {
        errors: [{ parameter: name, code: 'credential_in_url', detail: 'a key or token in a URL' }],
      },
    );
  }
}

import * as z from 'zod/mini';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { Scope } from '../contract/scope.ts';
import { DEFAULT_TEAM, Team } from '../contract/team.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { badCredentials } from '../http/refusals.ts';

/** A key set, or the address it is fetched from. */
type KeySet = JSONWebKeySet | string;

/** A trusted issuer of tokens, with the required audience and algorithms. */
interface Issuer {
  readonly name: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly keys: KeySet;
}

/** Only asymmetric ones: whoever can verify a token cannot create one. */
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'RS256'];

const Keys = z.union([
  z.url({ protocol: /^https?$/ }),
  z.object({
    keys: z.array(z.looseObject({ kty: z.enum(['OKP', 'EC', 'RSA']) })).check(z.minLength(1)),
  }),
]);

/** The issuer of JWT_ISSUER, JWT_AUDIENCE and JWT_JWKS. @throws TypeError where one is invalid */
function tokenIssuer({ JWT_ISSUER, JWT_AUDIENCE, JWT_JWKS }: Env): Issuer | undefined {
  if (!JWT_ISSUER) return undefined;
  const keys = Keys.safeParse(parsedIfText(JWT_JWKS));
  if (!keys.success || !JWT_AUDIENCE) {
    throw new TypeError(
      'JWT_ISSUER needs JWT_AUDIENCE, and a JWK set of public keys or its address in JWT_JWKS',
    );
  }
  return { name: JWT_ISSUER, audience: JWT_AUDIENCE, algorithms: ALGORITHMS, keys: keys.data };
}

/** The issuer of CF_ACCESS_TEAM and CF_ACCESS_AUDIENCE. @throws TypeError where one is invalid */
function accessIssuer({ CF_ACCESS_TEAM, CF_ACCESS_AUDIENCE }: Env): Issuer | undefined {
  if (!CF_ACCESS_TEAM) return undefined;
  if (!URL.canParse(CF_ACCESS_TEAM) || !CF_ACCESS_AUDIENCE) {
    throw new TypeError(
      'CF_ACCESS_TEAM must be an address such as https://team.cloudflareaccess.com, with CF_ACCESS_AUDIENCE',
    );
  }
  const name = new URL(CF_ACCESS_TEAM).origin;
  const keys = `${name}/cdn-cgi/access/certs`;
  return { name, audience: CF_ACCESS_AUDIENCE, algorithms: ['RS256'], keys };
}

/** A secret of a deployment is always a text, so a key set may be given as JSON. */
function parsedIfText(setting: unknown): unknown {
  if (typeof setting !== 'string' || !setting.trimStart().startsWith('{')) return setting;
  try {
    return JSON.parse(setting);
  } catch {
    return undefined;
  }
}

/** The subject of a token, its permissions and its expiry. */
interface TokenGrant {
  readonly subject: string;
  readonly team: string;
  readonly scopes: readonly Scope[];
  /** Epoch milliseconds. */
  readonly until: number;
}

/** The tolerated clock skew. */
const CLOCK_TOLERANCE_S = 5;
const MAX_AGE_S = 3600;

/** Verifies a token of the configured issuer. @throws Problem unauthenticated or upstream_error */
export async function verifyToken(env: Env, token: string): Promise<TokenGrant> {
  const issuer = tokenIssuer(env);
  if (!issuer) throw badCredentials('This is no API key, and no issuer of tokens is configured.');
  const { payload, subject, until } = await verify(token, issuer);
  const { iat = 0, exp = 0 } = payload;
  if (exp - iat > MAX_AGE_S) throw badCredentials('The token holds for more than an hour.');
  if (iat - CLOCK_TOLERANCE_S > Date.now() / 1000) {
    throw badCredentials('The token was made in the future.');
  }
  return { subject, team: teamOf(payload), scopes: scopesOf(payload), until };
}

/** Verifies the token of Cloudflare Access. @throws Problem unauthenticated or upstream_error */
export async function verifyAccess(env: Env, token: string): Promise<TokenGrant> {
  const issuer = accessIssuer(env);
  if (!issuer) throw badCredentials('No team of Cloudflare Access is configured.');
  const { subject, until } = await verify(token, issuer);
  return {
    subject,
    team: DEFAULT_TEAM,
    scopes: knownScopes(env.CF_ACCESS_SCOPES.split(' ')),
    until,
  };
}

async function verify(token: string, { name, audience, algorithms, keys }: Issuer) {
  const { payload } = await jwtVerify(token, keySetOf(keys), {
    issuer: name,
    audience,
    algorithms: [...algorithms],
    requiredClaims: ['sub', 'iat', 'exp'],
    clockTolerance: CLOCK_TOLERANCE_S,
  }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  const { sub: subject = '', exp = 0 } = payload;
  if (subject === '') throw badCredentials('The token names no subject.');
  return { payload, subject, until: exp * 1000 };
}

type KeyFinder = ReturnType<typeof createRemoteJWKSet> | ReturnType<typeof createLocalJWKSet>;

/** The function caches fetched key sets, so there is one per set for the life of the isolate. */
const finders = new Map<string, KeyFinder>();

function keySetOf(keys: KeySet): KeyFinder {
  const id = typeof keys === 'string' ? keys : JSON.stringify(keys);
  const known = finders.get(id);
  if (known) return known;
  const made =
    typeof keys === 'string' ? createRemoteJWKSet(new URL(keys)) : createLocalJWKSet(keys);
  finders.set(id, made);
  return made;
}

const REASONS: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'The token has expired.',
  [errors.JOSEAlgNotAllowed.code]: 'The token is signed with an algorithm that is not taken here.',
  [errors.JWSSignatureVerificationFailed.code]: 'The signature of the token is not right.',
  [errors.JWKSNoMatchingKey.code]: 'The token is signed with a key the issuer does not have.',
};

function refusalOf(error: unknown): Problem {
  if (error instanceof errors.JWTClaimValidationFailed) {
    return badCredentials(
      `The token is not for here: its claim ${error.claim} is not as expected.`,
    );
  }
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) {
    return unreachable(error);
  }
  // For a key set without a response, jose only has the general code.
  if (error.code === errors.JOSEError.code) return unreachable(error);
  return badCredentials(REASONS[error.code] ?? 'The token is not valid.');
}

function unreachable(error: unknown): Problem {
  console.warn(JSON.stringify({ level: 'warn', event: 'jwks_failed', text: String(error) }));
  return new Problem('upstream_error', 'The keys of the token issuer cannot be fetched.');
}

/** The claim `team`. @throws Problem unauthenticated where it is not a team's name */
function teamOf({ team = DEFAULT_TEAM }: JWTPayload): string {
  const parsed = Team.safeParse(team);
  if (parsed.success) return parsed.data;
  throw badCredentials('The claim team of the token is not the name of a team.');
}

/** `scope` as in OAuth, or `permissions` as a list; unknown scopes are ignored. */
function scopesOf({ scope, permissions }: JWTPayload): readonly Scope[] {
  const listed = Array.isArray(permissions) ? permissions : [];
  return knownScopes([...(typeof scope === 'string' ? scope.split(' ') : []), ...listed]);
}

const knownScopes = (names: readonly unknown[]): readonly Scope[] =>
  Scope.options.filter((scope) => names.includes(scope));

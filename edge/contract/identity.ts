import * as z from 'zod/mini';
import { Scope } from './scope.ts';
import { Team } from './team.ts';

/**
 * How the gateway proves to a service outside of its Worker who calls: a JWT (RFC 7519), signed with
 * EdDSA over Ed25519 for one request and one service. Nothing else that a request carries says so.
 */
export const IDENTITY_HEADER = 'x-spikegrid-identity';
export const IDENTITY_ISSUER = 'spikegrid-gateway';
export const IDENTITY_ALGORITHM = 'EdDSA';
/** How long a signature holds, and how far apart two clocks may be. */
export const IDENTITY_TTL_S = 60;
export const IDENTITY_SKEW_S = 5;
/** Where services find the public keys of the gateway. */
export const IDENTITY_KEYS_PATH = '/.well-known/jwks.json';

const credentialed = {
  id: z.string().check(z.maxLength(512)),
  team: Team,
  scopes: z.array(Scope),
  until: z.nullable(z.number()),
};

/** A JWK set (RFC 7517) of Ed25519 keys (RFC 8037). */
export const IdentityKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string(),
      alg: z.literal(IDENTITY_ALGORITHM),
      use: z.literal('sig'),
    }),
  ),
});
export type IdentityKeys = z.infer<typeof IdentityKeys>;

/** Claims besides `iss`, `aud` (the service's name at the gateway), `iat`, `exp` and `jti`, a nonce. */
export const IdentityClaims = z.object({
  /** The method and the path with its query, as the service receives them (named as in RFC 9449). */
  htm: z.string(),
  htu: z.string(),
  caller: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('anonymous') }),
    z.object({ kind: z.literal('local'), team: Team, scopes: z.array(Scope) }),
    z.object({ kind: z.literal('key'), ...credentialed }),
    z.object({ kind: z.literal('token'), ...credentialed }),
    z.object({ kind: z.literal('session'), sessionId: z.string(), ...credentialed }),
  ]),
  /** True if the caller is on the platform's own machine. */
  here: z.boolean(),
});
export type IdentityClaims = z.infer<typeof IdentityClaims>;

import type { JSONWebKeySet } from 'jose';
import * as z from 'zod/mini';
import type { Env } from '../env.ts';

/** A set of keys, or the address it is fetched from. */
export type KeySet = JSONWebKeySet | string;

/** Whose tokens are taken, for whom they have to be, and how they may be signed. */
export interface Issuer {
  readonly name: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly keys: KeySet;
}

/** Asymmetric ones only: with them, who can check a token cannot make one. */
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'RS256'];

const Keys = z.union([
  z.url({ protocol: /^https?$/ }),
  z.object({
    keys: z.array(z.looseObject({ kty: z.enum(['OKP', 'EC', 'RSA']) })).check(z.minLength(1)),
  }),
]);

/** The issuer JWT_ISSUER, JWT_AUDIENCE and JWT_JWKS describe. @throws TypeError where one is wrong */
export function tokenIssuer({ JWT_ISSUER, JWT_AUDIENCE, JWT_JWKS }: Env): Issuer | undefined {
  if (!JWT_ISSUER) return undefined;
  const keys = Keys.safeParse(parsedIfText(JWT_JWKS));
  if (!keys.success || !JWT_AUDIENCE) {
    throw new TypeError(
      'JWT_ISSUER needs JWT_AUDIENCE, and a JWK set of public keys or its address in JWT_JWKS',
    );
  }
  return { name: JWT_ISSUER, audience: JWT_AUDIENCE, algorithms: ALGORITHMS, keys: keys.data };
}

/** The team CF_ACCESS_TEAM and CF_ACCESS_AUDIENCE describe. @throws TypeError where one is wrong */
export function accessIssuer({ CF_ACCESS_TEAM, CF_ACCESS_AUDIENCE }: Env): Issuer | undefined {
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

/** A secret of a deployment is always a text, so a key set may be JSON in one. */
function parsedIfText(setting: unknown): unknown {
  if (typeof setting !== 'string' || !setting.trimStart().startsWith('{')) return setting;
  try {
    return JSON.parse(setting);
  } catch {
    return undefined;
  }
}

import { importJWK, SignJWT } from 'jose';
import { accessOf } from '../access/access-stub.ts';
import {
  IDENTITY_ALGORITHM,
  IDENTITY_ISSUER,
  IDENTITY_TTL_S,
  type IdentityClaims,
} from '../contract/identity.ts';
import type { Env } from '../env.ts';
import { ulid } from '../http/ulid.ts';

/** Signs the caller's identity, for one request to one service. */
export type SignIdentity = (service: string, claims: IdentityClaims) => Promise<string>;

/** Plain data: a promise of one request must not be awaited by another. */
let signing: { readonly keyId: string; readonly key: CryptoKey | Uint8Array } | undefined;

/** The key is read from the Access object once per isolate. */
export function identitySigner(env: Pick<Env, 'ACCESS'>): SignIdentity {
  return async (service, claims) => {
    signing ??= await load(env);
    const { keyId, key } = signing;
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: IDENTITY_ALGORITHM, kid: keyId })
      .setIssuer(IDENTITY_ISSUER)
      .setAudience(service)
      .setIssuedAt()
      .setExpirationTime(`${IDENTITY_TTL_S}s`)
      .setJti(ulid())
      .sign(key);
  };
}

async function load(env: Pick<Env, 'ACCESS'>) {
  const { keyId, privateJwk } = await accessOf(env).signingKey();
  return { keyId, key: await importJWK(privateJwk, IDENTITY_ALGORITHM) };
}

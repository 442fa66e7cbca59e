import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { IDENTITY_ALGORITHM } from '../contract/identity.ts';
import { ulid } from '../http/ulid.ts';

/** The gateway's key pair, as the Access object stores it. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

export async function makeSigningKey(): Promise<SigningKey> {
  const pair = await generateKeyPair(IDENTITY_ALGORITHM, { extractable: true });
  const keyId = ulid();
  const [privateJwk, publicJwk] = await Promise.all([
    exportJWK(pair.privateKey),
    exportJWK(pair.publicKey),
  ]);
  return { keyId, privateJwk, publicJwk };
}

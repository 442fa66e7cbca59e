import { decodeJwt, importJWK, SignJWT } from 'jose';
import {
  IDENTITY_HEADER,
  IDENTITY_KEYS_PATH,
  type IdentityClaims,
} from '../../edge/contract/identity.ts';
import { makeSigningKey } from '../../edge/access/signing-key.ts';
import { startUpstream, type Upstream } from './upstream.ts';

/** A gateway that has its keys and answers nothing else, and what it would sign. */
export interface Signer extends Upstream {
  sign(service: string, claims: IdentityClaims, options?: Signing): Promise<string>;
}

export interface Signing {
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  readonly nonce?: string;
}

export async function startSigner(): Promise<Signer> {
  const { keyId, privateJwk, publicJwk } = await makeSigningKey();
  const key = await importJWK(privateJwk, 'EdDSA');
  const keys = JSON.stringify({ keys: [{ ...publicJwk, kid: keyId, alg: 'EdDSA', use: 'sig' }] });
  const upstream = await startUpstream(({ url }, response) => {
    if (url === IDENTITY_KEYS_PATH)
      response.setHeader('content-type', 'application/json').end(keys);
    else response.writeHead(500).end();
  });
  return {
    ...upstream,
    sign(service, claims, { issuedAt, expiresAt, nonce = crypto.randomUUID() } = {}) {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid: keyId })
        .setIssuer('spikegrid-gateway')
        .setAudience(service)
        .setIssuedAt(issuedAt ?? now)
        .setExpirationTime(expiresAt ?? now + 60)
        .setJti(nonce)
        .sign(key);
    },
  };
}

/** The claims that the gateway signed for a service, as the service received them. */
export const signedIn = (headers: Readonly<Record<string, unknown>>) =>
  decodeJwt<IdentityClaims>(String(headers[IDENTITY_HEADER]));

import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import {
  IDENTITY_ALGORITHM,
  IDENTITY_ISSUER,
  IDENTITY_KEYS_PATH,
  IDENTITY_SKEW_S,
  IDENTITY_TTL_S,
  IdentityClaims,
} from '../../edge/contract/identity.ts';
import { Problem } from '../../edge/http/problem.ts';
import { badCredentials } from '../../edge/http/refusals.ts';

/** One request, as far as its signature covers it. */
export interface SignedRequest {
  readonly method: string;
  /** The path with its query, as it came. */
  readonly path: string;
}

/**
 * Who a request comes from, proved by the gateway's signature.
 *
 * @throws Problem unauthenticated where the signature does not hold for this request, this service and
 *   now, or was used before; upstream_error where the gateway's keys cannot be had
 */
export type VerifyIdentity = (
  token: string,
  request: SignedRequest,
) => Promise<Pick<IdentityClaims, 'caller' | 'here'>>;

/** Nonces in memory at most; each is forgotten once its signature has expired. */
const MAX_NONCES = 200_000;
const KEYS_MAX_AGE_MS = 10 * 60_000;

/** Verifies what the gateway signed for the service of this name. Its public keys are fetched when needed. */
export function createIdentityVerifier(gateway: string, service: string): VerifyIdentity {
  const keys = createRemoteJWKSet(new URL(gateway + IDENTITY_KEYS_PATH), {
    cacheMaxAge: KEYS_MAX_AGE_MS,
    cooldownDuration: 1_000,
  });
  const nonces = createNonceCache();
  return async (token, { method, path }) => {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: [IDENTITY_ALGORITHM],
      issuer: IDENTITY_ISSUER,
      audience: service,
      clockTolerance: IDENTITY_SKEW_S,
      maxTokenAge: IDENTITY_TTL_S,
      requiredClaims: ['jti', 'exp'],
    }).catch(refuse(service));
    const claims = IdentityClaims.safeParse(payload);
    if (!claims.success) throw notProved('it has other claims than the gateway signs');
    const { htm, htu, caller, here } = claims.data;
    if (htm !== method || htu !== path) {
      throw notProved(`it was signed for ${htm} ${JSON.stringify(htu.slice(0, 200))}`);
    }
    if (!nonces.take(String(payload.jti), Date.now())) throw notProved('it was used before');
    return { caller, here };
  };
}

const refuse = (service: string) => (error: unknown) => {
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
    throw notProved(`it was signed for another service than "${service}"`);
  if (error instanceof errors.JWTExpired) throw notProved('it has expired');
  const isItsFault =
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    error.code !== 'ERR_JOSE_GENERIC';
  if (isItsFault) throw notProved('the signature does not hold');
  throw new Problem('upstream_error', 'The keys of the gateway cannot be fetched.');
};

const notProved = (why: string) =>
  badCredentials(`The identity that the gateway passes on is not proved: ${why}.`);

interface NonceCache {
  /** Whether it is new. */
  take(nonce: string, now: number): boolean;
}

function createNonceCache(): NonceCache {
  /** In the order in which they came, so the first is forgotten first. */
  const expiries = new Map<string, number>();
  return {
    take(nonce, now) {
      for (const [known, expiry] of expiries) {
        if (expiry > now && expiries.size < MAX_NONCES) break;
        expiries.delete(known);
      }
      if (expiries.has(nonce)) return false;
      expiries.set(nonce, now + (IDENTITY_TTL_S + 2 * IDENTITY_SKEW_S) * 1000);
      return true;
    },
  };
}

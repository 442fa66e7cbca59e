import { Scope } from '../contract/scope.ts';
import { DEFAULT_TEAM } from '../contract/team.ts';
import { KEY_ID } from './contract/api-key.ts';
import type { KeyRecord, KeyStatus } from './contract/keys.ts';

/** A stored key; times are epoch milliseconds. */
export interface KeyState {
  readonly id: string;
  readonly secretHash: string;
  readonly name: string;
  readonly team: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** A stored session: it grants what its key does, as long as the key does. */
export interface SessionState {
  readonly id: string;
  readonly secretHash: string;
  readonly keyId: string;
  readonly expiresAt: number;
}

/** Rights that a valid key or session grants; `until` is its expiry. */
export interface Grant {
  readonly keyId: string;
  readonly team: string;
  readonly scopes: readonly Scope[];
  readonly until: number | null;
}

export type Verdict =
  | { readonly kind: 'valid'; readonly grant: Grant }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'revoked' | 'expired'; readonly since: number };

/** The precision of a key's last use, to avoid a write per request. */
const LAST_USE_STEP_MS = 60_000;

export const SESSION_TTL_MS = 12 * 3600 * 1000;
export const TICKET_TTL_MS = 30_000;

/** Constant-time equality of two hashes. */
type SameHash = (a: string, b: string) => boolean;

/** Stands in for an unknown key, so that its absence takes as long as a wrong secret. */
const NO_HASH = '0'.repeat(64);

/** Only a caller with the secret learns that a key has expired or was revoked. */
export function judgeKey(
  key: KeyState | undefined,
  secretHash: string,
  sameHash: SameHash,
  now: number,
): Verdict {
  const isSame = sameHash(key?.secretHash ?? NO_HASH, secretHash);
  return key && isSame ? judgeKnownKey(key, now) : { kind: 'unknown' };
}

interface Presented {
  readonly session: SessionState | undefined;
  /** The key the session was opened with. */
  readonly key: KeyState | undefined;
  readonly secretHash: string;
}

/** A session is valid as long as its key, and at most until its own expiry. */
export function judgeSession(
  { session, key, secretHash }: Presented,
  sameHash: SameHash,
  now: number,
): Verdict {
  const isSame = sameHash(session?.secretHash ?? NO_HASH, secretHash);
  if (!session || !key || !isSame) return { kind: 'unknown' };
  if (session.expiresAt <= now) return { kind: 'expired', since: session.expiresAt };
  const verdict = judgeKnownKey(key, now);
  if (verdict.kind !== 'valid') return verdict;
  return { kind: 'valid', grant: { ...verdict.grant, until: session.expiresAt } };
}

function judgeKnownKey({ id, team, scopes, expiresAt, revokedAt }: KeyState, now: number): Verdict {
  if (revokedAt !== null) return { kind: 'revoked', since: revokedAt };
  if (expiresAt !== null && expiresAt <= now) return { kind: 'expired', since: expiresAt };
  return { kind: 'valid', grant: { keyId: id, team, scopes, until: expiresAt } };
}

/** The expiry of a new session: never after its key's. */
export const sessionEnd = ({ until }: Grant, now: number): number =>
  Math.min(now + SESSION_TTL_MS, until ?? Infinity);

/** Whether a use should be written. */
export const shouldRecordUse = (lastUsedAt: number | null, now: number): boolean =>
  lastUsedAt === null || now - lastUsedAt >= LAST_USE_STEP_MS;

function statusOf({ expiresAt, revokedAt }: KeyState, now: number): KeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** The public record of a key, without its hash. */
export function keyRecordOf(key: KeyState, now: number): KeyRecord {
  return {
    key_id: key.id,
    name: key.name,
    team: key.team,
    scopes: [...key.scopes],
    status: statusOf(key, now),
    created_at: timestamp(key.createdAt),
    created_by: key.createdBy,
    expires_at: key.expiresAt === null ? null : timestamp(key.expiresAt),
    last_used_at: key.lastUsedAt === null ? null : timestamp(key.lastUsedAt),
    revoked_at: key.revokedAt === null ? null : timestamp(key.revokedAt),
  };
}

const timestamp = (ms: number): string => new Date(ms).toISOString();

/** Compares two hex hashes in a time that depends on their length only. */
export const sameHash: SameHash = (a, b) => {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  // The runtime refuses to compare buffers of different lengths; the length is no secret.
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right);
};

/**
 * The first key of a deployment, from the setting `BOOTSTRAP_KEY`: the key's id and the SHA-256
 * of its secret, `<id>:<hash>`. The key itself stays with its creator (`spikegrid keys
 * bootstrap`).
 *
 * @throws TypeError where the setting has another form
 */
export function firstKeyOf(setting: string, now: number): KeyState | undefined {
  if (setting === '') return undefined;
  const [id = '', secretHash = '', ...rest] = setting.split(':');
  if (!KEY_ID.test(id) || !/^[0-9a-f]{64}$/.test(secretHash) || rest.length > 0) {
    throw new TypeError(
      'BOOTSTRAP_KEY must be what `spikegrid keys bootstrap` prints: <id>:<hash>',
    );
  }
  return {
    id,
    secretHash,
    name: 'bootstrap',
    team: DEFAULT_TEAM,
    scopes: Scope.options,
    createdAt: now,
    createdBy: 'system',
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
  };
}

import {
  firstKeyOf,
  shouldRecordUse,
  judgeKey,
  judgeSession,
  keyRecordOf,
  type KeyState,
  sameHash,
  sessionEnd,
  TICKET_TTL_MS,
  type Verdict,
} from './machine.ts';
import type { AuditEvent, AuditQuery } from './contract/audit.ts';
import type { KeyRecord } from './contract/keys.ts';
import type { Env } from '../env.ts';
import { type Caller, hasEnded } from '../http/caller.ts';
import { ulid } from '../http/ulid.ts';
import { ACCESS_MIGRATIONS, AccessStore, type KeyFilter } from './store.ts';
import { type AuditPage, AuditStore } from './audit-store.ts';
import { makeSigningKey, type SigningKey } from './signing-key.ts';
import { StoredObject } from '../storage/stored-object.ts';

interface KeyRecordPage {
  readonly keys: readonly KeyRecord[];
  readonly total: number;
  readonly next: number | undefined;
}

/** A credential as presented: its id, and the hash of its secret. */
export interface PresentedCredential {
  readonly id: string;
  readonly secretHash: string;
}

type NewKeyState = Pick<
  KeyState,
  'id' | 'secretHash' | 'name' | 'team' | 'scopes' | 'createdBy'
> & {
  readonly ttlMs: number | null;
};

/**
 * Keys, sessions and tickets, and the audit log. No secret ever reaches this object, only hashes.
 */
export class Access extends StoredObject {
  readonly #store: AccessStore;
  readonly #audit: AuditStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, ACCESS_MIGRATIONS, {
      // Another deployment has its own signing key, and a ticket is valid for 30 s.
      leftOut: ['signing_keys', 'tickets'],
      mayHold: { keys: 1 },
    });
    this.#store = new AccessStore(ctx.storage.sql);
    this.#audit = new AuditStore(ctx.storage.sql);
    ctx.storage.transactionSync(() => this.#takeOverFirstKey());
  }

  /** The team of a key, including one that has ended; undefined where there is none. */
  teamOf(keyId: string): string | undefined {
    return this.#store.key(keyId)?.team;
  }

  createKey({ ttlMs, ...asked }: NewKeyState): KeyRecord {
    const now = Date.now();
    const expiresAt = ttlMs === null ? null : now + ttlMs;
    const key = { ...asked, createdAt: now, expiresAt, lastUsedAt: null, revokedAt: null };
    this.#store.addKey(key);
    return keyRecordOf(key, now);
  }

  /** Whether any key is active. */
  hasKeys(): boolean {
    return (
      this.#store.keyPage({ status: 'active', limit: 1 }, Number.MAX_SAFE_INTEGER, Date.now())
        .total > 0
    );
  }

  /** A page of keys, the latest first; `before` is the `next` of the previous page. */
  listKeys(filter: KeyFilter, before: number): KeyRecordPage {
    const now = Date.now();
    const { keys, total, next } = this.#store.keyPage(filter, before, now);
    return { keys: keys.map((key) => keyRecordOf(key, now)), total, next };
  }

  /** Revokes a key; `isNew` where it was not revoked before. */
  revokeKey(id: string): { readonly record: KeyRecord; readonly isNew: boolean } | undefined {
    const now = Date.now();
    const key = this.#store.key(id);
    if (!key) return undefined;
    const isNew = key.revokedAt === null;
    if (isNew) this.#store.revokeKey(id, now);
    return { record: keyRecordOf({ ...key, revokedAt: key.revokedAt ?? now }, now), isNew };
  }

  /** Whether such a key ever existed. */
  hasKey(id: string): boolean {
    return this.#store.key(id) !== undefined;
  }

  verifyKey({ id, secretHash }: PresentedCredential): Verdict {
    const now = Date.now();
    const key = this.#store.key(id);
    const verdict = judgeKey(key, secretHash, sameHash, now);
    if (verdict.kind === 'valid') this.#noteUse(key, now);
    return verdict;
  }

  /** Opens a session for the holder of a key. */
  openSession(key: PresentedCredential, session: PresentedCredential): Verdict {
    const now = Date.now();
    const verdict = this.verifyKey(key);
    if (verdict.kind !== 'valid') return verdict;
    const expiresAt = sessionEnd(verdict.grant, now);
    this.#store.addSession({ ...session, keyId: key.id, expiresAt }, now);
    return { kind: 'valid', grant: { ...verdict.grant, until: expiresAt } };
  }

  verifySession({ id, secretHash }: PresentedCredential): Verdict {
    const now = Date.now();
    const session = this.#store.session(id);
    const key = session && this.#store.key(session.keyId);
    const verdict = judgeSession({ session, key, secretHash }, sameHash, now);
    if (verdict.kind === 'valid') this.#noteUse(key, now);
    return verdict;
  }

  closeSession(id: string): void {
    this.#store.removeSession(id);
  }

  /** Stores a ticket for its caller. @returns its expiry */
  issueTicket(hash: string, caller: Caller): number {
    const now = Date.now();
    const end = now + TICKET_TTL_MS;
    this.#store.addTicket(hash, JSON.stringify(caller), { now, end });
    return end;
  }

  /**
   * The caller of a ticket, once; undefined the second time, or once the caller's credentials have
   * ended.
   */
  redeemTicket(hash: string): Caller | undefined {
    const now = Date.now();
    const taken = this.#store.takeTicket(hash, now);
    if (taken === undefined) return undefined;
    const caller: Caller = JSON.parse(taken);
    return this.#isLive(caller, now) ? caller : undefined;
  }

  /** For each caller, whether its credentials are still valid. */
  areLive(callers: readonly Caller[]): readonly boolean[] {
    const now = Date.now();
    return callers.map((caller) => this.#isLive(caller, now));
  }

  record(event: Omit<AuditEvent, 'event_id' | 'time'>): void {
    const now = Date.now();
    this.#audit.add({ event_id: ulid(now), time: new Date(now).toISOString(), ...event });
  }

  /** A page of the audit log, the latest first; `before` is the `next` of the previous page. */
  listAudit(query: Omit<AuditQuery, 'cursor'>, before: number): AuditPage {
    return this.#audit.page(query, before);
  }

  /** The key that signs identities; created on first use, and never changed. */
  async signingKey(): Promise<SigningKey> {
    const stored = this.#store.signingKey();
    if (stored) return stored;
    const made = await makeSigningKey();
    // A concurrent call may have stored one meanwhile: the first key stays.
    const first = this.#store.signingKey();
    if (first) return first;
    this.#store.addSigningKey(made, Date.now());
    return made;
  }

  #isLive(caller: Caller, now: number): boolean {
    if (hasEnded(caller, now)) return false;
    if (caller.kind !== 'key' && caller.kind !== 'session') return true;
    const key = this.#store.key(caller.id);
    const isSignedOut = caller.kind === 'session' && !this.#store.session(caller.sessionId);
    return key !== undefined && keyRecordOf(key, now).status === 'active' && !isSignedOut;
  }

  #noteUse(key: KeyState | undefined, now: number): void {
    if (key && shouldRecordUse(key.lastUsedAt, now)) this.#store.noteUse(key.id, now);
  }

  /** The first key comes with the deployment. Once revoked it stays so, as its row remains. */
  #takeOverFirstKey(): void {
    const first = firstKeyOf(this.env.BOOTSTRAP_KEY ?? '', Date.now());
    if (!first || this.#store.key(first.id)) return;
    this.#store.addKey(first);
    this.record({
      action: 'key.create',
      actor: { kind: 'system', id: null },
      target: first.id,
      detail: { name: first.name, team: first.team, scopes: [...first.scopes] },
      request_id: '',
      trace_id: '',
    });
  }
}

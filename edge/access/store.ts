import type { KeyStatus } from './contract/keys.ts';
import type { SigningKey } from './signing-key.ts';
import type { KeyState, SessionState } from './machine.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

export interface KeyPage {
  readonly keys: readonly KeyState[];
  readonly total: number;
  /** Where the next page starts, or undefined after the last one. */
  readonly next: number | undefined;
}

export interface KeyFilter {
  readonly status?: KeyStatus | undefined;
  readonly limit: number;
}

/** Of one key at a time: a key is one person's, or one team's. */
export const MOST_SESSIONS = 200;

/** The tables of keys, sessions and tickets, and the only place that knows their SQL. */
export class AccessStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  key(id: string): KeyState | undefined {
    const [row] = this.#sql.exec<KeyRow>('SELECT * FROM keys WHERE key_id = ?', id).toArray();
    return row && keyOf(row);
  }

  addKey(key: KeyState): void {
    this.#sql.exec(
      `INSERT INTO keys
        (key_id, secret_hash, name, team, scopes, created_at, created_by, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      key.id,
      key.secretHash,
      key.name,
      key.team,
      JSON.stringify(key.scopes),
      key.createdAt,
      key.createdBy,
      key.expiresAt,
    );
  }

  /** The latest key first; `before` is the `next` of the page before. */
  keyPage({ status, limit }: KeyFilter, before: number, now: number): KeyPage {
    const which = status === undefined ? '1 = 1' : STATUS_CLAUSES[status];
    const bound = which.includes('?') ? [now] : [];
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total FROM keys WHERE ${which}`, ...bound)
      .one();
    const rows = this.#sql
      .exec<KeyRow>(
        `SELECT * FROM keys WHERE ${which} AND seq < ? ORDER BY seq DESC LIMIT ?`,
        ...bound,
        before,
        limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, limit);
    const next = rows.length > shown.length ? Number(shown.at(-1)?.seq) : undefined;
    return { keys: shown.map(keyOf), total, next };
  }

  /** Ends a key and takes its sessions along. */
  revokeKey(id: string, now: number): void {
    this.#sql.exec('UPDATE keys SET revoked_at = ? WHERE key_id = ?', now, id);
    this.#sql.exec('DELETE FROM sessions WHERE key_id = ?', id);
  }

  noteUse(id: string, now: number): void {
    this.#sql.exec('UPDATE keys SET last_used_at = ? WHERE key_id = ?', now, id);
  }

  session(id: string): SessionState | undefined {
    const [row] = this.#sql
      .exec<Row<'session_id' | 'secret_hash' | 'key_id' | 'expires_at'>>(
        'SELECT * FROM sessions WHERE session_id = ?',
        id,
      )
      .toArray();
    return (
      row && {
        id: String(row.session_id),
        secretHash: String(row.secret_hash),
        keyId: String(row.key_id),
        expiresAt: Number(row.expires_at),
      }
    );
  }

  /** Adds a session, and clears away those whose time is over and the oldest of too many. */
  addSession({ id, secretHash, keyId, expiresAt }: SessionState, now: number): void {
    this.#sql.exec('DELETE FROM sessions WHERE expires_at <= ?', now);
    this.#sql.exec('INSERT INTO sessions VALUES (?, ?, ?, ?)', id, secretHash, keyId, expiresAt);
    this.#sql.exec(
      `DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM sessions
        WHERE key_id = ? AND session_id <> ? ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
      keyId,
      id,
      MOST_SESSIONS - 1,
    );
  }

  removeSession(id: string): void {
    this.#sql.exec('DELETE FROM sessions WHERE session_id = ?', id);
  }

  /** Adds a ticket, and clears away those nobody used in time. */
  addTicket(hash: string, caller: string, { now, end }: { now: number; end: number }): void {
    this.#sql.exec('DELETE FROM tickets WHERE expires_at <= ?', now);
    this.#sql.exec('INSERT INTO tickets VALUES (?, ?, ?)', hash, caller, end);
  }

  /** Takes a ticket out, so that it is used once; undefined where there is none, or its time is over. */
  takeTicket(hash: string, now: number): string | undefined {
    const [row] = this.#sql
      .exec<Row<'caller' | 'expires_at'>>(
        'DELETE FROM tickets WHERE ticket_hash = ? RETURNING caller, expires_at',
        hash,
      )
      .toArray();
    return row && Number(row.expires_at) > now ? String(row.caller) : undefined;
  }

  /** The key pair the gateway signs with; undefined before it is needed for the first time. */
  signingKey(): SigningKey | undefined {
    const [row] = this.#sql
      .exec<Row<'key_id' | 'private_jwk' | 'public_jwk'>>(
        'SELECT key_id, private_jwk, public_jwk FROM signing_keys ORDER BY created_at DESC LIMIT 1',
      )
      .toArray();
    return (
      row && {
        keyId: String(row.key_id),
        privateJwk: JSON.parse(String(row.private_jwk)),
        publicJwk: JSON.parse(String(row.public_jwk)),
      }
    );
  }

  addSigningKey({ keyId, privateJwk, publicJwk }: SigningKey, now: number): void {
    this.#sql.exec(
      'INSERT INTO signing_keys (key_id, private_jwk, public_jwk, created_at) VALUES (?, ?, ?, ?)',
      keyId,
      JSON.stringify(privateJwk),
      JSON.stringify(publicJwk),
      now,
    );
  }
}

const STATUS_CLAUSES: Readonly<Record<KeyStatus, string>> = {
  active: 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)',
  expired: 'revoked_at IS NULL AND expires_at <= ?',
  revoked: 'revoked_at IS NOT NULL',
};

type KeyRow = Row<
  | 'seq'
  | 'key_id'
  | 'secret_hash'
  | 'name'
  | 'team'
  | 'scopes'
  | 'created_at'
  | 'created_by'
  | 'expires_at'
  | 'last_used_at'
  | 'revoked_at'
>;

function keyOf(row: KeyRow): KeyState {
  return {
    id: String(row.key_id),
    secretHash: String(row.secret_hash),
    name: String(row.name),
    team: String(row.team),
    scopes: JSON.parse(String(row.scopes)),
    createdAt: Number(row.created_at),
    createdBy: String(row.created_by),
    expiresAt: numberOrNull(row.expires_at),
    lastUsedAt: numberOrNull(row.last_used_at),
    revokedAt: numberOrNull(row.revoked_at),
  };
}

const numberOrNull = (value: SqlStorageValue): number | null =>
  value === null ? null : Number(value);

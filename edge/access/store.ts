import type { SigningKey } from './signing-key.ts';
import type { KeyStatus } from './contract/keys.ts';
import type { KeyState, SessionState } from './machine.ts';
import { TableStore } from '../storage/table-store.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const ACCESS_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE keys (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key_id TEXT NOT NULL UNIQUE,
    secret_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  );
  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    key_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sessions_by_key ON sessions (key_id);
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);
  CREATE TABLE tickets (
    ticket_hash TEXT PRIMARY KEY,
    caller TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX tickets_by_expiry ON tickets (expires_at);
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL,
    time INTEGER NOT NULL,
    action TEXT NOT NULL,
    actor_id TEXT,
    target TEXT NOT NULL,
    event TEXT NOT NULL
  );
  CREATE INDEX audit_by_time ON audit (time);
  CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit
  BEGIN
    SELECT RAISE(ABORT, 'the audit log is never changed');
  END;
  `,
  'CREATE INDEX audit_by_action ON audit (action)',
  // Callers in tickets have more members since; tickets are valid for 30 s only.
  'DELETE FROM tickets',
  `
  CREATE TABLE signing_keys (
    key_id TEXT PRIMARY KEY,
    private_jwk TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  // Older keys belong to the default team; callers in tickets have a team since.
  `
  ALTER TABLE keys ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
  DELETE FROM tickets;
  `,
  // Keys of nodes continue to be evidence of their region's health: those of nodes without MQTT,
  // which needed geo:admin, and those with the scopes that "spikegrid node" requested. Publishers
  // over MQTT are not known.
  `
  UPDATE keys SET scopes = json_insert(scopes, '$[#]', 'geo:node')
    WHERE scopes NOT LIKE '%"geo:node"%' AND (
      scopes LIKE '%"geo:admin"%' OR scopes LIKE '%"discovery:write"%' OR (
        scopes LIKE '%"infer"%' AND scopes LIKE '%"discovery:read"%'
        AND scopes LIKE '%"registry:read"%' AND scopes LIKE '%"logs:write"%'));
  `,
];

type Row<K extends string> = Record<K, SqlStorageValue>;

interface KeyPage {
  readonly keys: readonly KeyState[];
  readonly total: number;
  /** The start of the next page; undefined after the last one. */
  readonly next: number | undefined;
}

export interface KeyFilter {
  readonly status?: KeyStatus | undefined;
  readonly limit: number;
}

/** Per key at a time: a key belongs to one person, or one team. */
export const MAX_SESSIONS = 200;

/** The SQL of keys, sessions and tickets. */
export class AccessStore extends TableStore {
  key(id: string): KeyState | undefined {
    const row = this.row<KeyRow>`SELECT * FROM keys WHERE key_id = ${id}`;
    return row && keyOf(row);
  }

  addKey(key: KeyState): void {
    this.run`INSERT INTO keys
      (key_id, secret_hash, name, team, scopes, created_at, created_by, expires_at)
      VALUES (${key.id}, ${key.secretHash}, ${key.name}, ${key.team},
        ${JSON.stringify(key.scopes)}, ${key.createdAt}, ${key.createdBy}, ${key.expiresAt})`;
  }

  /** The latest key first; `before` is the `next` of the previous page. */
  keyPage({ status, limit }: KeyFilter, before: number, now: number): KeyPage {
    const which = status === undefined ? '1 = 1' : STATUS_CLAUSES[status];
    const bound = which.includes('?') ? [now] : [];
    const { total } = this.one<{ total: number }>(
      `SELECT count(*) AS total FROM keys WHERE ${which}`,
      ...bound,
    );
    const rows = this.rows<KeyRow>(
      `SELECT * FROM keys WHERE ${which} AND seq < ? ORDER BY seq DESC LIMIT ?`,
      ...bound,
      before,
      limit + 1,
    );
    const shown = rows.slice(0, limit);
    const next = rows.length > shown.length ? Number(shown.at(-1)?.seq) : undefined;
    return { keys: shown.map(keyOf), total, next };
  }

  /** Revokes a key and deletes its sessions. */
  revokeKey(id: string, now: number): void {
    this.run`UPDATE keys SET revoked_at = ${now} WHERE key_id = ${id}`;
    this.run`DELETE FROM sessions WHERE key_id = ${id}`;
  }

  noteUse(id: string, now: number): void {
    this.run`UPDATE keys SET last_used_at = ${now} WHERE key_id = ${id}`;
  }

  session(id: string): SessionState | undefined {
    const row = this.row<Row<'session_id' | 'secret_hash' | 'key_id' | 'expires_at'>>`
      SELECT * FROM sessions WHERE session_id = ${id}`;
    return (
      row && {
        id: String(row.session_id),
        secretHash: String(row.secret_hash),
        keyId: String(row.key_id),
        expiresAt: Number(row.expires_at),
      }
    );
  }

  /** Adds a session, and deletes expired ones and the oldest above the limit. */
  addSession({ id, secretHash, keyId, expiresAt }: SessionState, now: number): void {
    this.run`DELETE FROM sessions WHERE expires_at <= ${now}`;
    this.run`INSERT INTO sessions VALUES (${id}, ${secretHash}, ${keyId}, ${expiresAt})`;
    this.run`DELETE FROM sessions WHERE session_id IN (
      SELECT session_id FROM sessions WHERE key_id = ${keyId} AND session_id <> ${id}
      ORDER BY expires_at DESC LIMIT -1 OFFSET ${MAX_SESSIONS - 1})`;
  }

  removeSession(id: string): void {
    this.run`DELETE FROM sessions WHERE session_id = ${id}`;
  }

  /** Adds a ticket, and deletes expired ones. */
  addTicket(hash: string, caller: string, { now, end }: { now: number; end: number }): void {
    this.run`DELETE FROM tickets WHERE expires_at <= ${now}`;
    this.run`INSERT INTO tickets VALUES (${hash}, ${caller}, ${end})`;
  }

  /**
   * Removes a ticket, so that it is used once; undefined where there is none, or it has expired.
   */
  takeTicket(hash: string, now: number): string | undefined {
    const row = this.row<Row<'caller' | 'expires_at'>>`
      DELETE FROM tickets WHERE ticket_hash = ${hash} RETURNING caller, expires_at`;
    return row && Number(row.expires_at) > now ? String(row.caller) : undefined;
  }

  /** The gateway's signing key; undefined before its first use. */
  signingKey(): SigningKey | undefined {
    const row = this.row<Row<'key_id' | 'private_jwk' | 'public_jwk'>>(
      'SELECT key_id, private_jwk, public_jwk FROM signing_keys ORDER BY created_at DESC LIMIT 1',
    );
    return (
      row && {
        keyId: String(row.key_id),
        privateJwk: JSON.parse(String(row.private_jwk)),
        publicJwk: JSON.parse(String(row.public_jwk)),
      }
    );
  }

  addSigningKey({ keyId, privateJwk, publicJwk }: SigningKey, now: number): void {
    this.run`INSERT INTO signing_keys (key_id, private_jwk, public_jwk, created_at)
      VALUES (${keyId}, ${JSON.stringify(privateJwk)}, ${JSON.stringify(publicJwk)}, ${now})`;
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

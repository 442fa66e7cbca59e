import type { Digest } from '../contract/digest.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import type { UploadedPart, UploadSession, UploadStatus } from './machine.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;
type SessionRow = Row<
  | 'id'
  | 'model_id'
  | 'version'
  | 'filename'
  | 'claimed_digest'
  | 'metadata'
  | 'length_bytes'
  | 'object_key'
  | 'multipart_id'
  | 'status'
  | 'offset_bytes'
  | 'hash_state'
  | 'rest_key'
  | 'digest'
  | 'writer'
  | 'expires_at'
  | 'owner'
  | 'team'
>;

/** Released as they are: never edited. */
export const UPLOAD_SESSION_TABLES = `CREATE TABLE upload_sessions (
  id TEXT PRIMARY KEY,
  model_id TEXT NOT NULL,
  version TEXT NOT NULL,
  filename TEXT NOT NULL,
  claimed_digest TEXT,
  metadata TEXT NOT NULL,
  length_bytes INTEGER NOT NULL,
  object_key TEXT NOT NULL,
  multipart_id TEXT NOT NULL,
  status TEXT NOT NULL,
  offset_bytes INTEGER NOT NULL,
  hash_state TEXT NOT NULL,
  rest_key TEXT,
  digest TEXT,
  writer INTEGER NOT NULL,
  next_part INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX upload_sessions_by_expiry ON upload_sessions (expires_at);
CREATE INDEX upload_sessions_by_version ON upload_sessions (model_id, version);
CREATE TABLE upload_parts (
  session_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  etag TEXT NOT NULL,
  PRIMARY KEY (session_id, number)
) WITHOUT ROWID;`;

/** Uploads from before are whoever's of the team that may send to what they are for: nobody knows who began them. */
export const UPLOAD_SESSION_OWNERS = `ALTER TABLE upload_sessions ADD COLUMN owner TEXT;
ALTER TABLE upload_sessions ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
CREATE INDEX upload_sessions_by_team ON upload_sessions (team, owner);`;

/** Forgets the uploads that had begun: what was written of them lies in the bucket of another platform. */
export function forgetUploads(sql: SqlStorage): void {
  sql.exec('DELETE FROM upload_parts; DELETE FROM upload_sessions');
  sql.exec('UPDATE uploads SET multipart_id = NULL');
}

/** The resumable uploads. Every method is one synchronous step. */
export class UploadSessionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(session: UploadSession): void {
    this.#sql.exec(
      'INSERT INTO upload_sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      session.id,
      session.modelId,
      session.version,
      session.filename,
      session.claimedDigest,
      session.metadata,
      session.lengthBytes,
      session.objectKey,
      session.multipartId,
      session.status,
      session.offset,
      session.hashState,
      session.restKey,
      session.digest,
      session.writer,
      1,
      session.expiresAt,
      session.owner,
      session.team,
    );
  }

  get(id: string): UploadSession | undefined {
    return this.#sql
      .exec<SessionRow>('SELECT * FROM upload_sessions WHERE id = ?', id)
      .toArray()
      .map(sessionOf)[0];
  }

  ofVersion(modelId: string, version: string): readonly UploadSession[] {
    return this.#sql
      .exec<SessionRow>(
        'SELECT * FROM upload_sessions WHERE model_id = ? AND version = ?',
        modelId,
        version,
      )
      .toArray()
      .map(sessionOf);
  }

  /** Those whose time is up, the complete ones among them too. */
  dueAt(time: number): readonly UploadSession[] {
    return this.#sql
      .exec<SessionRow>('SELECT * FROM upload_sessions WHERE expires_at <= ?', time)
      .toArray()
      .map(sessionOf);
  }

  /** The bytes that uploads of an owner, and of the team, are to have. */
  announcedBytes({ owner, team }: Ownership): Used {
    const { own, all } = this.#sql
      .exec<Row<'own' | 'all'>>(
        `SELECT coalesce(sum(length_bytes) FILTER (WHERE owner = ?), 0) AS own,
           coalesce(sum(length_bytes), 0) AS "all"
         FROM upload_sessions WHERE team = ? AND status <> 'published'`,
        owner,
        team,
      )
      .one();
    return { owner: Number(own), team: Number(all) };
  }

  /** How many wait for bytes, or for their file to be published. */
  countUnderWay(): number {
    const { count } = this.#sql
      .exec<Row<'count'>>(
        "SELECT count(*) AS count FROM upload_sessions WHERE status <> 'published'",
      )
      .one();
    return Number(count);
  }

  /** When the next one is due; none where there is no upload. */
  nextDue(): readonly number[] {
    const { next } = this.#sql
      .exec<Row<'next'>>('SELECT min(expires_at) AS next FROM upload_sessions')
      .one();
    return next === null ? [] : [Number(next)];
  }

  /** Writes what changes while bytes arrive, with the parts that are new. */
  update(session: UploadSession, parts: readonly UploadedPart[] = []): void {
    for (const { number, etag } of parts) {
      this.#sql.exec('INSERT INTO upload_parts VALUES (?, ?, ?)', session.id, number, etag);
    }
    this.#sql.exec(
      `UPDATE upload_sessions SET status = ?, offset_bytes = ?, hash_state = ?, rest_key = ?,
         digest = ?, writer = ?, expires_at = ? WHERE id = ?`,
      session.status,
      session.offset,
      session.hashState,
      session.restKey,
      session.digest,
      session.writer,
      session.expiresAt,
      session.id,
    );
  }

  /**
   * A number for a part, given to one writer once: a late part of an earlier writer can never take
   * the place of one that counts. Numbers rise, and the bucket does not mind gaps.
   */
  reservePart(id: string, writer: number): number | undefined {
    const [row] = this.#sql
      .exec<Row<'number'>>(
        `UPDATE upload_sessions SET next_part = next_part + 1
         WHERE id = ? AND writer = ? AND status = 'open' RETURNING next_part - 1 AS number`,
        id,
        writer,
      )
      .toArray();
    return row && Number(row.number);
  }

  parts(id: string): readonly UploadedPart[] {
    return this.#sql
      .exec<Row<'number' | 'etag'>>(
        'SELECT number, etag FROM upload_parts WHERE session_id = ? ORDER BY number',
        id,
      )
      .toArray()
      .map(({ number, etag }) => ({ number: Number(number), etag: String(etag) }));
  }

  removeParts(id: string): void {
    this.#sql.exec('DELETE FROM upload_parts WHERE session_id = ?', id);
  }

  remove(id: string): void {
    this.removeParts(id);
    this.#sql.exec('DELETE FROM upload_sessions WHERE id = ?', id);
  }
}

const textOf = (value: SqlStorageValue) => (value === null ? null : String(value));

function sessionOf(row: SessionRow): UploadSession {
  return {
    id: String(row.id),
    modelId: String(row.model_id),
    version: String(row.version),
    filename: String(row.filename),
    // Only digests and the three states are written to these columns.
    claimedDigest: textOf(row.claimed_digest) as Digest | null,
    metadata: String(row.metadata),
    lengthBytes: Number(row.length_bytes),
    objectKey: String(row.object_key),
    multipartId: String(row.multipart_id),
    status: String(row.status) as UploadStatus,
    offset: Number(row.offset_bytes),
    hashState: String(row.hash_state),
    restKey: textOf(row.rest_key),
    digest: textOf(row.digest) as Digest | null,
    writer: Number(row.writer),
    expiresAt: Number(row.expires_at),
    owner: textOf(row.owner),
    team: String(row.team),
  };
}

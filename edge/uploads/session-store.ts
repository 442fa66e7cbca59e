import type { Ownership, Used } from '../http/ownership.ts';
import { TableStore } from '../storage/table-store.ts';
import type { UploadedPart, UploadSession } from './machine.ts';

/** A released migration: never edited. */
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

/** Earlier uploads have no owner: whoever may upload to their target may continue them. */
export const UPLOAD_SESSION_OWNERS = `ALTER TABLE upload_sessions ADD COLUMN owner TEXT;
ALTER TABLE upload_sessions ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
CREATE INDEX upload_sessions_by_team ON upload_sessions (team, owner);`;

/** Drops the uploads in progress of a restored backup: their bytes are in the bucket of another platform. */
export function forgetUploads(sql: SqlStorage): void {
  sql.exec('DELETE FROM upload_parts; DELETE FROM upload_sessions');
  sql.exec('UPDATE uploads SET multipart_id = NULL');
}

const COLUMNS = `id, model_id AS modelId, version, filename, claimed_digest AS claimedDigest, metadata,
  length_bytes AS lengthBytes, object_key AS objectKey, multipart_id AS multipartId, status,
  offset_bytes AS offset, hash_state AS hashState, rest_key AS restKey, digest, writer,
  expires_at AS expiresAt, owner, team`;
type SessionRow = { -readonly [K in keyof UploadSession]: UploadSession[K] };

/** The tables of resumable uploads. */
export class UploadSessionStore extends TableStore {
  add(session: UploadSession): void {
    this.insert('upload_sessions', {
      id: session.id,
      model_id: session.modelId,
      version: session.version,
      filename: session.filename,
      claimed_digest: session.claimedDigest,
      metadata: session.metadata,
      length_bytes: session.lengthBytes,
      object_key: session.objectKey,
      multipart_id: session.multipartId,
      ...progressOf(session),
      next_part: 1,
      owner: session.owner,
      team: session.team,
    });
  }

  get(id: string): UploadSession | undefined {
    return this.#sessions('id = ?', id)[0];
  }

  ofVersion(modelId: string, version: string): readonly UploadSession[] {
    return this.#sessions('model_id = ? AND version = ?', modelId, version);
  }

  /** Sessions that have expired, complete ones among them. */
  dueAt(time: number): readonly UploadSession[] {
    return this.#sessions('expires_at <= ?', time);
  }

  /** Bytes that uploads of an owner, and of the team, will have. */
  announcedBytes({ owner, team }: Ownership): Used {
    return this.usage`SELECT coalesce(sum(length_bytes) FILTER (WHERE owner = ${owner}), 0) AS own,
        coalesce(sum(length_bytes), 0) AS "all"
      FROM upload_sessions WHERE team = ${team} AND status <> 'published'`;
  }

  /** Uploads that wait for bytes, or for their file to be published. */
  countInProgress(): number {
    return this.value("SELECT count(*) FROM upload_sessions WHERE status <> 'published'");
  }

  /** When the next one expires; undefined where there is no upload. */
  nextDue(): number | undefined {
    return this.value<number | null>('SELECT min(expires_at) FROM upload_sessions') ?? undefined;
  }

  /** Writes the progress of an upload, with the parts that are new. */
  update(session: UploadSession, parts: readonly UploadedPart[] = []): void {
    for (const { number, etag } of parts) {
      this.insert('upload_parts', { session_id: session.id, number, etag });
    }
    const progress = progressOf(session);
    const assignments = Object.keys(progress).map((name) => `${name} = ?`);
    this.run(
      `UPDATE upload_sessions SET ${assignments.join(', ')} WHERE id = ?`,
      ...Object.values(progress),
      session.id,
    );
  }

  /**
   * A number for a part, given to one writer once: a late part of an earlier writer can never replace
   * one that counts. Numbers rise, and the bucket allows gaps.
   */
  reservePart(id: string, writer: number): number | undefined {
    const row = this.row<{ number: number }>`UPDATE upload_sessions SET next_part = next_part + 1
      WHERE id = ${id} AND writer = ${writer} AND status = 'open' RETURNING next_part - 1 AS number`;
    return row?.number;
  }

  parts(id: string): readonly UploadedPart[] {
    return this.rows<{ number: number; etag: string }>`
      SELECT number, etag FROM upload_parts WHERE session_id = ${id} ORDER BY number`;
  }

  removeParts(id: string): void {
    this.run`DELETE FROM upload_parts WHERE session_id = ${id}`;
  }

  remove(id: string): void {
    this.removeParts(id);
    this.run`DELETE FROM upload_sessions WHERE id = ${id}`;
  }

  #sessions(where: string, ...values: readonly (string | number)[]): readonly UploadSession[] {
    const query = `SELECT ${COLUMNS} FROM upload_sessions WHERE ${where}`;
    return this.rows<SessionRow>(query, ...values);
  }
}

const progressOf = (session: UploadSession) => ({
  status: session.status,
  offset_bytes: session.offset,
  hash_state: session.hashState,
  rest_key: session.restKey,
  digest: session.digest,
  writer: session.writer,
  expires_at: session.expiresAt,
});

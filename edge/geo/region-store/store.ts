import type { Digest } from '../../contract/digest.ts';
import type { UploadedPart } from '../../uploads/machine.ts';
import { type Copy, type Fence, OPEN_FENCE, type WantedFile, type WantedVersion } from './copy.ts';
import { TableStore } from '../../storage/table-store.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const REGION_STORE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE fence (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     region_id TEXT NOT NULL,
     epoch INTEGER NOT NULL
   );
   CREATE TABLE versions (
     model_id TEXT NOT NULL,
     version TEXT NOT NULL,
     files TEXT NOT NULL,
     PRIMARY KEY (model_id, version)
   ) WITHOUT ROWID;
   CREATE TABLE copies (
     digest TEXT PRIMARY KEY,
     size_bytes INTEGER NOT NULL,
     object_key TEXT NOT NULL,
     status TEXT NOT NULL,
     epoch INTEGER NOT NULL,
     multipart_id TEXT,
     offset_bytes INTEGER NOT NULL DEFAULT 0,
     hash_state TEXT NOT NULL DEFAULT '',
     error TEXT,
     retry_at INTEGER NOT NULL DEFAULT 0,
     updated_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE parts (
     digest TEXT NOT NULL,
     number INTEGER NOT NULL,
     etag TEXT NOT NULL,
     PRIMARY KEY (digest, number)
   ) WITHOUT ROWID;`,
];

type Row<K extends string> = Record<K, SqlStorageValue>;
type CopyRow = Row<
  | 'digest'
  | 'size_bytes'
  | 'object_key'
  | 'status'
  | 'epoch'
  | 'multipart_id'
  | 'offset_bytes'
  | 'hash_state'
  | 'error'
  | 'retry_at'
  | 'updated_at'
>;

/** The SQL of a region's store. */
export class RegionStoreTables extends TableStore {
  /** Restarts unfinished copies: their parts are in the bucket of another platform. */
  forgetParts(): void {
    this.run('DELETE FROM parts');
    this.run(`UPDATE copies SET multipart_id = NULL, offset_bytes = 0, hash_state = ''
        WHERE multipart_id IS NOT NULL`);
  }

  fence(): Fence {
    const row = this.row<Row<'epoch'>>('SELECT epoch FROM fence');
    return row ? { epoch: Number(row.epoch) } : OPEN_FENCE;
  }

  regionId(): string | undefined {
    const row = this.row<Row<'region_id'>>('SELECT region_id FROM fence');
    return row && String(row.region_id);
  }

  putFence(regionId: string, { epoch }: Fence): void {
    this.run`INSERT OR REPLACE INTO fence VALUES (1, ${regionId}, ${epoch})`;
  }

  versions(): readonly WantedVersion[] {
    return this.rows<Row<'model_id' | 'version' | 'files'>>(
      'SELECT * FROM versions ORDER BY model_id, version',
    ).map(({ model_id, version, files }) => ({
      modelId: String(model_id),
      version: String(version),
      files: JSON.parse(String(files)) as readonly WantedFile[],
    }));
  }

  /** Replaces the wanted versions. */
  putVersions(versions: readonly WantedVersion[]): void {
    this.run('DELETE FROM versions');
    for (const { modelId, version, files } of versions) {
      this.run`INSERT INTO versions VALUES (${modelId}, ${version}, ${JSON.stringify(files)})`;
    }
  }

  copies(): readonly Copy[] {
    return this.rows<CopyRow>('SELECT * FROM copies').map(copyOf);
  }

  copy(digest: Digest): Copy | undefined {
    const row = this.row<CopyRow>`SELECT * FROM copies WHERE digest = ${digest}`;
    return row && copyOf(row);
  }

  /** The next copy to work on: one already begun, then the smallest. */
  nextCopy(now: number): Copy | undefined {
    const row = this.row<CopyRow>`
      SELECT * FROM copies WHERE status <> 'ready' AND retry_at <= ${now}
      ORDER BY status = 'copying' DESC, size_bytes, digest LIMIT 1`;
    return row && copyOf(row);
  }

  /** When there is work to do; undefined where all is done. */
  nextAt(): number | undefined {
    const { at } = this.one<Row<'at'>>(
      "SELECT min(retry_at) AS at FROM copies WHERE status <> 'ready'",
    );
    return at === null ? undefined : Number(at);
  }

  /** Requests a copy. One that exists or is under way moves to the new epoch. */
  want({ digest, sizeBytes, objectKey }: WantedFile, epoch: number, now: number): void {
    this.run`INSERT INTO copies (digest, size_bytes, object_key, status, epoch, updated_at)
      VALUES (${digest}, ${sizeBytes}, ${objectKey}, 'waiting', ${epoch}, ${now})
      ON CONFLICT (digest) DO UPDATE SET object_key = excluded.object_key, epoch = excluded.epoch,
        retry_at = CASE WHEN excluded.epoch > copies.epoch THEN 0 ELSE retry_at END`;
  }

  put(copy: Copy): void {
    this.run`INSERT OR REPLACE INTO copies
      VALUES (${copy.digest}, ${copy.sizeBytes}, ${copy.objectKey}, ${copy.status}, ${copy.epoch},
        ${copy.multipartId}, ${copy.offset}, ${copy.hashState}, ${copy.error}, ${copy.retryAt},
        ${copy.updatedAt})`;
  }

  drop(digest: Digest): void {
    this.run`DELETE FROM copies WHERE digest = ${digest}`;
    this.dropParts(digest);
  }

  parts(digest: Digest): readonly UploadedPart[] {
    const rows = this.rows<Row<'number' | 'etag'>>`
      SELECT number, etag FROM parts WHERE digest = ${digest} ORDER BY number`;
    return rows.map(({ number, etag }) => ({ number: Number(number), etag: String(etag) }));
  }

  putPart(digest: Digest, { number, etag }: UploadedPart): void {
    this.run`INSERT OR REPLACE INTO parts VALUES (${digest}, ${number}, ${etag})`;
  }

  dropParts(digest: Digest): void {
    this.run`DELETE FROM parts WHERE digest = ${digest}`;
  }
}

const copyOf = (row: CopyRow): Copy => ({
  // Only digests and statuses are written to these columns.
  digest: String(row.digest) as Digest,
  status: String(row.status) as Copy['status'],
  sizeBytes: Number(row.size_bytes),
  objectKey: String(row.object_key),
  epoch: Number(row.epoch),
  multipartId: row.multipart_id === null ? null : String(row.multipart_id),
  offset: Number(row.offset_bytes),
  hashState: String(row.hash_state),
  error: row.error === null ? null : String(row.error),
  retryAt: Number(row.retry_at),
  updatedAt: Number(row.updated_at),
});

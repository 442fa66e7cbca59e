import type { Digest } from '../contract/digest.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;
export type PartRow = Row<'digest' | 'size_bytes' | 'object_key'>;

/** A part whose bytes lie in the bucket. */
export interface StoredPart {
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly objectKey: string;
}

/**
 * The parts that lie in the bucket, and when each was last sent or asked for: what was not for long
 * and nothing names is cleared away. Every method is one synchronous step.
 */
export class PartStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add({ digest, sizeBytes, objectKey }: StoredPart, now: number): void {
    this.#sql.exec('INSERT INTO parts VALUES (?, ?, ?, ?)', digest, sizeBytes, objectKey, now);
  }

  /** A part that a team has, or that anybody has where none is named. */
  get(digest: string, team: string | undefined): StoredPart | undefined {
    return this.#sql
      .exec<PartRow>(
        `SELECT * FROM parts WHERE digest = ?1 ${OF_TEAM.replaceAll('?', '?2')}`,
        digest,
        team ?? null,
      )
      .toArray()
      .map(partOf)[0];
  }

  /** Those of the digests that are there, each once; from now on they are kept for a while. */
  touch(digests: readonly string[], now: number, team: string | undefined): readonly StoredPart[] {
    return this.#sql
      .exec<PartRow>(
        `UPDATE parts SET touched_at = ?1 WHERE digest IN (SELECT value FROM json_each(?2))
           ${OF_TEAM.replaceAll('?', '?3')}
         RETURNING digest, size_bytes, object_key`,
        now,
        JSON.stringify(digests),
        team ?? null,
      )
      .toArray()
      .map(partOf);
  }

  /** The digests that nobody sent or asked for since a time, the oldest first. */
  untouchedSince(time: number, limit: number): readonly string[] {
    return this.#sql
      .exec<Row<'digest'>>(
        'SELECT digest FROM parts WHERE touched_at <= ? ORDER BY touched_at LIMIT ?',
        time,
        limit,
      )
      .toArray()
      .map((row) => String(row.digest));
  }

  /** Takes parts away, but for those that were touched after a time. */
  remove(digests: readonly string[], time: number): readonly StoredPart[] {
    return this.#sql
      .exec<PartRow>(
        `DELETE FROM parts WHERE touched_at <= ? AND digest IN (SELECT value FROM json_each(?))
         RETURNING digest, size_bytes, object_key`,
        time,
        JSON.stringify(digests),
      )
      .toArray()
      .map(partOf);
  }

  oldestAt(): number | undefined {
    const { oldest } = this.#sql
      .exec<Row<'oldest'>>('SELECT min(touched_at) AS oldest FROM parts')
      .one();
    return oldest === null ? undefined : Number(oldest);
  }
}

/** A part is there for those who have it: a digest alone tells nobody what others sent. */
const OF_TEAM = `AND (? IS NULL
  OR EXISTS (SELECT 1 FROM part_holders WHERE part_holders.digest = parts.digest AND team = ?))`;

export const partOf = (row: PartRow): StoredPart => ({
  // Only digests are written to this column.
  digest: String(row.digest) as Digest,
  sizeBytes: Number(row.size_bytes),
  objectKey: String(row.object_key),
});

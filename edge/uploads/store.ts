type Row<K extends string> = Record<K, SqlStorageValue>;

export interface PendingUpload {
  readonly objectKey: string;
  /** Set where the bytes arrive as a multipart upload of the bucket. */
  readonly multipartId: string | null;
}

/**
 * The uploads that have begun and are neither published nor cleared away: what has to be deleted
 * where their writer dies.
 */
export class UploadStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add({ objectKey, multipartId }: PendingUpload, startedAt: number): void {
    this.#sql.exec(
      'INSERT INTO uploads (object_key, multipart_id, started_at) VALUES (?, ?, ?)',
      objectKey,
      multipartId,
      startedAt,
    );
  }

  /** Lists bytes that nobody needs any more, until they are gone. */
  addAbandoned({ objectKey, multipartId }: PendingUpload, now: number): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO uploads VALUES (?, ?, ?, 1)',
      objectKey,
      multipartId,
      now,
    );
  }

  /** Takes a finished upload off the list; false where it was given up in the meantime. */
  finish(objectKey: string): boolean {
    const { rowsWritten } = this.#sql.exec(
      'DELETE FROM uploads WHERE object_key = ? AND abandoned = 0',
      objectKey,
    );
    return rowsWritten > 0;
  }

  /** From here on the upload cannot be finished; it stays listed until its bytes are gone. */
  abandon(objectKey: string): PendingUpload | undefined {
    return this.#mark('UPDATE uploads SET abandoned = 1 WHERE object_key = ?', objectKey)[0];
  }

  abandonBefore(time: number): readonly PendingUpload[] {
    return this.#mark('UPDATE uploads SET abandoned = 1 WHERE started_at <= ?', time);
  }

  remove({ objectKey }: PendingUpload): void {
    this.#sql.exec('DELETE FROM uploads WHERE object_key = ?', objectKey);
  }

  countUnderWay(): number {
    const { count } = this.#sql
      .exec<Row<'count'>>('SELECT count(*) AS count FROM uploads WHERE abandoned = 0')
      .one();
    return Number(count);
  }

  oldestAt(): number | undefined {
    const { oldest } = this.#sql
      .exec<Row<'oldest'>>('SELECT min(started_at) AS oldest FROM uploads')
      .one();
    return oldest === null ? undefined : Number(oldest);
  }

  #mark(update: string, value: string | number): readonly PendingUpload[] {
    return this.#sql
      .exec<Row<'object_key' | 'multipart_id'>>(
        `${update} RETURNING object_key, multipart_id`,
        value,
      )
      .toArray()
      .map(({ object_key, multipart_id }) => ({
        objectKey: String(object_key),
        multipartId: multipart_id === null ? null : String(multipart_id),
      }));
  }
}

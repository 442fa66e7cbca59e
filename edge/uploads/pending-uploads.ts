import { TableStore } from '../storage/table-store.ts';
import { discardBytes } from './file-writer.ts';
import type { PendingUpload } from './machine.ts';

/**
 * Bytes that are being written to the bucket, or that nothing names any more: whatever is listed here
 * is deleted in the end, unless it is finished first.
 */
export class PendingUploads extends TableStore {
  readonly #bucket: R2Bucket;

  constructor(sql: SqlStorage, bucket: R2Bucket) {
    super(sql);
    this.#bucket = bucket;
  }

  /** Lists bytes that are about to be written, so that they are deleted if their writer dies. */
  begin({ objectKey, multipartId }: PendingUpload): void {
    const started_at = Date.now();
    this.insert('uploads', { object_key: objectKey, multipart_id: multipartId, started_at });
  }

  /** Takes bytes off the list, as a row names them now; false where they were abandoned. */
  finish(objectKey: string): boolean {
    const query = 'DELETE FROM uploads WHERE object_key = ? AND abandoned = 0';
    return this.sql.exec(query, objectKey).rowsWritten > 0;
  }

  /** Gives an upload up and deletes the bytes written so far. */
  async abandon(objectKey: string): Promise<void> {
    const [upload] = this.#abandon('object_key = ?', objectKey);
    if (upload) await this.#discard(upload);
  }

  /** Lists bytes that nothing names any more. */
  list(uploads: readonly PendingUpload[]): void {
    const started_at = Date.now();
    for (const { objectKey: object_key, multipartId: multipart_id } of uploads) {
      this.replace('uploads', { object_key, multipart_id, started_at, abandoned: 1 });
    }
  }

  /** Deletes listed bytes; returns the errors of those that failed, which stay listed. */
  async discard(uploads: readonly PendingUpload[]): Promise<readonly string[]> {
    const results = await Promise.allSettled(uploads.map((upload) => this.#discard(upload)));
    return results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
  }

  /** As `discard`, for all that was listed before a time. */
  discardBefore(time: number): Promise<readonly string[]> {
    return this.discard(this.#abandon('started_at <= ?', time));
  }

  countInProgress(): number {
    return this.value('SELECT count(*) FROM uploads WHERE abandoned = 0');
  }

  oldestAt(): number | undefined {
    return this.value<number | null>('SELECT min(started_at) FROM uploads') ?? undefined;
  }

  /** Marks uploads, which can then no longer be finished; they stay listed until their bytes are gone. */
  #abandon(where: string, value: string | number): readonly PendingUpload[] {
    return this.rows<{ objectKey: string; multipartId: string | null }>(
      `UPDATE uploads SET abandoned = 1 WHERE ${where}
       RETURNING object_key AS objectKey, multipart_id AS multipartId`,
      value,
    );
  }

  async #discard(upload: PendingUpload): Promise<void> {
    await discardBytes(this.#bucket, upload);
    this.run`DELETE FROM uploads WHERE object_key = ${upload.objectKey}`;
  }
}

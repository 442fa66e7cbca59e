import { discardBytes } from './file-writer.ts';
import { type PendingUpload, UploadStore } from './store.ts';

/**
 * Bytes that are on their way to the bucket, or that nobody needs any more: whatever is listed here
 * is deleted in the end, unless it is finished first.
 */
export class AnnouncedUploads {
  readonly #store: UploadStore;
  readonly #bucket: R2Bucket;

  constructor(sql: SqlStorage, bucket: R2Bucket) {
    this.#store = new UploadStore(sql);
    this.#bucket = bucket;
  }

  /** Lists bytes that are about to be written, so that they are cleared away if their writer dies. */
  begin(upload: PendingUpload): void {
    this.#store.add(upload, Date.now());
  }

  /** Takes bytes off the list, as something names them now; false where they were given up. */
  finish(objectKey: string): boolean {
    return this.#store.finish(objectKey);
  }

  /** Gives an upload up and deletes what was written of it. */
  async abandon(objectKey: string): Promise<void> {
    const upload = this.#store.abandon(objectKey);
    if (upload) await this.#discard(upload);
  }

  /** Lists bytes that nobody needs any more. */
  list(uploads: readonly PendingUpload[]): void {
    for (const upload of uploads) this.#store.addAbandoned(upload, Date.now());
  }

  /** Deletes bytes that are listed; returns why some could not be, which then stay listed. */
  async discard(uploads: readonly PendingUpload[]): Promise<readonly string[]> {
    const results = await Promise.allSettled(uploads.map((upload) => this.#discard(upload)));
    return results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
  }

  /** As `discard`, for all that was listed before a time. */
  discardBefore(time: number): Promise<readonly string[]> {
    return this.discard(this.#store.abandonBefore(time));
  }

  countUnderWay(): number {
    return this.#store.countUnderWay();
  }

  oldestAt(): number | undefined {
    return this.#store.oldestAt();
  }

  async #discard(upload: PendingUpload): Promise<void> {
    await discardBytes(this.#bucket, upload);
    this.#store.remove(upload);
  }
}

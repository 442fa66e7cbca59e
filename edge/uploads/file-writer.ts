import { type Digest, digestOf } from '../contract/digest.ts';
import { MAX_UPLOAD_BYTES } from '../registry/contract/model-file.ts';
import { PART_BYTES } from './contract/tus.ts';
import { concat, tooLarge } from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import { ulid } from '../http/ulid.ts';
import type { UploadedPart } from './machine.ts';
import type { PendingUpload } from './machine.ts';

/** Complete bytes in the bucket, under a key that no file has yet. */
export interface WrittenBytes {
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly digest: Digest;
}

/** Announces the bytes to the list of pending uploads before any is written. */
export type Announce = (upload: PendingUpload) => Promise<void>;

interface WriteTarget {
  readonly bucket: R2Bucket;
  readonly announce: Announce;
  /** Maximum bytes; MAX_UPLOAD_BYTES by default. */
  readonly maxBytes?: number;
}

/** How long the bucket may take for one part. */
const PATIENCE_MS = 30_000;

export const newObjectKey = () => `files/${ulid()}`;

/**
 * Writes a stream of unknown length to the bucket under `objectKey` and hashes it on the way.
 *
 * @throws Problem payload_too_large or upload_expired, or what reading the stream throws; the
 *   caller then abandons the announced upload
 */
export async function writeBytes(
  content: AsyncIterable<Uint8Array>,
  objectKey: string,
  { bucket, announce, maxBytes = MAX_UPLOAD_BYTES }: WriteTarget,
): Promise<WrittenBytes> {
  const hash = new crypto.DigestStream('SHA-256');
  const hashing = hash.getWriter();
  const object = new GrowingObject(bucket, objectKey, announce);
  let sizeBytes = 0;
  try {
    for await (const part of partsOf(content)) {
      sizeBytes += part.byteLength;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      await hashing.write(part);
      await object.add(part);
    }
    await object.finish();
  } catch (error) {
    throw isGone(error) ? new Problem('upload_expired', 'The upload took too long.') : error;
  } finally {
    await object.settled();
  }
  await hashing.close();
  return { objectKey, sizeBytes, digest: digestOf(await hash.digest) };
}

/** Deletes what an upload has written so far; nothing there is fine. */
export async function discardBytes(bucket: R2Bucket, upload: PendingUpload): Promise<void> {
  const { objectKey, multipartId } = upload;
  if (multipartId !== null) {
    await bucket.resumeMultipartUpload(objectKey, multipartId).abort().catch(unlessGone);
  }
  await bucket.delete(objectKey);
  await discardRests(bucket, objectKey);
}

/** The key of the remainder of a resumable upload that is too short for a part. */
export const restKey = (objectKey: string, writer: number) => `${objectKey}.rest.${writer}`;

/** Deletes the rests of a resumable upload, those of writers that died too. */
export async function discardRests(bucket: R2Bucket, objectKey: string): Promise<void> {
  const { objects } = await bucket.list({ prefix: `${objectKey}.rest.` });
  if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
}

/** Makes one object of its parts. Having done so before is fine. */
export async function completeObject(
  bucket: R2Bucket,
  { objectKey, multipartId }: { readonly objectKey: string; readonly multipartId: string },
  parts: readonly UploadedPart[],
): Promise<void> {
  const multipart = bucket.resumeMultipartUpload(objectKey, multipartId);
  if (parts.length === 0) {
    await bucket.put(objectKey, new Uint8Array());
    await multipart.abort().catch(unlessGone);
    return;
  }
  const uploaded = parts.map(({ number, etag }) => ({ partNumber: number, etag }));
  try {
    await multipart.complete(uploaded);
  } catch (error) {
    if (!isGone(error) || (await bucket.head(objectKey)) === null) throw error;
  }
}

/** One part is written in one piece; more become a multipart upload, one on its way at a time. */
class GrowingObject {
  readonly #bucket: R2Bucket;
  readonly #key: string;
  readonly #announce: Announce;
  readonly #sent: R2UploadedPart[] = [];
  #first: Uint8Array | undefined;
  #multipart: R2MultipartUpload | undefined;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(bucket: R2Bucket, key: string, announce: Announce) {
    this.#bucket = bucket;
    this.#key = key;
    this.#announce = announce;
  }

  async add(part: Uint8Array): Promise<void> {
    if (!this.#first) {
      this.#first = part;
      return;
    }
    if (!this.#multipart) {
      this.#multipart = await this.#start();
      this.#send(this.#multipart, this.#first);
    }
    await this.#sending;
    this.#send(this.#multipart, part);
  }

  async finish(): Promise<void> {
    if (this.#multipart) {
      await this.#sending;
      await inTime(this.#multipart.complete(this.#sent));
      return;
    }
    await this.#announce({ objectKey: this.#key, multipartId: null });
    await inTime(this.#bucket.put(this.#key, this.#first ?? new Uint8Array()));
  }

  /** Nothing is on its way any more, whether it arrived or not. */
  async settled(): Promise<void> {
    await this.#sending.catch(() => {});
  }

  async #start(): Promise<R2MultipartUpload> {
    const multipart = await this.#bucket.createMultipartUpload(this.#key);
    await this.#announce({ objectKey: this.#key, multipartId: multipart.uploadId });
    return multipart;
  }

  #send(multipart: R2MultipartUpload, part: Uint8Array): void {
    const sending = inTime(multipart.uploadPart(this.#sent.length + 1, part));
    this.#sending = sending.then((sent) => this.#sent.push(sent));
    // Awaited before the next part; until then a failure must not count as unhandled.
    this.#sending.catch(() => {});
  }
}

/** A bucket on a full disk was observed to hang. */
async function inTime<T>(writing: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`the bucket took no bytes for ${PATIENCE_MS / 1000} s`));
  }, PATIENCE_MS);
  try {
    return await Promise.race([writing, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Cuts a stream into parts of PART_BYTES; the last one holds the rest. Two are held at once. */
async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    let rest = chunk;
    while (size + rest.byteLength >= PART_BYTES) {
      const room = PART_BYTES - size;
      yield concat([...pieces, rest.subarray(0, room)], PART_BYTES);
      rest = rest.subarray(room);
      pieces = [];
      size = 0;
    }
    pieces.push(rest);
    size += rest.byteLength;
  }
  if (size > 0) yield concat(pieces, size);
}

/** R2's code for a multipart upload that was completed or aborted before. */
export const isGone = (error: unknown) =>
  error instanceof Error && error.message.includes('(10024)');

function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

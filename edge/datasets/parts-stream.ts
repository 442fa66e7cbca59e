import { type Digest, digestOf } from '../contract/digest.ts';
import type { ByteRange } from '../http/range.ts';
import type { StoredPart } from './parts-store.ts';

/** A stretch of one object of the bucket. */
interface Stretch {
  readonly objectKey: string;
  readonly offset: number;
  readonly length: number;
}

/** The bytes of parts in their order, whole or a range of them; one part is open at a time. */
export function streamOf(
  bucket: R2Bucket,
  parts: readonly StoredPart[],
  range?: ByteRange,
): ReadableStream<Uint8Array> {
  const stretches = stretchesOf(parts, range);
  const length = stretches.reduce((sum, stretch) => sum + stretch.length, 0);
  const { readable, writable } = new FixedLengthStream(length);
  // Where a part is gone, or the reader is, there is nobody to tell but the stream itself.
  pour(bucket, stretches, writable).catch((error: unknown) => writable.abort(error));
  return readable;
}

/** The digest of parts one after the other. */
export async function digestOfParts(
  bucket: R2Bucket,
  parts: readonly StoredPart[],
): Promise<Digest> {
  const hash = new crypto.DigestStream('SHA-256');
  await pour(bucket, stretchesOf(parts), hash);
  return digestOf(await hash.digest);
}

async function pour(
  bucket: R2Bucket,
  stretches: readonly Stretch[],
  into: WritableStream<Uint8Array>,
): Promise<void> {
  for (const { objectKey, offset, length } of stretches) {
    const object = await bucket.get(objectKey, { range: { offset, length } });
    if (!object)
      throw new Error(`${objectKey} is listed as a part, but the bucket has no such key`);
    await object.body.pipeTo(into, { preventClose: true });
  }
  await into.close();
}

function stretchesOf(
  parts: readonly StoredPart[],
  { from, to }: ByteRange = { from: 0, to: Infinity },
): readonly Stretch[] {
  let start = 0;
  return parts.flatMap(({ objectKey, sizeBytes }) => {
    const offset = Math.max(0, from - start);
    const end = Math.min(sizeBytes, to + 1 - start);
    start += sizeBytes;
    return end > offset ? [{ objectKey, offset, length: end - offset }] : [];
  });
}

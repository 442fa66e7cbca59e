import { digestOf } from '../contract/digest.ts';
import { PART_BYTES } from '../uploads/contract/tus.ts';
import type { UploadedPart } from '../uploads/machine.ts';
import { completeObject } from '../uploads/file-writer.ts';
import { ResumableSha256 } from '../uploads/resumable-sha256.ts';
import type { Copy } from './replica.ts';

/** Where a copy is read and written. */
export interface CopyPlaces {
  readonly source: R2Bucket;
  readonly target: R2Bucket;
  readonly targetKey: string;
}

export type CopyProgress =
  | {
      readonly kind: 'part';
      readonly part: UploadedPart;
      readonly multipartId: string;
      readonly offset: number;
      readonly hashState: string;
    }
  | { readonly kind: 'done' };

/** The bytes of the source are others than the registry says: what was copied of them is worth nothing. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

/**
 * Copies the next part of a file, or all of a small one. What the target's store is given has the
 * digest that the registry knows, or it is given nothing.
 *
 * @throws WrongBytes, or what reading and writing throw: then it can be gone on with
 */
export async function copyNextPart(
  copy: Copy,
  places: CopyPlaces,
  parts: readonly UploadedPart[],
): Promise<CopyProgress> {
  const { sizeBytes, offset } = copy;
  const length = Math.min(PART_BYTES, sizeBytes - offset);
  const bytes = await readPart(copy, places.source, length);
  const hash = ResumableSha256.resume(copy.hashState, offset).update(bytes);
  const isLast = offset + length === sizeBytes;
  const isWhole = isLast && offset === 0;
  // Between two parts the state is kept; the last part needs none.
  const hashState = isLast ? '' : hash.save();
  if (isLast) expectDigest(copy, digestOf(hash.digest()));
  if (isWhole) {
    await places.target.put(places.targetKey, bytes);
    return { kind: 'done' };
  }
  const multipart =
    copy.multipartId === null
      ? await places.target.createMultipartUpload(places.targetKey)
      : places.target.resumeMultipartUpload(places.targetKey, copy.multipartId);
  const { partNumber, etag } = await multipart.uploadPart(parts.length + 1, bytes);
  const part = { number: partNumber, etag };
  const { uploadId: multipartId } = multipart;
  if (!isLast) return { kind: 'part', part, multipartId, offset: offset + length, hashState };
  await completeObject(places.target, { objectKey: places.targetKey, multipartId }, [
    ...parts,
    part,
  ]);
  return { kind: 'done' };
}

async function readPart(copy: Copy, source: R2Bucket, length: number): Promise<Uint8Array> {
  const { objectKey, offset, sizeBytes } = copy;
  const options = length === sizeBytes ? {} : { range: { offset, length } };
  const object = await source.get(objectKey, options);
  if (!object) throw new Error('the bucket of the registry does not have its bytes');
  const bytes = new Uint8Array(await object.arrayBuffer());
  if (bytes.byteLength === length) return bytes;
  throw new Error(`${bytes.byteLength} bytes came from byte ${offset} on, expected ${length}`);
}

function expectDigest({ digest }: Copy, found: string): void {
  if (found === digest) return;
  throw new WrongBytes(`the bytes have the digest ${found}, expected ${digest}`);
}

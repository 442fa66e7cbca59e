import { type Digest, digestOf } from '../../contract/digest.ts';
import { PART_BYTES } from '../../uploads/contract/tus.ts';
import { completeObject } from '../../uploads/file-writer.ts';
import type { UploadedPart } from '../../uploads/machine.ts';
import { ResumableSha256 } from '../../uploads/resumable-sha256.ts';
import type { Replica } from '../contract/latency.ts';

/** A file that a region should have a copy of. */
export interface WantedFile {
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** Its key in the bucket of the registry. */
  readonly objectKey: string;
}

/** A complete version of a model. */
export interface WantedVersion {
  readonly modelId: string;
  readonly version: string;
  readonly files: readonly WantedFile[];
}

/** The progress of copying one file. Times are epoch milliseconds. */
export interface Copy extends WantedFile {
  readonly status: 'waiting' | 'copying' | 'ready' | 'failed';
  /** The epoch in which it was requested. */
  readonly epoch: number;
  readonly multipartId: string | null;
  /** The number of bytes in uploaded parts. */
  readonly offset: number;
  /** The hash state of those bytes, to resume from. */
  readonly hashState: string;
  readonly error: string | null;
  /** When to retry after a failure. */
  readonly retryAt: number;
  readonly updatedAt: number;
}

/** The progress of a version's copy: that of its least advanced file. */
export function replicaOf(
  regionId: string,
  { modelId, version, files }: WantedVersion,
  copies: ReadonlyMap<string, Copy>,
): Replica {
  const own = files.flatMap(({ digest }) => copies.get(digest) ?? []);
  const failed = own.find(({ status }) => status === 'failed');
  const ready = own.filter(({ status }) => status === 'ready');
  return {
    region_id: regionId,
    model_id: modelId,
    version,
    status: failed ? 'failed' : statusOf(files.length, own, ready.length),
    files: files.length,
    files_ready: ready.length,
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    bytes_copied: own.reduce((sum, copy) => sum + copiedBytes(copy), 0),
    error: failed?.error ?? null,
    updated_at: new Date(Math.max(0, ...own.map(({ updatedAt }) => updatedAt))).toISOString(),
  };
}

function statusOf(files: number, own: readonly Copy[], ready: number): Replica['status'] {
  if (ready === files) return 'ready';
  const hasBegun = ready > 0 || own.some(({ status }) => status === 'copying');
  return hasBegun ? 'copying' : 'waiting';
}

const copiedBytes = ({ status, sizeBytes, offset }: Copy): number =>
  status === 'ready' ? sizeBytes : offset;

/**
 * A fencing token against a replaced region that could not be notified: every write carries the
 * epoch it was decided in, and a store refuses all older than the newest it has seen.
 */
export interface Fence {
  readonly epoch: number;
}

type Admission =
  | { readonly kind: 'admitted'; readonly fence: Fence }
  | { readonly kind: 'stale'; readonly epoch: number };

/** Epochs count from 1, so a new store admits any. */
export const OPEN_FENCE: Fence = { epoch: 0 };

/** Admits a write under an epoch, and fences off all older ones. */
export function admit(fence: Fence, epoch: number): Admission {
  if (epoch < fence.epoch) return { kind: 'stale', epoch: fence.epoch };
  return { kind: 'admitted', fence: epoch === fence.epoch ? fence : { epoch } };
}

/** The source and target of a copy. */
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

/** The source differs from what the registry says, so what was copied of it is worthless. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

/**
 * Copies the next part of a file, or all of a small one. The target object is completed only with
 * the digest that the registry knows.
 *
 * @throws WrongBytes, or an error of reading or writing, after which it can be resumed
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
  // The hash state is stored between two parts; the last part needs none.
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

import { sha256 } from '@noble/hashes/sha2.js';
import { type Digest, digestOf } from '../edge/contract/digest.ts';
import { digestBody } from '../edge/uploads/contract/client.ts';
import {
  MAX_PART_BYTES,
  type Part,
  type PartedFile,
} from '../edge/training/contract/checkpoint.ts';
import { retry, type RetryOptions } from './backoff.ts';
import { JobFailure } from './job-failure.ts';
import type { TrainingClient } from './training-client.ts';

type PartsClient = Pick<TrainingClient, 'missingParts' | 'putPart' | 'getPart'>;

export async function digestOfBytes(bytes: Uint8Array<ArrayBuffer>): Promise<Digest> {
  return (await digestBody(bytes)) ?? digestOf(sha256(bytes));
}

/** A file that was cut into parts, with the bytes of each. */
interface CutFile {
  readonly file: PartedFile;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

/** Cuts a file into parts of at most 32 MiB, each with its digest. */
export async function cutFile(filename: string, bytes: Uint8Array): Promise<CutFile> {
  // Bytes assembled in memory own their buffer, which the type does not express.
  const whole = bytes as Uint8Array<ArrayBuffer>;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < whole.length; start += MAX_PART_BYTES) {
    pieces.push(whole.subarray(start, start + MAX_PART_BYTES));
  }
  const parts: Part[] = [];
  for (const piece of pieces) {
    parts.push({ digest: await digestOfBytes(piece), size_bytes: piece.length });
  }
  const [only] = parts;
  const digest = only && parts.length === 1 ? only.digest : await digestOfBytes(whole);
  return { file: { filename, digest, size_bytes: whole.length, parts }, pieces };
}

/** Sends those parts of some files that are not there yet. Returns the bytes that were sent. */
export async function sendMissingParts(
  client: PartsClient,
  files: readonly CutFile[],
  retryOptions: RetryOptions = {},
): Promise<number> {
  const pieces = new Map<Digest, Uint8Array<ArrayBuffer>>();
  for (const { file, pieces: bytes } of files) {
    for (const [i, { digest }] of file.parts.entries()) {
      const piece = bytes[i];
      if (piece) pieces.set(digest, piece);
    }
  }
  const { signal } = retryOptions;
  const digests = [...pieces.keys()];
  if (digests.length === 0) return 0;
  const missing = await retry(() => client.missingParts(digests, signal), retryOptions);
  let sent = 0;
  for (const digest of missing) {
    const piece = pieces.get(digest);
    if (!piece) continue;
    await retry(() => client.putPart(digest, piece, signal), retryOptions);
    sent += piece.length;
  }
  return sent;
}

/**
 * Reassembles a file from its parts.
 * @throws JobFailure if the bytes do not match their digests
 */
export async function fetchFile(
  client: PartsClient,
  file: PartedFile,
  retryOptions: RetryOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(file.size_bytes);
  let filled = 0;
  for (const { digest, size_bytes } of file.parts) {
    const part = await retry(() => client.getPart(digest), retryOptions);
    if (part.length !== size_bytes || (await digestOfBytes(part)) !== digest) {
      throw damaged(`a part of ${file.filename} does not have the digest ${digest}`);
    }
    if (filled + part.length > bytes.length) {
      throw damaged(`the parts of ${file.filename} are more than its ${file.size_bytes} bytes`);
    }
    bytes.set(part, filled);
    filled += part.length;
  }
  if (file.parts.length !== 1 && (await digestOfBytes(bytes)) !== file.digest) {
    throw damaged(`${file.filename} does not have the digest ${file.digest}`);
  }
  return bytes;
}

function damaged(what: string): JobFailure {
  return new JobFailure('checkpoint_damaged', what, true);
}

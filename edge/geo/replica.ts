import type { Digest } from '../contract/digest.ts';
import type { Replica } from './contract/latency.ts';

/** A file that a region is to have a copy of. */
export interface WantedFile {
  readonly digest: Digest;
  readonly sizeBytes: number;
  /** Where its bytes lie in the bucket of the registry. */
  readonly objectKey: string;
}

/** A complete version of a model. */
export interface WantedVersion {
  readonly modelId: string;
  readonly version: string;
  readonly files: readonly WantedFile[];
}

/** How far the copy of one file has come. Times are epoch milliseconds. */
export interface Copy extends WantedFile {
  readonly status: 'waiting' | 'copying' | 'ready' | 'failed';
  /** The epoch in which it was asked for. */
  readonly epoch: number;
  readonly multipartId: string | null;
  /** How many bytes lie in parts. */
  readonly offset: number;
  /** The hash of those bytes, to go on from. */
  readonly hashState: string;
  readonly error: string | null;
  /** When it is tried again after it failed. */
  readonly retryAt: number;
  readonly updatedAt: number;
}

/** What the copies of its files make of the copy of a version: it is as far as the least of them. */
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

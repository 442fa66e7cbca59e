import type { Digest } from '../contract/digest.ts';

/** Bytes of an upload that no file names yet. */
export interface PendingUpload {
  readonly objectKey: string;
  /** Set where the bytes arrive as a multipart upload of the bucket. */
  readonly multipartId: string | null;
}

/** One upload of a model. */
export interface UploadRef {
  readonly modelId: string;
  readonly id: string;
}

/** A resumable upload as stored. Its bytes are in the bucket. */
export interface UploadSession {
  readonly id: string;
  readonly modelId: string;
  readonly version: string;
  readonly filename: string;
  readonly claimedDigest: Digest | null;
  /** The metadata as sent. */
  readonly metadata: string;
  readonly lengthBytes: number;
  /** The key of the future file, and the bucket's id of the multipart upload. */
  readonly objectKey: string;
  readonly multipartId: string;
  readonly status: UploadStatus;
  /** The bytes that are safe: whole parts, and the remainder after them. */
  readonly offset: number;
  /** The state of the hash after the whole parts. */
  readonly hashState: string;
  /** The key of the remainder, which is too short for a part. */
  readonly restKey: string | null;
  /** The digest of all bytes, once they are there. */
  readonly digest: Digest | null;
  /** The latest request that writes. Earlier ones may still run, but nothing of theirs counts. */
  readonly writer: number;
  readonly expiresAt: number;
  /** The sender; null for older uploads. */
  readonly owner: string | null;
  readonly team: string;
}

/**
 *   open --the last byte is safe--> complete --its file is published--> published
 *     |                                |
 *     `--- given up, expired ----------`--- refused by the version ---> (gone)
 */
type UploadStatus = 'open' | 'complete' | 'published';

/** A part that is in the bucket. */
export interface UploadedPart {
  readonly number: number;
  readonly etag: string;
}

/** Bytes a writer put into the bucket and that now shall count, from the offset on. */
export interface Commit {
  readonly writer: number;
  readonly offset: number;
  readonly parts: readonly UploadedPart[];
  readonly hashState: string;
  readonly restKey: string | null;
  /** Given with the last byte, and only then. */
  readonly digest: Digest | null;
}

type OpenDecision =
  | { readonly kind: 'open'; readonly session: UploadSession }
  | { readonly kind: 'moved'; readonly offset: number };

type CommitDecision =
  | { readonly kind: 'commit'; readonly session: UploadSession }
  | { readonly kind: 'fenced' };

/** Whether an upload has expired; a complete one only waits to be published. */
export function isExpired({ status, expiresAt }: UploadSession, now: number): boolean {
  return status !== 'complete' && expiresAt <= now;
}

/**
 * A request wants to write from `offset` on. It becomes the only writer: an earlier one may have lost its
 * client without noticing, and must not block the one that resumes.
 */
export function decideOpen(session: UploadSession, offset: number): OpenDecision {
  if (session.offset !== offset) return { kind: 'moved', offset: session.offset };
  if (session.status !== 'open') return { kind: 'open', session };
  return { kind: 'open', session: { ...session, writer: session.writer + 1 } };
}

/** Commits bytes, all or none, if they come from the latest writer. */
export function decideCommit(
  session: UploadSession,
  commit: Commit,
  expiresAt: number,
): CommitDecision {
  const { writer, offset, hashState, restKey, digest } = commit;
  const isLatest = session.status === 'open' && session.writer === writer;
  if (!isLatest || offset < session.offset || offset > session.lengthBytes) {
    return { kind: 'fenced' };
  }
  const isComplete = offset === session.lengthBytes;
  if (isComplete !== (digest !== null)) return { kind: 'fenced' };
  const status = isComplete ? 'complete' : 'open';
  return {
    kind: 'commit',
    session: { ...session, status, offset, hashState, restKey, digest, expiresAt },
  };
}

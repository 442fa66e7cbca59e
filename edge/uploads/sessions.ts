import type { Digest } from '../contract/digest.ts';
import type { FileRecord } from '../registry/contract/model-file.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import { completeObject, discardRests } from './file-writer.ts';
import {
  type Commit,
  decideCommit,
  decideOpen,
  isExpired,
  type UploadRef,
  type UploadSession,
} from './machine.ts';
import { UploadSessionStore } from './session-store.ts';
import type { PendingUpload } from './machine.ts';

export type NewSession = Pick<
  UploadSession,
  | 'id'
  | 'modelId'
  | 'version'
  | 'filename'
  | 'claimedDigest'
  | 'metadata'
  | 'lengthBytes'
  | 'objectKey'
  | 'multipartId'
  | 'owner'
  | 'team'
>;

/** An upload in progress or published; `file` is set with the last byte. */
export interface SessionView {
  readonly session: UploadSession;
  readonly file: FileRecord | undefined;
}

/** Why a complete upload was not published; the upload is gone. */
type SessionRefusal =
  | { readonly kind: 'immutable'; readonly file: FileRecord }
  | { readonly kind: 'wrong-digest'; readonly expected: Digest; readonly digest: Digest }
  | { readonly kind: 'no-version' };

export type UploadOwner = Pick<UploadSession, 'owner' | 'team'>;

/** The result of beginning an upload: it has begun, or would exceed the quota. */
export type BeginResult =
  | { readonly kind: 'begun'; readonly session: UploadSession }
  | { readonly kind: 'over'; readonly used: Used };

export type SessionResult =
  | ({ readonly kind: 'session' } & SessionView)
  | SessionRefusal
  | { readonly kind: 'moved'; readonly offset: number }
  | { readonly kind: 'fenced' | 'gone' };

/** An upload whose last byte has arrived. */
type CompleteUpload = UploadSession & { readonly digest: Digest };

/** The decision about a complete upload: its file is new, or the target already holds these bytes. */
type FinishDecision =
  | { readonly kind: 'publish' | 'same'; readonly file: FileRecord }
  | SessionRefusal;

/**
 * Publishes complete uploads: as files of versions, or as datasets. Every method is one synchronous step.
 */
export interface Destination {
  decide(upload: CompleteUpload): FinishDecision;
  /** Publishes the bytes; false where the object that holds them is not needed. */
  publish(upload: CompleteUpload, file: FileRecord): boolean;
  /** The file published from an upload; it may have been deleted since. */
  find(upload: UploadSession): FileRecord | undefined;
}

interface SessionParts {
  readonly sql: SqlStorage;
  readonly destination: Destination;
  readonly bucket: R2Bucket;
  /** Has the bytes of an upload that ended cleared away. */
  readonly discard: (upload: PendingUpload) => Promise<void>;
}

/** The delay before publishing is tried again. */
const RETRY_MS = 60_000;

/** Resumable uploads: what their machine decides, stored and carried out. */
export class UploadSessions {
  readonly #store: UploadSessionStore;
  readonly #destination: Destination;
  readonly #bucket: R2Bucket;
  readonly #discard: SessionParts['discard'];

  constructor({ sql, destination, bucket, discard }: SessionParts) {
    this.#store = new UploadSessionStore(sql);
    this.#destination = destination;
    this.#bucket = bucket;
    this.#discard = discard;
  }

  begin(session: NewSession, expiresAt: number): UploadSession {
    const added: UploadSession = {
      ...session,
      status: 'open',
      offset: 0,
      hashState: '',
      restKey: null,
      digest: null,
      writer: 0,
      expiresAt,
    };
    this.#store.add(added);
    return added;
  }

  /** The state of an upload. A complete one whose publishing was interrupted is published now. */
  async show(ref: UploadRef, now: number): Promise<SessionResult> {
    const session = this.#find(ref);
    if (!session || isExpired(session, now)) return { kind: 'gone' };
    return session.status === 'complete' ? this.#finish(session) : this.#viewOf(session);
  }

  async open(ref: UploadRef, offset: number, now: number): Promise<SessionResult> {
    const shown = await this.show(ref, now);
    if (shown.kind !== 'session') return shown;
    const decision = decideOpen(shown.session, offset);
    if (decision.kind === 'moved') return decision;
    this.#store.update(decision.session);
    return { ...shown, session: decision.session };
  }

  reservePart(id: string, writer: number): number | undefined {
    return this.#store.reservePart(id, writer);
  }

  /** Makes bytes count; with the last one the file is published. */
  async commit(id: string, commit: Commit, expiresAt: number): Promise<SessionResult> {
    const session = this.#store.get(id);
    if (!session) return { kind: 'gone' };
    const decision = decideCommit(session, commit, expiresAt);
    if (decision.kind === 'fenced') return decision;
    this.#store.update(decision.session, commit.parts);
    return decision.session.status === 'complete'
      ? this.#finish(decision.session)
      : this.#viewOf(decision.session);
  }

  /** Gives an upload up; false where there is none. */
  async end(ref: UploadRef): Promise<boolean> {
    const session = this.#find(ref);
    if (!session) return false;
    await this.#remove(session);
    return true;
  }

  async endThoseOf(modelId: string, version: string): Promise<void> {
    await Promise.all(
      this.#store.ofVersion(modelId, version).map((session) => this.#remove(session)),
    );
  }

  /** Clears away what has expired, and publishes what is complete. */
  async sweep(now: number): Promise<void> {
    for (const session of this.#store.dueAt(now)) {
      // Tried again later, should this fail.
      this.#store.update({ ...session, expiresAt: now + RETRY_MS });
      if (session.status === 'complete') await this.#finish(session);
      else await this.#remove(session);
    }
  }

  /** The owner of an upload; undefined where there is none. */
  whose(ref: UploadRef): UploadOwner | undefined {
    const session = this.#find(ref);
    return session && { owner: session.owner, team: session.team };
  }

  announcedBytes(whose: Ownership): Used {
    return this.#store.announcedBytes(whose);
  }

  countInProgress(): number {
    return this.#store.countInProgress();
  }

  /** When the next one expires; undefined where there is no upload. */
  nextDue(): number | undefined {
    return this.#store.nextDue();
  }

  /**
   * Completes the object in the bucket and publishes it. It may be interrupted anywhere and run again,
   * even concurrently: a complete object is fine, and one row decides.
   */
  async #finish(session: UploadSession): Promise<SessionResult> {
    const before = this.#decide(session);
    if (before.kind === 'publish') {
      await completeObject(this.#bucket, session, this.#store.parts(session.id));
    }
    const current = this.#store.get(session.id);
    if (!current) return { kind: 'gone' };
    if (current.status === 'published') return this.#viewOf(current);
    const decision = this.#decide(current);
    switch (decision.kind) {
      case 'publish': {
        const isNeeded = this.#destination.publish(requireDigest(current), decision.file);
        this.#markPublished(current);
        if (isNeeded) await discardRests(this.#bucket, current.objectKey).catch(() => {});
        else await this.#discard({ ...current, multipartId: null });
        break;
      }
      case 'same':
        this.#markPublished(current);
        await this.#discard(current);
        break;
      default:
        await this.#remove(current);
        return decision;
    }
    return this.#viewOf(this.#store.get(session.id) ?? current);
  }

  #find({ modelId, id }: UploadRef): UploadSession | undefined {
    const session = this.#store.get(id);
    return session?.modelId === modelId ? session : undefined;
  }

  #decide(session: UploadSession): FinishDecision {
    const upload = requireDigest(session);
    const { claimedDigest, digest } = upload;
    if (claimedDigest !== null && claimedDigest !== digest) {
      return { kind: 'wrong-digest', expected: claimedDigest, digest };
    }
    return this.#destination.decide(upload);
  }

  /**
   * Retained for a while, so that a client that missed the last response learns that the upload is
   * complete.
   */
  #markPublished(session: UploadSession): void {
    this.#store.removeParts(session.id);
    this.#store.update({ ...session, status: 'published', restKey: null });
  }

  /** The bytes of a published one are a file's by now: only its rests can have been left. */
  async #remove(session: UploadSession): Promise<void> {
    this.#store.remove(session.id);
    if (session.status === 'published') await discardRests(this.#bucket, session.objectKey);
    else await this.#discard(session);
  }

  #viewOf(session: UploadSession): SessionResult {
    if (session.status !== 'published') return { kind: 'session', session, file: undefined };
    const file = this.#destination.find(session);
    return file ? { kind: 'session', session, file } : { kind: 'gone' };
  }
}

function requireDigest(session: UploadSession): CompleteUpload {
  const { id, digest } = session;
  if (digest === null) throw new Error(`the upload ${id} is complete without a digest`);
  return { ...session, digest };
}

import type { Env } from '../env.ts';
import { isBeyond, type Ownership, type Used } from '../http/ownership.ts';
import { type BackedUp, StoredObject } from '../storage/stored-object.ts';
import type { Commit, UploadRef } from './machine.ts';
import type { PendingUpload } from './machine.ts';
import { PendingUploads } from './pending-uploads.ts';
import { forgetUploads } from './session-store.ts';
import {
  type BeginResult,
  type Destination,
  type NewSession,
  type SessionResult,
  type UploadOwner,
  UploadSessions,
} from './sessions.ts';

/** The delay before a sweep that failed is tried again. */
const SWEEP_RETRY_MS = 60_000;

interface UploadOptions extends BackedUp {
  readonly migrations: readonly string[];
  /** Receives complete resumable uploads. */
  readonly destination: Destination;
}

/**
 * An object that owns uploads and what they become. Bytes are written directly to the bucket: an upload is
 * announced, written under a key of its own, and becomes visible by one row.
 */
export abstract class UploadHolder extends StoredObject {
  readonly #pending: PendingUploads;
  readonly #sessions: UploadSessions;

  constructor(
    ctx: DurableObjectState,
    env: Env,
    { migrations, destination, ...options }: UploadOptions,
  ) {
    super(ctx, env, migrations, options);
    const { sql } = ctx.storage;
    this.#pending = new PendingUploads(sql, env.FILES);
    this.#sessions = new UploadSessions({
      sql,
      destination,
      bucket: env.FILES,
      discard: async (upload) => void (await this.discard([upload])),
    });
  }

  /** Bytes of an owner, and of the team, that are stored. */
  protected abstract storedBytes(whose: Ownership): Used;

  /** Announces bytes that are about to be written, so that they are deleted if their writer dies. */
  async beginUpload(upload: PendingUpload): Promise<void> {
    this.#pending.begin(upload);
    await this.arm();
  }

  /** Takes announced bytes off the list, as a row names them now; false where they were abandoned. */
  protected finishUpload(objectKey: string): boolean {
    return this.#pending.finish(objectKey);
  }

  /** Gives an upload up and deletes the bytes written so far. */
  abandonUpload(objectKey: string): Promise<void> {
    return this.#pending.abandon(objectKey);
  }

  /** Bytes of an owner, and of the team, with those of uploads in progress. */
  usedBytes(whose: Ownership): Used {
    const stored = this.storedBytes(whose);
    const announced = this.#sessions.announcedBytes(whose);
    return { owner: stored.owner + announced.owner, team: stored.team + announced.team };
  }

  /** Begins a resumable upload. */
  async beginSession(session: NewSession, limits: Used): Promise<BeginResult> {
    const used = this.usedBytes({ owner: session.owner ?? '', team: session.team });
    if (isBeyond(limits, used, session.lengthBytes)) return { kind: 'over', used };
    const begun = this.#sessions.begin(session, this.#sessionExpiry());
    await this.arm();
    return { kind: 'begun', session: begun };
  }

  whoseSession(ref: UploadRef): UploadOwner | undefined {
    return this.#sessions.whose(ref);
  }

  showSession(ref: UploadRef): Promise<SessionResult> {
    return this.#sessions.show(ref, Date.now());
  }

  /** Makes a request the only writer of an upload. */
  openSession(ref: UploadRef, offset: number): Promise<SessionResult> {
    return this.#sessions.open(ref, offset, Date.now());
  }

  reservePart(id: string, writer: number): number | undefined {
    return this.#sessions.reservePart(id, writer);
  }

  async commitSession(id: string, commit: Commit): Promise<SessionResult> {
    const result = await this.#sessions.commit(id, commit, this.#sessionExpiry());
    await this.arm();
    return result;
  }

  endSession(ref: UploadRef): Promise<boolean> {
    return this.#sessions.end(ref);
  }

  protected endSessionsOf(modelId: string, version: string): Promise<void> {
    return this.#sessions.endThoseOf(modelId, version);
  }

  /** Uploads that are neither published nor given up. */
  protected countUploads(): number {
    return this.#pending.countInProgress() + this.#sessions.countInProgress();
  }

  /** Deletes bytes; returns the errors of those that failed, which the next sweep tries again. */
  protected async discard(uploads: readonly PendingUpload[]): Promise<readonly string[]> {
    this.#pending.list(uploads);
    await this.arm();
    return this.#pending.discard(uploads);
  }

  /**
   * Deletes what has expired and arms the next alarm. It may fire late or twice, and must not throw, as
   * the runtime gives up on alarms that do.
   */
  override async alarm(): Promise<void> {
    const now = Date.now();
    const failures = [
      ...(await this.#pending.discardBefore(now - this.#uploadTtlMs())),
      ...(await this.sweep().catch((error: unknown) => [String(error)])),
      ...(await this.#sessions.sweep(now).then(
        () => [],
        (error: unknown) => [String(error)],
      )),
    ];
    if (failures.length > 0) {
      console.error(JSON.stringify({ level: 'error', event: 'sweep_failed', failures }));
    }
    await this.report();
    await this.arm(failures.length > 0 ? Date.now() + SWEEP_RETRY_MS : 0);
  }

  /** Deletes what else has expired; returns the errors of what failed. */
  protected async sweep(): Promise<readonly string[]> {
    return [];
  }

  /** Reports metrics after a sweep. */
  protected async report(): Promise<void> {}

  /** When `sweep` is due next. */
  protected sweepDue(): number {
    return Infinity;
  }

  /** When `report` is due next. */
  protected reportDue(): number {
    return Infinity;
  }

  /** Sets the alarm to what is due next, and never moves it further away. */
  protected async arm(earliestSweep = 0): Promise<void> {
    const oldest = this.#pending.oldestAt();
    const expiry = oldest === undefined ? Infinity : oldest + this.#uploadTtlMs();
    const due = Math.min(expiry, this.#sessions.nextDue() ?? Infinity, this.sweepDue());
    const next = Math.min(Math.max(due, earliestSweep), this.reportDue());
    const armed = (await this.ctx.storage.getAlarm()) ?? Infinity;
    if (next < armed) await this.ctx.storage.setAlarm(next);
  }

  protected override derive(): void {
    forgetUploads(this.ctx.storage.sql);
  }

  #sessionExpiry(): number {
    return Date.now() + this.env.RESUMABLE_TTL_S * 1000;
  }

  #uploadTtlMs(): number {
    return this.env.UPLOAD_TTL_S * 1000;
  }
}

import type { DatasetRecord } from '../contract/training/dataset.ts';
import type { Env } from '../env.ts';
import { trainingOf } from '../training/training-stub.ts';
import { AnnouncedUploads } from './announced-uploads.ts';
import { DATASETS_MIGRATIONS } from './datasets-schema.ts';
import { DatasetStore } from './datasets-store.ts';
import { StoredObject } from './stored-object.ts';
import { forgetUploads } from './upload-session-store.ts';
import { PartStore, type StoredPart } from './parts-store.ts';
import type { Commit, UploadRef, UploadSession } from './upload-machine.ts';
import { type NewSession, type SessionResult, UploadSessions } from './upload-sessions.ts';
import type { PendingUpload } from './upload-store.ts';
import { wholeDatasets } from './whole-datasets.ts';

/** What is waited before a clearing that failed is tried again. */
const SWEEP_RETRY_MS = 60_000;
/** Parts that one alarm looks at. */
const SLICE = 256;

/** A dataset with what it is made of, in order. */
export interface StoredDataset {
  readonly record: DatasetRecord;
  readonly parts: readonly StoredPart[];
}

export type AddPartResult = 'added' | 'same' | 'expired';

export type AddDatasetResult =
  | { readonly kind: 'created' | 'same' | 'exists'; readonly record: DatasetRecord }
  | { readonly kind: 'missing'; readonly digests: readonly string[] };

/**
 * The parts that datasets, checkpoints and deltas are made of, and the datasets. Bytes go to the
 * bucket without passing here: each part is written under a key of its own that is never used again,
 * and becomes visible by one row. What was sent or asked for lately stays, whoever names it; older
 * parts that neither a dataset nor a job names go.
 *
 * Storage is the only truth. Nothing is kept on `this`, so eviction needs no care.
 */
export class Datasets extends StoredObject {
  readonly #parts: PartStore;
  readonly #datasets: DatasetStore;
  readonly #uploads: AnnouncedUploads;
  readonly #sessions: UploadSessions;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, DATASETS_MIGRATIONS, { mayHold: { datasets: 0, parts: 0 } });
    this.#parts = new PartStore(ctx.storage.sql);
    this.#datasets = new DatasetStore(ctx.storage.sql);
    this.#uploads = new AnnouncedUploads(ctx.storage.sql, env.FILES);
    this.#sessions = new UploadSessions({
      sql: ctx.storage.sql,
      destination: wholeDatasets(this.#datasets, this.#parts),
      bucket: env.FILES,
      discard: (upload) => this.#discard(upload),
    });
  }

  protected override derive(): void {
    forgetUploads(this.ctx.storage.sql);
  }

  /** Those of the digests that are there, each once; nothing clears them away for now. */
  touchParts(digests: readonly string[]): readonly StoredPart[] {
    return this.#parts.touch(digests, Date.now());
  }

  part(digest: string): StoredPart | undefined {
    return this.#parts.get(digest);
  }

  async beginPart(upload: PendingUpload): Promise<void> {
    this.#uploads.begin(upload);
    await this.#arm();
  }

  /** Makes bytes that were written a part, unless another request was faster. */
  async addPart(part: StoredPart): Promise<AddPartResult> {
    const now = Date.now();
    if (this.#parts.touch([part.digest], now).length > 0) return 'same';
    if (!this.#uploads.finish(part.objectKey)) return 'expired';
    this.#parts.add(part, now);
    await this.#arm();
    return 'added';
  }

  abandonPart(objectKey: string): Promise<void> {
    return this.#uploads.abandon(objectKey);
  }

  /** Makes parts a dataset, all at once. A name stands for one content. */
  addDataset(record: DatasetRecord, digests: readonly string[]): AddDatasetResult {
    const existing = this.#datasets.get(record.name);
    if (existing) {
      return { kind: existing.digest === record.digest ? 'same' : 'exists', record: existing };
    }
    const there = new Set(this.touchParts(digests).map(({ digest }) => String(digest)));
    const missing = digests.filter((digest) => !there.has(digest));
    if (missing.length > 0) return { kind: 'missing', digests: missing };
    this.ctx.storage.transactionSync(() => this.#datasets.add(record, digests));
    return { kind: 'created', record };
  }

  /** Lists a resumable upload whose bytes may come from now on. */
  async beginSession(session: NewSession): Promise<UploadSession> {
    const begun = this.#sessions.begin(session, this.#sessionExpiry());
    await this.#arm();
    return begun;
  }

  showSession(ref: UploadRef): Promise<SessionResult> {
    return this.#sessions.show(ref, Date.now());
  }

  /** Makes a request the only one that writes to an upload. */
  openSession(ref: UploadRef, offset: number): Promise<SessionResult> {
    return this.#sessions.open(ref, offset, Date.now());
  }

  reservePart(id: string, writer: number): number | undefined {
    return this.#sessions.reservePart(id, writer);
  }

  async commitSession(id: string, commit: Commit): Promise<SessionResult> {
    const result = await this.#sessions.commit(id, commit, this.#sessionExpiry());
    await this.#arm();
    return result;
  }

  endSession(ref: UploadRef): Promise<boolean> {
    return this.#sessions.end(ref);
  }

  dataset(name: string): DatasetRecord | undefined {
    return this.#datasets.get(name);
  }

  datasetWithParts(name: string): StoredDataset | undefined {
    const record = this.#datasets.get(name);
    return record && { record, parts: this.#datasets.parts(name) };
  }

  datasets(): readonly DatasetRecord[] {
    return this.#datasets.all();
  }

  /** False where there is no such dataset. Its parts go once nobody asked for them for a while. */
  removeDataset(name: string): boolean {
    if (!this.#datasets.get(name)) return false;
    this.ctx.storage.transactionSync(() => this.#datasets.remove(name));
    return true;
  }

  /**
   * An alarm may fire late or twice: whatever is due goes, and the next alarm is set. It does not
   * fail, as the runtime gives up on alarms that do: what cannot be cleared is tried again.
   */
  override async alarm(): Promise<void> {
    const failures = [
      ...(await this.#uploads.discardBefore(Date.now() - this.env.UPLOAD_TTL_S * 1000)),
      ...(await this.#clearParts().catch((error: unknown) => [String(error)])),
      ...(await this.#sweepSessions()),
    ];
    if (failures.length > 0) {
      console.error(JSON.stringify({ level: 'error', event: 'parts_sweep_failed', failures }));
    }
    await this.#arm(failures.length > 0 ? Date.now() + SWEEP_RETRY_MS : 0);
  }

  #sweepSessions(): Promise<readonly string[]> {
    return this.#sessions.sweep(Date.now()).then(
      () => [],
      (error: unknown) => [String(error)],
    );
  }

  async #discard(upload: PendingUpload): Promise<void> {
    this.#uploads.list([upload]);
    await this.#arm();
    await this.#uploads.discard([upload]);
  }

  /** Looks at the oldest parts: those that are named are asked about again later, the others go. */
  async #clearParts(): Promise<readonly string[]> {
    const before = Date.now() - this.#partsTtlMs();
    const old = this.#parts.untouchedSince(before, SLICE);
    if (old.length === 0) return [];
    const named = new Set([
      ...(await trainingOf(this.env).namedParts(old)),
      // Asked last: a dataset that came while the jobs were asked counts.
      ...this.#datasets.named(old),
    ]);
    this.#parts.touch([...named], Date.now());
    // What was touched while the jobs were asked is about to be named, and stays.
    const gone = this.#parts.remove(
      old.filter((digest) => !named.has(digest)),
      before,
    );
    const uploads = gone.map(({ objectKey }) => ({ objectKey, multipartId: null }));
    this.#uploads.list(uploads);
    return this.#uploads.discard(uploads);
  }

  /** Sets the alarm to what is due next. */
  async #arm(earliest = 0): Promise<void> {
    const [upload, part] = [this.#uploads.oldestAt(), this.#parts.oldestAt()];
    const due = Math.min(
      upload === undefined ? Infinity : upload + this.env.UPLOAD_TTL_S * 1000,
      part === undefined ? Infinity : part + this.#partsTtlMs(),
      ...this.#sessions.nextDue(),
    );
    const next = Math.max(due, earliest);
    const armed = (await this.ctx.storage.getAlarm()) ?? Infinity;
    if (next < armed) await this.ctx.storage.setAlarm(next);
  }

  #sessionExpiry(): number {
    return Date.now() + this.env.RESUMABLE_TTL_S * 1000;
  }

  #partsTtlMs(): number {
    return this.env.PARTS_TTL_S * 1000;
  }
}

import type { DatasetRecord } from './contract/dataset.ts';
import type { Env } from '../env.ts';
import { isBeyond, type Ownership, type Used } from '../http/ownership.ts';
import { trainingOf } from '../training/training-stub.ts';
import { AnnouncedUploads } from '../uploads/announced.ts';
import { DATASETS_MIGRATIONS } from './schema.ts';
import { DatasetStore } from './store.ts';
import { StoredObject } from '../storage/stored-object.ts';
import { forgetUploads } from '../uploads/session-store.ts';
import { PartStore, type StoredPart } from './parts-store.ts';
import { PartHolders } from './part-holders.ts';
import type { Commit, UploadRef } from '../uploads/machine.ts';
import {
  type BeginResult,
  type NewSession,
  type SessionResult,
  type UploadOwner,
  UploadSessions,
} from '../uploads/sessions.ts';
import type { PendingUpload } from '../uploads/store.ts';
import { wholeDatasets } from './whole-datasets.ts';

/** What is waited before a clearing that failed is tried again. */
const SWEEP_RETRY_MS = 60_000;
/** Parts that one alarm looks at. */
const SLICE = 256;

/** Whose rows are meant; undefined for those of all teams. */
type Team = string | undefined;

/** A dataset with what it is made of, in order. */
export interface StoredDataset {
  readonly record: DatasetRecord;
  readonly parts: readonly StoredPart[];
}

/** A part that came, for whom, and how many bytes he may have; nobody where an administrator sent it. */
export interface NewPart extends StoredPart {
  readonly holder: Ownership | null;
  readonly limits: Used;
}

export type AddPartResult =
  | { readonly kind: 'added' | 'same' | 'expired' }
  | { readonly kind: 'over'; readonly used: Used };

export type AddDatasetResult =
  | { readonly kind: 'created' | 'same' | 'exists'; readonly record: DatasetRecord }
  | { readonly kind: 'missing'; readonly digests: readonly string[] }
  | { readonly kind: 'over'; readonly used: Used };

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
  readonly #holders: PartHolders;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, DATASETS_MIGRATIONS, { mayHold: { datasets: 0, parts: 0 } });
    this.#parts = new PartStore(ctx.storage.sql);
    this.#datasets = new DatasetStore(ctx.storage.sql);
    this.#holders = new PartHolders(ctx.storage.sql);
    this.#uploads = new AnnouncedUploads(ctx.storage.sql, env.FILES);
    this.#sessions = new UploadSessions({
      sql: ctx.storage.sql,
      destination: wholeDatasets(this.#datasets, this.#parts, this.#holders),
      bucket: env.FILES,
      discard: (upload) => this.#discard(upload),
    });
  }

  protected override derive(): void {
    forgetUploads(this.ctx.storage.sql);
  }

  /** Those of the digests that are there for a team, each once; nothing clears them away for now. */
  touchParts(digests: readonly string[], team: Team): readonly StoredPart[] {
    return this.#parts.touch(digests, Date.now(), team);
  }

  part(digest: string, team: Team): StoredPart | undefined {
    return this.#parts.get(digest, team);
  }

  /** Gives parts to whoever owns what is made of them. */
  giveParts(digests: readonly string[], whose: Ownership): void {
    this.ctx.storage.transactionSync(() => this.#holders.give(digests, whose));
  }

  /** How many bytes an owner has, and his team, with those that are announced. */
  usedBytes(whose: Ownership): Used {
    const [held, announced] = [this.#holders.used(whose), this.#sessions.announcedBytes(whose)];
    return { owner: held.owner + announced.owner, team: held.team + announced.team };
  }

  async beginPart(upload: PendingUpload): Promise<void> {
    this.#uploads.begin(upload);
    await this.#arm();
  }

  /** Makes bytes that were written a part, unless others sent the same before. */
  async addPart({ holder, limits, ...part }: NewPart): Promise<AddPartResult> {
    const now = Date.now();
    const used = holder ? this.usedBytes(holder) : { owner: 0, team: 0 };
    if (isBeyond(limits, used, part.sizeBytes)) return { kind: 'over', used };
    const isThere = this.#parts.touch([part.digest], now, undefined).length > 0;
    if (!isThere && !this.#uploads.finish(part.objectKey)) return { kind: 'expired' };
    this.ctx.storage.transactionSync(() => {
      if (!isThere) this.#parts.add(part, now);
      if (holder) this.#holders.give([part.digest], holder);
    });
    await this.#arm();
    return { kind: isThere ? 'same' : 'added' };
  }

  abandonPart(objectKey: string): Promise<void> {
    return this.#uploads.abandon(objectKey);
  }

  /** Makes parts that are there for a team a dataset, all at once. A name stands for one content. */
  addDataset(
    record: DatasetRecord,
    digests: readonly string[],
    { seen, limits }: { readonly seen: Team; readonly limits: Used },
  ): AddDatasetResult {
    const existing = this.#datasets.get(record.name);
    if (existing) {
      return { kind: existing.digest === record.digest ? 'same' : 'exists', record: existing };
    }
    const used = this.#datasets.used(record);
    if (isBeyond(limits, used)) return { kind: 'over', used };
    const there = new Set(this.touchParts(digests, seen).map(({ digest }) => String(digest)));
    const missing = digests.filter((digest) => !there.has(digest));
    if (missing.length > 0) return { kind: 'missing', digests: missing };
    this.ctx.storage.transactionSync(() => {
      this.#datasets.add(record, digests);
      this.#holders.give(digests, record);
    });
    return { kind: 'created', record };
  }

  /** Lists a resumable upload whose bytes may come from now on. */
  async beginSession(session: NewSession, limits: Used): Promise<BeginResult> {
    const used = this.usedBytes({ owner: session.owner ?? '', team: session.team });
    if (isBeyond(limits, used, session.lengthBytes)) return { kind: 'over', used };
    const begun = this.#sessions.begin(session, this.#sessionExpiry());
    await this.#arm();
    return { kind: 'begun', session: begun };
  }

  whoseSession(ref: UploadRef): UploadOwner | undefined {
    return this.#sessions.whose(ref);
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

  /** A dataset of a team, or of any where none is named. */
  dataset(name: string, team: Team): DatasetRecord | undefined {
    const record = this.#datasets.get(name);
    return team === undefined || record?.team === team ? record : undefined;
  }

  /** How many datasets an owner has, and his team. */
  countOf(whose: Ownership): Used {
    return this.#datasets.used(whose);
  }

  datasetWithParts(name: string, team: Team): StoredDataset | undefined {
    const record = this.dataset(name, team);
    return record && { record, parts: this.#datasets.parts(name) };
  }

  datasets(team: Team): readonly DatasetRecord[] {
    return this.#datasets.all(team);
  }

  /**
   * False where there is no such dataset of this owner any more. Its parts go once nobody asked for
   * them for a while.
   */
  removeDataset(name: string, { owner, team }: Ownership): boolean {
    const record = this.#datasets.get(name);
    if (record?.team !== team || record.owner !== owner) return false;
    this.ctx.storage.transactionSync(() => {
      this.#holders.release(name, team);
      this.#datasets.remove(name);
    });
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
    this.#parts.touch([...named], Date.now(), undefined);
    // What was touched while the jobs were asked is about to be named, and stays.
    const gone = this.#parts.remove(
      old.filter((digest) => !named.has(digest)),
      before,
    );
    this.#holders.forget(gone.map(({ digest }) => digest));
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

import type { Env } from '../../env.ts';
import { StoredObject } from '../../storage/stored-object.ts';
import { discardBytes } from '../../uploads/file-writer.ts';
import { bucketOf, replicaKey } from '../config.ts';
import type { Replica } from '../contract/latency.ts';
import {
  admit,
  type Copy,
  copyNextPart,
  type CopyProgress,
  replicaOf,
  type WantedVersion,
  WrongBytes,
} from './copy.ts';
import { REGION_STORE_MIGRATIONS, RegionStoreTables } from './store.ts';

/** How long one alarm copies before the next one continues. */
const SHIFT_MS = 10_000;
/** The delay before a failed copy is retried. */
const RETRY_MS = 60_000;

type WriteResult =
  | { readonly kind: 'admitted' }
  /** It was decided in an older epoch than the store has seen. */
  | { readonly kind: 'stale'; readonly epoch: number };

/**
 * The models that a region has copies of, made where the region is. A copy resumes after its last
 * uploaded part. Every command carries the epoch it was decided in, so that a region that was
 * replaced, and does not know it yet, changes nothing here.
 */
export class RegionStore extends StoredObject {
  readonly #tables: RegionStoreTables;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, REGION_STORE_MIGRATIONS);
    this.#tables = new RegionStoreTables(ctx.storage.sql);
  }

  protected override derive(): void {
    this.#tables.forgetParts();
  }

  /** Closes the store to everything decided before an epoch. */
  seal(regionId: string, epoch: number): WriteResult {
    const admission = admit(this.#tables.fence(), epoch);
    if (admission.kind === 'stale') return admission;
    this.#tables.putFence(regionId, admission.fence);
    return { kind: 'admitted' };
  }

  /** Sets the versions to have copies of; copies of other files are deleted. */
  async hold(
    regionId: string,
    epoch: number,
    versions: readonly WantedVersion[],
  ): Promise<WriteResult> {
    const sealed = this.seal(regionId, epoch);
    if (sealed.kind === 'stale') return sealed;
    const files = versions.flatMap((version) => version.files);
    const wanted = new Set(files.map(({ digest }) => digest));
    const dropped = this.#tables.copies().filter(({ digest }) => !wanted.has(digest));
    this.ctx.storage.transactionSync(() => {
      const now = Date.now();
      this.#tables.putVersions(versions);
      for (const file of files) this.#tables.want(file, epoch, now);
      for (const { digest } of dropped) this.#tables.drop(digest);
    });
    await this.#arm();
    await Promise.all(dropped.map((copy) => this.#discard(regionId, copy)));
    return { kind: 'admitted' };
  }

  /** The progress of each version. */
  replicas(): readonly Replica[] {
    const regionId = this.#tables.regionId();
    if (regionId === undefined) return [];
    const copies = new Map(this.#tables.copies().map((copy) => [copy.digest as string, copy]));
    return this.#tables.versions().map((version) => replicaOf(regionId, version, copies));
  }

  /** An alarm may fire late or twice: it continues what is not done. It never fails. */
  override async alarm(): Promise<void> {
    const regionId = this.#tables.regionId();
    if (regionId === undefined) return;
    const end = Date.now() + SHIFT_MS;
    for (let now = Date.now(); now < end; now = Date.now()) {
      const copy = this.#tables.nextCopy(now);
      if (!copy) break;
      await this.#goOn(regionId, copy);
    }
    await this.#arm();
  }

  /** Copies one part; a copy that was dropped meanwhile leaves nothing behind. */
  async #goOn(regionId: string, copy: Copy): Promise<void> {
    const targetKey = replicaKey(regionId, copy.digest);
    try {
      const target = bucketOf(this.env, regionId);
      const places = { source: this.env.FILES, target, targetKey };
      const progress = await copyNextPart(copy, places, this.#tables.parts(copy.digest));
      const current = this.#tables.copy(copy.digest);
      if (current?.offset === copy.offset) this.#take(current, progress);
      else await this.#discard(regionId, { ...copy, ...multipartOf(progress) });
    } catch (error) {
      await this.#fail(regionId, copy, error);
    }
  }

  #take(current: Copy, progress: CopyProgress): void {
    const now = Date.now();
    const after = { ...current, error: null, updatedAt: now };
    this.ctx.storage.transactionSync(() => {
      if (progress.kind === 'part') {
        const { part, multipartId, offset, hashState } = progress;
        this.#tables.putPart(current.digest, part);
        this.#tables.put({ ...after, status: 'copying', multipartId, offset, hashState });
        return;
      }
      this.#tables.dropParts(current.digest);
      this.#tables.put(this.#finished(after, now));
    });
  }

  /** A copy requested in an older epoch is not accepted; the next command requests it again. */
  #finished(copy: Copy, now: number): Copy {
    const begun = { ...copy, ...NOTHING_COPIED };
    const { epoch } = this.#tables.fence();
    if (copy.epoch >= epoch) return { ...begun, status: 'ready' };
    const error = `it was asked for in epoch ${copy.epoch}, the epoch is ${epoch}`;
    return { ...begun, status: 'failed', error, retryAt: now + RETRY_MS };
  }

  /** Schedules a retry; a copy of wrong bytes is discarded. */
  async #fail(regionId: string, copy: Copy, error: unknown): Promise<void> {
    const now = Date.now();
    const isWorthless = error instanceof WrongBytes;
    if (isWorthless) await this.#discard(regionId, copy).catch(() => {});
    const current = this.#tables.copy(copy.digest);
    if (!current) return;
    const kept = isWorthless ? { ...current, ...NOTHING_COPIED } : current;
    this.ctx.storage.transactionSync(() => {
      if (isWorthless) this.#tables.dropParts(copy.digest);
      const text = error instanceof Error ? error.message : String(error);
      const retryAt = now + RETRY_MS;
      this.#tables.put({ ...kept, status: 'failed', error: text, retryAt, updatedAt: now });
    });
  }

  #discard(regionId: string, { digest, multipartId }: Copy): Promise<void> {
    const objectKey = replicaKey(regionId, digest);
    return discardBytes(bucketOf(this.env, regionId), { objectKey, multipartId });
  }

  async #arm(): Promise<void> {
    const next = this.#tables.nextAt();
    if (next !== undefined) await this.ctx.storage.setAlarm(Math.max(next, Date.now()));
  }
}

const NOTHING_COPIED = { multipartId: null, offset: 0, hashState: '' } as const;

const multipartOf = (progress: CopyProgress) =>
  progress.kind === 'part' ? { multipartId: progress.multipartId } : {};

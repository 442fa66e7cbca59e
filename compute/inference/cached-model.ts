import type {
  LoadAnswer,
  LoadedModel,
  ModelState,
} from '../../edge/inference/contract/loaded-model.ts';
import type { ModelRecord } from './registry-source.ts';
import type { ServedModel } from './served-model.ts';

/** A model while it is used: it stays loaded until `release`. */
export interface Held {
  readonly model: ServedModel;
  release(): void;
}

export interface LoadOptions {
  readonly warmup?: boolean | undefined;
  readonly pin?: boolean | undefined;
  readonly ttlS?: number | null | undefined;
}

/**
 *   LOADING --built--> READY --leave--> UNLOADING --requests answered--> gone
 *      |--refused--> UNAVAILABLE <--broken--|
 */
export class CachedModel {
  readonly record: ModelRecord;
  state: ModelState = 'LOADING';
  reason = '';
  served: ServedModel | undefined;
  /** Settles once it is out of the cache with all it held. */
  readonly gone: Promise<void>;
  readonly #isGone = Promise.withResolvers<void>();
  #loading: Promise<ServedModel> = Promise.reject(new Error('not loading'));
  #loadedAt: string | null = null;
  #lastUsedAt: string | null = null;
  #isPinned = false;
  #ttlS: number | null = null;
  #requests = 0;
  #hits = 0;
  #users = 0;
  #onIdle: (() => void) | undefined;
  #onExpired: () => void = () => {};
  #expiry: NodeJS.Timeout | undefined;

  constructor(record: ModelRecord, options: LoadOptions) {
    this.record = record;
    this.gone = this.#isGone.promise;
    this.#loading.catch(() => {});
    this.wish(options);
  }

  get isUsable(): boolean {
    return this.state === 'LOADING' || this.state === 'READY';
  }

  /** Whether it may be put out to make room. */
  get isIdle(): boolean {
    return this.state === 'READY' && this.#users === 0 && !this.#isPinned;
  }

  wish({ pin, ttlS }: LoadOptions): void {
    if (pin !== undefined) this.#isPinned = pin;
    if (ttlS !== undefined) this.#ttlS = ttlS;
    this.#armExpiry();
  }

  /** Starts to load. */
  become(loading: Promise<ServedModel>, { onExpired }: { readonly onExpired: () => void }): void {
    this.#onExpired = onExpired;
    this.#loading = loading;
    loading.then(
      (served) => {
        this.served = served;
        this.#loadedAt = new Date().toISOString();
        if (this.state === 'LOADING') this.state = 'READY';
        this.#armExpiry();
      },
      (error: unknown) => this.fail(error instanceof Error ? error.message : String(error)),
    );
  }

  /** It cannot answer: it never could, or its engine lost it. */
  fail(reason: string): void {
    this.state = 'UNAVAILABLE';
    this.reason = reason;
    clearTimeout(this.#expiry);
    void this.served?.close();
    this.served = undefined;
    this.#isGone.resolve();
  }

  /** Settles once it is loaded. @throws what loading it threw */
  async loaded(): Promise<void> {
    await this.#loading;
  }

  /** Undefined where it went away while it was waited for. @throws what loading it threw */
  async hold(): Promise<Held | undefined> {
    const isHit = this.state === 'READY';
    this.#users += 1;
    try {
      const model = await this.#loading;
      if (!this.isUsable) {
        this.#release();
        return undefined;
      }
      this.#requests += 1;
      if (isHit) this.#hits += 1;
      this.#lastUsedAt = new Date().toISOString();
      let isHeld = true;
      const release = () => {
        if (isHeld) this.#release();
        isHeld = false;
      };
      return { model, release };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Takes no more requests, waits for those there are, and gives its memory back. */
  async leave(reason: string): Promise<void> {
    if (!this.isUsable) return this.gone;
    this.state = 'UNLOADING';
    this.reason = reason;
    clearTimeout(this.#expiry);
    if (this.#users > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.#loading.then(
      (served) => served.close(),
      () => {},
    );
    this.served = undefined;
    this.#isGone.resolve();
  }

  answer(evicted: readonly string[]): LoadAnswer {
    const { model_id, version, total_size_bytes, manifest_digest } = this.record;
    return {
      model_id,
      version,
      state: this.state,
      reason: this.reason,
      loaded_at: this.#loadedAt,
      size_bytes: total_size_bytes,
      digest: manifest_digest,
      evicted: [...evicted],
    };
  }

  view(device: string): LoadedModel {
    return {
      ...this.answer([]),
      device,
      pinned: this.#isPinned,
      ttl_s: this.#ttlS,
      last_used_at: this.#lastUsedAt,
      requests: this.#requests,
      hits: this.#hits,
    };
  }

  #release(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#onIdle?.();
    this.#armExpiry();
  }

  #armExpiry(): void {
    clearTimeout(this.#expiry);
    if (this.#ttlS === null || this.state !== 'READY' || this.#users > 0) return;
    this.#expiry = setTimeout(this.#onExpired, this.#ttlS * 1000).unref();
  }
}

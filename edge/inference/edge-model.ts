import type {
  LoadAnswer,
  LoadedModel as LoadedModelView,
  ModelState,
} from './contract/loaded-model.ts';
import type { VersionRecord } from '../registry/contract/model.ts';
import type { LoadedModel } from './loaded-model.ts';
import { WaitingLine } from './waiting-line.ts';

/** What a request wishes of how long a model stays. */
export interface Wishes {
  readonly pin?: boolean | undefined;
  readonly ttlS?: number | null | undefined;
}

/** How long a model that could not be loaded is still told of. */
const FAILED_MS = 60_000;

/** A version in the cache of this isolate: loaded, or being loaded by the first in its line. */
export class EdgeModel {
  readonly record: VersionRecord;
  /** What its files take. */
  readonly bytes: number;
  /** Whoever died in the middle of a token leaves a model that nobody can go on with. */
  readonly line = new WaitingLine(() => this.unload());
  loaded: LoadedModel | undefined;
  /** Why the last try to load it failed, and when. */
  failure: { readonly error: unknown; readonly at: number } | undefined;
  requests = 0;
  hits = 0;
  #loadedAt: number | undefined;
  #usedAt: number | undefined;
  #isPinned = false;
  #ttlS: number | null = null;

  constructor(record: VersionRecord, bytes: number) {
    this.record = record;
    this.bytes = bytes;
  }

  get state(): ModelState {
    if (this.loaded) return 'READY';
    return this.line.length > 0 ? 'LOADING' : 'UNAVAILABLE';
  }

  /** Whether it may be put out to make room. */
  get isIdle(): boolean {
    return !this.#isPinned && this.line.length === 0;
  }

  /** Whether it was not used for as long as was wished, or could not be loaded a while ago. */
  get hasExpired(): boolean {
    if (this.line.length > 0) return false;
    if (!this.loaded) return Date.now() - (this.failure?.at ?? 0) > FAILED_MS;
    if (this.#ttlS === null) return false;
    return Date.now() - (this.#usedAt ?? this.#loadedAt ?? 0) > this.#ttlS * 1000;
  }

  wish({ pin, ttlS }: Wishes): void {
    if (pin !== undefined) this.#isPinned = pin;
    if (ttlS !== undefined) this.#ttlS = ttlS;
  }

  become(loaded: LoadedModel): void {
    this.loaded = loaded;
    this.failure = undefined;
    this.#loadedAt = Date.now();
  }

  use(isHit: boolean): void {
    this.requests += 1;
    if (isHit) this.hits += 1;
    this.#usedAt = Date.now();
  }

  unload(): void {
    this.loaded?.model.close();
    this.loaded = undefined;
  }

  answer(evicted: readonly string[]): LoadAnswer {
    const { model_id, version, manifest_digest } = this.record;
    const { state } = this;
    const { error } = this.failure ?? {};
    return {
      model_id,
      version,
      state,
      reason: state === 'UNAVAILABLE' && error instanceof Error ? error.message : '',
      loaded_at: timeOf(this.#loadedAt),
      size_bytes: this.bytes,
      digest: manifest_digest,
      evicted: [...evicted],
    };
  }

  view(): LoadedModelView {
    return {
      ...this.answer([]),
      device: this.loaded?.device ?? '',
      pinned: this.#isPinned,
      ttl_s: this.#ttlS,
      last_used_at: timeOf(this.#usedAt),
      requests: this.requests,
      hits: this.hits,
    };
  }
}

const timeOf = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString());

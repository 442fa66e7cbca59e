import type {
  LoadAnswer,
  LoadedModel as LoadedModelView,
  ModelState,
} from './contract/loaded-model.ts';
import type { VersionRecord } from '../registry/contract/model.ts';
import type { LoadedModel } from './loaded-model.ts';
import { EDGE_QUEUE } from './edge-endpoints.ts';
import { Problem } from '../http/problem.ts';

/** Options for how long a model stays loaded. */
export interface ResidencyOptions {
  readonly pin?: boolean | undefined;
  readonly ttlS?: number | null | undefined;
}

/** How long a model that failed to load is listed. */
const FAILED_MS = 60_000;

/** A version in the cache of this isolate: loaded, or being loaded by the first in its line. */
export class CachedModel {
  readonly record: VersionRecord;
  /** The size of its files. */
  readonly bytes: number;
  /** A request that died within a token leaves the model in an undefined state. */
  readonly line = new WaitingLine(() => this.unload());
  loaded: LoadedModel | undefined;
  /** Why and when the last attempt to load it failed. */
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

  /** Whether it may be evicted. */
  get isIdle(): boolean {
    return !this.#isPinned && this.line.length === 0;
  }

  /** Whether its TTL has passed, or it failed to load a while ago. */
  get hasExpired(): boolean {
    if (this.line.length > 0) return false;
    if (!this.loaded) return Date.now() - (this.failure?.at ?? 0) > FAILED_MS;
    if (this.#ttlS === null) return false;
    return Date.now() - (this.#usedAt ?? this.#loadedAt ?? 0) > this.#ttlS * 1000;
  }

  setOptions({ pin, ttlS }: ResidencyOptions): void {
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

/** How often a waiting request checks whether it is first. */
const POLL_MS = 10;
/** How often a request renews its place, and how long until a silent one is considered dead. */
const HEARTBEAT_MS = 1_000;
const SILENT_MS = 10_000;

/** A request in a line. */
interface Place {
  readonly priority: number;
  seenAt: number;
  readonly heartbeat: ReturnType<typeof setInterval>;
}

/**
 * The requests to one model of this isolate: the first is running, the others wait. Requests share plain
 * data only, as one request must not await a promise of another: waiting requests poll. A request that the
 * runtime ended without letting it leave goes silent and loses its place.
 */
export class WaitingLine {
  readonly #places: Place[] = [];
  readonly #onLost: () => void;

  /** @param onLost called where the request at work died, in the middle of whatever it did */
  constructor(onLost: () => void) {
    this.#onLost = onLost;
  }

  get length(): number {
    this.#clear();
    return this.#places.length;
  }

  /** Joins behind requests of the same or a higher priority. @throws Problem rate_limited */
  join(priority: number, model: string): Place {
    const waiting = this.length - 1;
    if (waiting >= EDGE_QUEUE) {
      const detail = `${waiting} requests wait for ${model} already, expected at most ${EDGE_QUEUE}.`;
      throw new Problem('rate_limited', detail, { headers: { 'retry-after': '1' } });
    }
    const heartbeat = setInterval(() => {
      place.seenAt = Date.now();
    }, HEARTBEAT_MS);
    const place: Place = { priority, seenAt: Date.now(), heartbeat };
    const behind = this.#places.findIndex((other, at) => at > 0 && other.priority < priority);
    this.#places.splice(behind < 0 ? this.#places.length : behind, 0, place);
    return place;
  }

  /** Settles once the place is the first. @throws what `check` throws meanwhile */
  async untilFirst(place: Place, check: () => void): Promise<void> {
    for (;;) {
      check();
      this.#clear();
      if (this.#places[0] === place) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  leave(place: Place): void {
    clearInterval(place.heartbeat);
    const at = this.#places.indexOf(place);
    if (at >= 0) this.#places.splice(at, 1);
  }

  #clear(): void {
    const silentSince = Date.now() - SILENT_MS;
    const [first] = this.#places;
    const living = this.#places.filter(({ seenAt }) => seenAt >= silentSince);
    if (living.length === this.#places.length) return;
    this.#places.splice(0, this.#places.length, ...living);
    if (first !== living[0]) this.#onLost();
  }
}

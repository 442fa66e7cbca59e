import type { LoadedModels, ModelState } from '../../edge/inference/contract/loaded-model.ts';
import { Problem } from '../../edge/http/problem.ts';
import { CachedModel, type Held, type LoadOptions } from './cached-model.ts';
import type { ModelChoice, ModelRecord, ModelSource } from './registry-source.ts';
import type { ServedModel } from './served-model.ts';

interface ModelCacheOptions {
  readonly capacity: number;
  readonly source: ModelSource;
  /** Loads a model onto the engines; `onBroken` is called where they lose it. */
  readonly serve: (
    record: ModelRecord,
    files: ReadonlyMap<string, Uint8Array>,
    options: { readonly warmup: boolean; readonly onBroken: (reason: string) => void },
  ) => Promise<ServedModel>;
  readonly device: string;
}

interface LoadStarted {
  readonly entry: CachedModel;
  /** Models unloaded to make room, as far as the caller may see them. */
  readonly evicted: readonly string[];
}

/** Failed loads that are still reported. */
const MAX_FAILED = 20;

/** The models that are loaded, the least recently used of which makes room for another. */
export class ModelCache {
  readonly #options: ModelCacheOptions;
  /** By `id@version`, the least recently used first. */
  readonly #entries = new Map<string, CachedModel>();

  constructor(options: ModelCacheOptions) {
    this.#options = options;
  }

  /**
   * The model, loaded where it is not yet.
   *
   * @throws Problem model_not_found, alias_not_found, digest_mismatch, model_cache_full, upstream_error …
   */
  async hold(choice: ModelChoice): Promise<Held> {
    for (;;) {
      const { entry } = await this.load(choice, {});
      const held = await entry.hold();
      if (held) {
        this.#touch(entry);
        return held;
      }
    }
  }

  /** Sees to it that a model is loaded or being loaded; a model is loaded once for all who ask. */
  async load(choice: ModelChoice, options: LoadOptions): Promise<LoadStarted> {
    const known = this.#known(choice);
    if (known) return join(known, options);
    const record = await this.#options.source.find(choice);
    const found = this.#entries.get(keyOf(record));
    if (found?.isUsable) return join(found, options);
    // One that is on its way out is waited for, then loaded anew.
    if (found?.state === 'UNLOADING') {
      await found.gone;
      return this.load(choice, options);
    }
    return this.#begin(record, options, choice.team);
  }

  /** Takes a model out once its requests are answered. @throws Problem model_not_found */
  async unload({ modelId, version, team }: ModelChoice): Promise<CachedModel> {
    const chosen = [...this.#entries.values()].filter(
      ({ isUsable, record }) =>
        isUsable &&
        isSeen(record, team) &&
        record.model_id === modelId &&
        (version ?? record.version) === record.version,
    );
    const last = chosen.at(-1);
    if (!last) {
      const what = version === undefined ? modelId : `${modelId} ${version}`;
      throw new Problem('model_not_found', `${what} is not loaded.`);
    }
    await Promise.all(chosen.map((entry) => this.#remove(entry, 'it was unloaded')));
    return last;
  }

  /** The state of a version, or of the newest used one of a model. */
  stateOf(modelId: string, version: string | undefined): ModelState {
    const entry = [...this.#entries.values()].findLast(
      ({ record }) => record.model_id === modelId && (version ?? record.version) === record.version,
    );
    return entry?.state ?? 'UNAVAILABLE';
  }

  /** Those of a team, or all where none is named. */
  list(team: string | undefined): LoadedModels {
    const { capacity, device } = this.#options;
    const seen = [...this.#entries.values()].filter(({ record }) => isSeen(record, team));
    const models = seen.toReversed().map((entry) => entry.view(device));
    return { models, cache: { capacity, used: this.#inUse().length } };
  }

  get schedulers() {
    return this.#inUse().flatMap(({ served }) => (served ? [served.scheduler] : []));
  }

  async close(): Promise<void> {
    await Promise.all(this.#inUse().map((entry) => this.#remove(entry, 'the server stops')));
  }

  /** One whose version is named needs no registry. */
  #known({ modelId, version, team }: ModelChoice): CachedModel | undefined {
    if (version === undefined) return undefined;
    const entry = this.#entries.get(`${modelId}@${version}`);
    return entry?.isUsable && isSeen(entry.record, team) ? entry : undefined;
  }

  #begin(record: ModelRecord, options: LoadOptions, team: string | undefined): LoadStarted {
    const evicted = this.#makeRoom(record);
    const entry = new CachedModel(record, options);
    const key = keyOf(record);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const { source, serve } = this.#options;
    const { warmup = true } = options;
    entry.become(
      (async () => {
        const files = source.fetch(record);
        // Told of below; until then it is not yet waited for.
        files.catch(() => {});
        await Promise.all(evicted.map(({ gone }) => gone));
        return serve(record, await files, {
          warmup,
          onBroken: (reason) => entry.fail(`the engine lost it: ${reason}`),
        });
      })(),
      { onExpired: () => void this.#remove(entry, 'it was not used for its ttl') },
    );
    this.#forgetFailed();
    const gone = evicted.filter(({ record: other }) => isSeen(other, team));
    return { entry, evicted: gone.map(({ record: other }) => keyOf(other)) };
  }

  /** @throws Problem model_cache_full where all are pinned or at work */
  #makeRoom({ model_id, version }: ModelRecord): CachedModel[] {
    const inUse = this.#inUse().filter(({ state }) => state !== 'UNLOADING');
    if (inUse.length < this.#options.capacity) return [];
    const oldest = inUse.find(({ isIdle }) => isIdle);
    if (oldest) {
      void this.#remove(oldest, 'another model took its place');
      return [oldest];
    }
    throw new Problem(
      'model_cache_full',
      `There is no room for ${model_id} ${version}: all ${this.#options.capacity} loaded models are pinned or at work.`,
      { headers: { 'retry-after': '1' } },
    );
  }

  async #remove(entry: CachedModel, reason: string): Promise<void> {
    await entry.leave(reason);
    if (this.#entries.get(keyOf(entry.record)) === entry) {
      this.#entries.delete(keyOf(entry.record));
    }
  }

  #touch(entry: CachedModel): void {
    const key = keyOf(entry.record);
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #inUse(): CachedModel[] {
    return [...this.#entries.values()].filter(({ state }) => state !== 'UNAVAILABLE');
  }

  #forgetFailed(): void {
    const failed = [...this.#entries].filter(([, { state }]) => state === 'UNAVAILABLE');
    for (const [key] of failed.slice(0, -MAX_FAILED)) this.#entries.delete(key);
  }
}

const isSeen = (record: ModelRecord, team: string | undefined): boolean =>
  team === undefined || record.team === team;

const keyOf = ({ model_id, version }: Pick<ModelRecord, 'model_id' | 'version'>) =>
  `${model_id}@${version}`;

function join(entry: CachedModel, options: LoadOptions): LoadStarted {
  entry.wish(options);
  return { entry, evicted: [] };
}

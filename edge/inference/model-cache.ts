import { EDGE_MODEL_BYTES, EDGE_MODELS } from './edge-endpoints.ts';
import type { LoadedModels } from './contract/loaded-model.ts';
import type { VersionRecord } from '../registry/contract/model.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { CachedModel, type ResidencyOptions } from './cached-model.ts';
import { checkSize, type LoadedModel, loadModel, modelFilesOf, nameOf } from './loaded-model.ts';

interface Waiting {
  readonly priority: number;
  /** Throws where the request no longer wants the model. */
  check(): void;
}

/** A model for one request alone, until `release`. */
export interface Held {
  readonly entry: CachedModel;
  readonly loaded: LoadedModel;
  /** The models evicted to make room. */
  readonly evicted: readonly VersionRecord[];
  /** Whether it was loaded when the request arrived. */
  readonly isHit: boolean;
  release(): void;
}

/** The models of this isolate by `id@version`, the least recently used first. */
const entries = new Map<string, CachedModel>();

/** The entry of a version, made where there is none. @throws Problem model_not_found or model_cache_full */
export function entryOf(record: VersionRecord, options: ResidencyOptions = {}): CachedModel {
  evictExpired();
  const key = nameOf(record);
  const entry = entries.get(key) ?? newEntry(record);
  entry.setOptions(options);
  entries.delete(key);
  entries.set(key, entry);
  return entry;
}

/**
 * Waits until no other request uses the model, and loads it if needed: one request loads, the others wait
 * behind it.
 *
 * @throws Problem rate_limited, model_cache_full, what loading throws, and what `check` throws
 */
export async function hold(
  env: Env,
  entry: CachedModel,
  { priority, check }: Waiting,
): Promise<Held> {
  const { line, record } = entry;
  const since = Date.now();
  const isHit = entry.loaded !== undefined;
  const place = line.join(priority, nameOf(record));
  const release = () => line.leave(place);
  try {
    await line.untilFirst(place, check);
    const { loaded, failure } = entry;
    if (loaded) return { entry, loaded, evicted: [], isHit, release };
    // A request that waited while loading failed gets the same error without another attempt.
    if (failure && failure.at > since) throw failure.error;
    const evicted = makeRoom(entry);
    return { entry, loaded: await load(env, entry), evicted, isHit, release };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Every model of a team, or of all where none is named, that is loaded or being loaded, and those that
 * just could not be.
 */
export function listModels(team: string | undefined): LoadedModels {
  evictExpired();
  const all = [...entries.values()].toReversed();
  const models = all.filter(({ record }) => isSeen(record, team)).map((entry) => entry.view());
  const used = all.filter(({ state }) => state !== 'UNAVAILABLE').length;
  return { models, cache: { capacity: EDGE_MODELS, used } };
}

/** The evicted models that are visible to a team, as `id@version`. */
export const visibleTo = (team: string | undefined, evicted: readonly VersionRecord[]): string[] =>
  evicted.filter((record) => isSeen(record, team)).map(nameOf);

const isSeen = (record: VersionRecord, team: string | undefined): boolean =>
  team === undefined || record.team === team;

async function load(env: Env, entry: CachedModel): Promise<LoadedModel> {
  try {
    const loaded = await loadModel(env, entry.record);
    entry.become(loaded);
    return loaded;
  } catch (error) {
    entry.failure = { error, at: Date.now() };
    throw error;
  }
}

function newEntry(record: VersionRecord): CachedModel {
  const bytes = modelFilesOf(record).reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  checkSize(record, bytes);
  return new CachedModel(record, bytes);
}

/** Puts idle models out until one more fits. @throws Problem model_cache_full where too few are idle */
function makeRoom(entry: CachedModel): readonly VersionRecord[] {
  const evicted: VersionRecord[] = [];
  for (;;) {
    const others = [...entries.values()].filter(
      (other) => other !== entry && other.state !== 'UNAVAILABLE',
    );
    const bytes = others.reduce((sum, other) => sum + other.bytes, entry.bytes);
    if (others.length < EDGE_MODELS && bytes <= EDGE_MODEL_BYTES) return evicted;
    const oldest = others.find(({ isIdle }) => isIdle);
    if (!oldest) throw noRoom(entry.record);
    drop(oldest);
    evicted.push(oldest.record);
  }
}

function noRoom(record: VersionRecord): Problem {
  const detail = `There is no room for ${nameOf(record)}: the other models are pinned or in use.`;
  return new Problem('model_cache_full', detail, { headers: { 'retry-after': '1' } });
}

/** Drops what has expired. */
function evictExpired(): void {
  for (const entry of entries.values()) {
    if (entry.hasExpired) drop(entry);
  }
}

function drop(entry: CachedModel): void {
  entry.unload();
  entries.delete(nameOf(entry.record));
}

import type { Env } from '../env.ts';
import type { NewEntry, StoreResult } from './records.ts';

/** A vector with the id of its memory. */
interface IdentifiedVector {
  readonly memoryId: string;
  readonly vector: Int8Array;
}

/** An index for namespaces with more vectors than are compared exhaustively. */
interface VectorIndex {
  add(entries: readonly IdentifiedVector[]): Promise<void>;
  remove(memoryIds: readonly string[]): Promise<void>;
  /** Memories whose cosine with a vector is at least `floor`, the nearest first. */
  search(vector: Int8Array, floor: number): Promise<readonly SimilarMemory[]>;
}

interface SimilarMemory {
  readonly memoryId: string;
  /** The cosine. */
  readonly similarity: number;
}

/** The part of a Cloudflare Vectorize binding that is used. */
export interface VectorizeBinding {
  upsert(
    vectors: { id: string; namespace: string; values: Float32Array<ArrayBuffer> }[],
  ): Promise<unknown>;
  deleteByIds(ids: string[]): Promise<unknown>;
  query(
    vector: Float32Array<ArrayBuffer>,
    options: { topK: number; namespace: string },
  ): Promise<{ matches: { id: string; score: number }[] }>;
}

/** The maximum number of results of one Vectorize query. */
const MAX_FOUND = 100;
/** The number of vectors per call. */
const BATCH = 1_000;

/**
 * The vectors of a namespace in a Vectorize index (256 dimensions, cosine) that all namespaces
 * share: each is a Vectorize namespace, named by the id of its object. Writes become visible after
 * some seconds.
 */
export function openVectorize(binding: VectorizeBinding, namespace: string): VectorIndex {
  return {
    async add(entries) {
      for (const some of batches(entries)) {
        await binding.upsert(
          some.map(({ memoryId, vector }) => ({
            id: memoryId,
            namespace,
            values: Float32Array.from(vector),
          })),
        );
      }
    },
    async remove(memoryIds) {
      for (const some of batches(memoryIds)) await binding.deleteByIds([...some]);
    },
    async search(vector, floor) {
      const options = { topK: MAX_FOUND, namespace };
      const { matches } = await binding.query(Float32Array.from(vector), options);
      return matches
        .filter(({ score }) => score >= floor)
        .map(({ id, score }) => ({ memoryId: id, similarity: score }));
    },
  };
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < items.length; first += BATCH) {
    yield items.slice(first, first + BATCH);
  }
}

/**
 * The vectors of a namespace in Vectorize, where the platform has one. It is secondary to the
 * store: where it fails, memories are stored and deleted all the same, and found by words.
 */
export class ExternalVectorIndex {
  readonly #index: VectorIndex | undefined;

  constructor({ MEMORY_VECTORS }: Pick<Env, 'MEMORY_VECTORS'>, objectId: string) {
    this.#index = MEMORY_VECTORS && openVectorize(MEMORY_VECTORS, objectId);
  }

  async added(entries: readonly NewEntry[], results: readonly StoreResult[]): Promise<void> {
    const fresh = results.flatMap(({ memoryId, deduplicated }, i) => {
      const vector = entries[i]?.vector;
      // A text without words has no direction.
      const says = vector?.some((x) => x !== 0) === true;
      return vector && says && !deduplicated ? [{ memoryId, vector }] : [];
    });
    await this.#index?.add(fresh).catch(report);
  }

  async removed(memoryIds: readonly string[]): Promise<void> {
    await this.#index?.remove(memoryIds).catch(report);
  }

  /** Similar memories; undefined where the index is not available. */
  async search(vector: Int8Array, floor: number): Promise<readonly SimilarMemory[] | undefined> {
    return this.#index?.search(vector, floor).catch((error: unknown) => {
      report(error);
      return undefined;
    });
  }
}

function report(error: unknown): void {
  const text = String(error);
  console.error(JSON.stringify({ level: 'error', event: 'memory_vectors_failed', text }));
}

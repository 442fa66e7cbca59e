import type { Env } from '../env.ts';
import { openVectorize, type SimilarMemory, type VectorIndex } from './vector-index.ts';
import type { NewEntry, StoreResult } from './results.ts';

/**
 * The vectors of a namespace in Vectorize, where the platform has one. It is beside the store: where
 * it fails, memories are stored and deleted all the same, and found by words.
 */
export class MemoryOutside {
  readonly #index: VectorIndex | undefined;

  constructor({ MEMORY_VECTORS }: Pick<Env, 'MEMORY_VECTORS'>, objectId: string) {
    this.#index = MEMORY_VECTORS && openVectorize(MEMORY_VECTORS, objectId);
  }

  async added(entries: readonly NewEntry[], results: readonly StoreResult[]): Promise<void> {
    const fresh = results.flatMap(({ memoryId, deduplicated }, i) => {
      const vector = entries[i]?.vector;
      // A text without a word has no direction.
      const says = vector?.some((x) => x !== 0) === true;
      return vector && says && !deduplicated ? [{ memoryId, vector }] : [];
    });
    await this.#index?.add(fresh).catch(report);
  }

  async removed(memoryIds: readonly string[]): Promise<void> {
    await this.#index?.remove(memoryIds).catch(report);
  }

  /** Memories that are alike; undefined where nobody outside can be asked. */
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

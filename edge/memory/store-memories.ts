import { extractCauses } from '../causal/extract.ts';
import type { Env } from '../env.ts';
import { contentOf, type NewMemory, type StoredMemory } from './contract/memory.ts';
import { vectorsOf } from './embedding.ts';
import { directoryOf, withMemory } from './memory-stub.ts';
import type { Place } from './owner.ts';
import { foundCause, type NewEntry, type StoreResult } from './records.ts';
import { type Bounds, claimMemories, reportMemories } from './usage.ts';

/** The maximum number of causes stored per memory, the most confident ones. */
const MAX_CAUSES = 64;

/**
 * Stores memories in one namespace, all or none. Causes and embeddings are computed here, so that
 * the object only has to store them.
 *
 * @throws Problem quota_exceeded
 */
export async function storeIn(
  env: Pick<Env, 'MEMORY' | 'MEMORY_DIRECTORY' | 'QUOTAS'>,
  place: Place & Bounds,
  memories: readonly NewMemory[],
): Promise<readonly StoredMemory[]> {
  const contents = memories.map(({ content, messages = [] }) => content ?? contentOf(messages));
  const vectors = await vectorsOf(contents);
  const entries = memories.map((memory, i) =>
    entryOf(memory, contents[i] ?? '', vectors[i] ?? new Int8Array()),
  );
  await claimMemories(env, place, entries.length);
  await directoryOf(env).add(place);
  const results = await withMemory(env, place, (memory) => memory.store(entries));
  if (place.isBound) await reportMemories(env, place);
  return results.map((result, i) => storedOf(place.namespace, result, entries[i]));
}

function entryOf(memory: NewMemory, content: string, vector: Int8Array): NewEntry {
  return {
    content,
    userId: memory.user_id ?? null,
    sessionId: memory.session_id ?? null,
    tags: [...new Set(memory.tags)],
    metadata: memory.metadata,
    importance: memory.importance,
    occurredAt: memory.occurred_at === undefined ? null : Date.parse(memory.occurred_at),
    ttlS: memory.ttl_s ?? null,
    replaces: memory.replaces ?? [],
    vector,
    findings: extractCauses(content)
      .toSorted((a, b) => b.confidence - a.confidence)
      .slice(0, MAX_CAUSES),
  };
}

function storedOf(
  namespace: string,
  result: StoreResult,
  entry: NewEntry | undefined,
): StoredMemory {
  return {
    memory_id: result.memoryId,
    namespace,
    created_at: new Date(result.createdAt).toISOString(),
    deduplicated: result.deduplicated,
    causal_edges: (entry?.findings ?? []).map(foundCause),
  };
}

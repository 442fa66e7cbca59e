import { expect } from 'vitest';
import { MemoryList, StoredMemories, StoredMemory } from '../../edge/memory/contract/memory.ts';
import { OrchestrateAnswer, RetrieveAnswer } from '../../edge/memory/contract/search.ts';
import type { SharedEdge } from './harness.ts';
import { send } from './keys-in-hand.ts';

type Query = Readonly<Record<string, string>>;

/** The memories of one namespace over HTTP; every call expects to be answered. */
export interface MemoryWorld {
  at(path: string, query?: Query): URL;
  store(memory: string | object): Promise<StoredMemory>;
  storeAll(memories: readonly (string | object)[]): Promise<StoredMemories>;
  retrieve(q: string, query?: Query): Promise<RetrieveAnswer>;
  list(query?: Query): Promise<MemoryList>;
  orchestrate(query: string, body?: object): Promise<OrchestrateAnswer>;
}

export function memoriesIn({ gateway }: SharedEdge, namespace: string, key?: string): MemoryWorld {
  const at = (path: string, query: Query = {}) =>
    new URL(`/v1/memory${path}?${new URLSearchParams({ namespace, ...query })}`, gateway);
  const bare = (path: string) => new URL(path, gateway);
  const said = (memory: string | object) => ({
    namespace,
    ...(typeof memory === 'string' ? { content: memory } : memory),
  });
  const answered = async (url: URL, status: number, json?: unknown): Promise<unknown> => {
    const post = json === undefined ? {} : { method: 'POST', json };
    const answer = await send(url, { key, ...post });
    expect(answer.status).toBe(status);
    return answer.json();
  };
  return {
    at,
    store: async (memory) =>
      StoredMemory.parse(await answered(bare('/v1/memory/store'), 201, said(memory))),
    storeAll: async (memories) =>
      StoredMemories.parse(
        await answered(bare('/v1/memory/store_batch'), 201, { memories: memories.map(said) }),
      ),
    retrieve: async (q, query = {}) =>
      RetrieveAnswer.parse(await answered(at('/retrieve', { q, ...query }), 200)),
    list: async (query = {}) => MemoryList.parse(await answered(at('/memories', query), 200)),
    orchestrate: async (query, body = {}) =>
      OrchestrateAnswer.parse(
        await answered(bare('/api/memory/orchestrate'), 200, { query, namespace, ...body }),
      ),
  };
}

export const contentsOf = ({ results }: RetrieveAnswer): string[] =>
  results.map(({ content }) => content);

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { clientOf, urlOf } from '../../edge/contract/client.ts';
import { memoryEndpoints } from '../../edge/memory/endpoints.ts';
import type { GraphQuery } from '../../edge/memory/contract/graph.ts';
import type {
  MemoryRecord,
  NewMemoryInput,
  StoredMemory,
} from '../../edge/memory/contract/memory.ts';
import type { MemoryErased, MemoryNamespaceDeleted } from '../../edge/memory/contract/namespace.ts';
import type {
  MemoryHit,
  MemoryStrategy,
  RetrieveAnswer,
} from '../../edge/memory/contract/search.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');
const memoryApi = clientOf(memoryEndpoints, http);

/** The first part of the key of all that memories answer. */
export const MEMORY_KEY = ['memory'] as const;

const PAGE = 20;

/** A namespace, and whose it is where it is another's. */
export interface MemoryPlace {
  readonly namespace: string;
  readonly owner?: string;
}

export const memoryNamespacesQuery = queryOptions({
  queryKey: [...MEMORY_KEY, 'namespaces'],
  queryFn: async ({ signal }) => (await memoryApi.listMemoryNamespaces({ signal })).namespaces,
});

/** One namespace, or all of an owner where none is named. */
export interface MemoryScope {
  readonly namespace?: string;
  readonly owner?: string;
}

/** Statistics of a namespace. */
export const memoryStatsQuery = (place: MemoryPlace) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'stats', place],
    queryFn: ({ signal }) => memoryApi.memoryStats({ query: { ...place }, signal }),
  });

/** Filters of memories; without `q` all of them, the latest first. */
export interface MemorySearch {
  readonly q?: string;
  readonly strategy?: MemoryStrategy;
  readonly min_score?: number;
  readonly user_id?: string;
  readonly session_id?: string;
  readonly tags?: readonly string[];
  readonly as_of?: string;
}

export interface MemoryPage {
  readonly memories: readonly (MemoryRecord | MemoryHit)[];
  readonly next_cursor: string | null;
  /** How they were found; undefined for a mere list. */
  readonly found: RetrieveAnswer['metadata'] | undefined;
}

export const memoriesQuery = (place: MemoryPlace, search: MemorySearch) =>
  infiniteQueryOptions({
    queryKey: [...MEMORY_KEY, 'list', place, search],
    queryFn: ({ signal, pageParam }) =>
      readPage({ ...place, ...search, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

type PageQuery = MemoryPlace & MemorySearch & { readonly cursor?: string };

async function readPage({ q, ...query }: PageQuery, signal: AbortSignal): Promise<MemoryPage> {
  if (q === undefined) {
    // How to search and how well to match says nothing about a list.
    const { strategy: _, min_score: __, ...listed } = query;
    const asked = { query: { ...listed, limit: PAGE }, signal };
    const body = await memoryApi.listMemories(asked);
    return { memories: body.memories, next_cursor: body.next_cursor, found: undefined };
  }
  const asked = { query: { ...query, q, top_k: PAGE }, signal };
  const body = await memoryApi.retrieveMemories(asked);
  return { memories: body.results, next_cursor: body.next_cursor, found: body.metadata };
}

/** The first part of the key of memories that are looked at one by one. */
export const ONE_MEMORY_KEY = [...MEMORY_KEY, 'one'] as const;

export const memoryQuery = (place: MemoryPlace, memoryId: string) =>
  queryOptions({
    queryKey: [...ONE_MEMORY_KEY, place, memoryId],
    queryFn: ({ signal }) =>
      memoryApi.getMemory({ params: { memory_id: memoryId }, query: { ...place }, signal }),
  });

/** Which part of the causal graph is asked for. */
export interface GraphSearch {
  /** Causes or effects to begin with; the most confident edges where there is none. */
  readonly node: readonly string[];
  readonly hops: number;
  readonly direction: GraphQuery['direction'];
  readonly limit: number;
  readonly as_of?: string;
}

export const causalGraphQuery = (place: MemoryPlace, search: GraphSearch) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'graph', place, search],
    queryFn: ({ signal }) => memoryApi.memoryGraph({ query: { ...place, ...search }, signal }),
  });

/** Words of causes and effects. */
interface NodeSearch {
  readonly q: string;
  readonly as_of?: string;
}

/** Causes and effects that hold some of the words, those with most of them first. */
export const causalNodesQuery = (place: MemoryPlace, search: NodeSearch) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'nodes', place, search],
    enabled: search.q !== '',
    queryFn: async ({ signal }) =>
      (await memoryApi.findMemoryNodes({ query: { ...place, ...search }, signal })).nodes,
  });

/** From where to where in the causal graph. */
interface PathSearch {
  readonly from: string;
  readonly to: string;
  readonly hops: number;
  readonly as_of?: string;
}

export const causalPathQuery = (place: MemoryPlace, search: PathSearch) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'path', place, search],
    enabled: search.from !== '' && search.to !== '',
    queryFn: ({ signal }) => memoryApi.memoryPath({ query: { ...place, ...search }, signal }),
  });

export const storeMemory = (body: NewMemoryInput): Promise<StoredMemory> =>
  memoryApi.storeMemory({ body });

/** Deletes a memory for good. @throws ProblemError memory_not_found */
export async function deleteMemory(place: MemoryPlace, memoryId: string): Promise<void> {
  await memoryApi.deleteMemory({ params: { memory_id: memoryId }, query: { ...place } });
}

/** How much is remembered of a user and where: what `eraseUser` deletes. */
export const memoryUserQuery = (scope: MemoryScope, userId: string) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'user', scope, userId],
    enabled: userId !== '',
    queryFn: ({ signal }) =>
      memoryApi.memoryUser({ params: { user_id: userId }, query: { ...scope }, signal }),
  });

/** Deletes all memories of a user for good. @throws ProblemError namespace_not_found */
export const eraseUser = (scope: MemoryScope, userId: string): Promise<MemoryErased> =>
  memoryApi.eraseMemories({ params: { user_id: userId }, query: { ...scope } });

/** Deletes a namespace with all that is in it, for good. @throws ProblemError namespace_not_found */
export async function deleteNamespace({
  namespace,
  owner,
}: MemoryPlace): Promise<MemoryNamespaceDeleted> {
  return memoryApi.deleteMemoryNamespace({
    params: { namespace },
    query: owner === undefined ? {} : { owner },
  });
}

/** Where a file of all memories of a scope is, or of one user in it. */
export const memoryExportUrl = (scope: MemoryScope, userId: string): string =>
  urlOf(http, memoryEndpoints.exportMemories, {
    query: { ...scope, user_id: userId === '' ? undefined : userId },
  });

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callEndpoint, pathOf } from '../../edge/contract/endpoint-client.ts';
import { queryOf } from '../../edge/contract/http-client.ts';
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
  queryFn: async ({ signal }) =>
    (await callEndpoint(http, memoryEndpoints.listMemoryNamespaces, { signal })).body.namespaces,
});

/** One namespace, or all of an owner where none is named. */
export interface MemoryScope {
  readonly namespace?: string;
  readonly owner?: string;
}

/** What a namespace holds. */
export const memoryStatsQuery = (place: MemoryPlace) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'stats', place],
    queryFn: async ({ signal }) => {
      const asked = { query: { ...place }, signal };
      return (await callEndpoint(http, memoryEndpoints.memoryStats, asked)).body;
    },
  });

/** What memories are looked for; all of them, the latest first, where `q` is left out. */
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

async function readPage(query: PageQuery, signal: AbortSignal): Promise<MemoryPage> {
  if (query.q === undefined) {
    // How to search and how well to match says nothing about a list.
    const { strategy: _, min_score: __, ...listed } = query;
    const asked = { query: { ...listed, limit: PAGE }, signal };
    const { body } = await callEndpoint(http, memoryEndpoints.listMemories, asked);
    return { memories: body.memories, next_cursor: body.next_cursor, found: undefined };
  }
  const asked = { query: { ...query, top_k: PAGE }, signal };
  const { body } = await callEndpoint(http, memoryEndpoints.retrieveMemories, asked);
  return { memories: body.results, next_cursor: body.next_cursor, found: body.metadata };
}

/** The first part of the key of memories that are looked at one by one. */
export const ONE_MEMORY_KEY = [...MEMORY_KEY, 'one'] as const;

export const memoryQuery = (place: MemoryPlace, memoryId: string) =>
  queryOptions({
    queryKey: [...ONE_MEMORY_KEY, place, memoryId],
    queryFn: async ({ signal }) => {
      const asked = { params: { memory_id: memoryId }, query: { ...place }, signal };
      return (await callEndpoint(http, memoryEndpoints.getMemory, asked)).body;
    },
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
    queryFn: async ({ signal }) => {
      const asked = { query: { ...place, ...search }, signal };
      return (await callEndpoint(http, memoryEndpoints.memoryGraph, asked)).body;
    },
  });

/** Words of causes and effects. */
export interface NodeSearch {
  readonly q: string;
  readonly as_of?: string;
}

/** Causes and effects that hold some of the words, those with most of them first. */
export const causalNodesQuery = (place: MemoryPlace, search: NodeSearch) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'nodes', place, search],
    enabled: search.q !== '',
    queryFn: async ({ signal }) => {
      const asked = { query: { ...place, ...search }, signal };
      return (await callEndpoint(http, memoryEndpoints.findMemoryNodes, asked)).body.nodes;
    },
  });

/** From where to where in the causal graph. */
export interface PathSearch {
  readonly from: string;
  readonly to: string;
  readonly hops: number;
  readonly as_of?: string;
}

export const causalPathQuery = (place: MemoryPlace, search: PathSearch) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'path', place, search],
    enabled: search.from !== '' && search.to !== '',
    queryFn: async ({ signal }) => {
      const asked = { query: { ...place, ...search }, signal };
      return (await callEndpoint(http, memoryEndpoints.memoryPath, asked)).body;
    },
  });

export async function storeMemory(body: NewMemoryInput): Promise<StoredMemory> {
  return (await callEndpoint(http, memoryEndpoints.storeMemory, { body })).body;
}

/** Deletes a memory for good. @throws ProblemError memory_not_found */
export async function deleteMemory(place: MemoryPlace, memoryId: string): Promise<void> {
  const asked = { params: { memory_id: memoryId }, query: { ...place } };
  await callEndpoint(http, memoryEndpoints.deleteMemory, asked);
}

/** How much is remembered of a user and where: what `eraseUser` deletes. */
export const memoryUserQuery = (scope: MemoryScope, userId: string) =>
  queryOptions({
    queryKey: [...MEMORY_KEY, 'user', scope, userId],
    enabled: userId !== '',
    queryFn: async ({ signal }) => {
      const asked = { params: { user_id: userId }, query: { ...scope }, signal };
      return (await callEndpoint(http, memoryEndpoints.memoryUser, asked)).body;
    },
  });

/** Deletes all memories of a user for good. @throws ProblemError namespace_not_found */
export async function eraseUser(scope: MemoryScope, userId: string): Promise<MemoryErased> {
  const asked = { params: { user_id: userId }, query: { ...scope } };
  return (await callEndpoint(http, memoryEndpoints.eraseMemories, asked)).body;
}

/** Deletes a namespace with all that is in it, for good. @throws ProblemError namespace_not_found */
export async function deleteNamespace({
  namespace,
  owner,
}: MemoryPlace): Promise<MemoryNamespaceDeleted> {
  const asked = { params: { namespace }, query: owner === undefined ? {} : { owner } };
  return (await callEndpoint(http, memoryEndpoints.deleteMemoryNamespace, asked)).body;
}

/** Where a file of all memories of a scope is, or of one user in it. */
export const memoryExportUrl = (scope: MemoryScope, userId: string): string =>
  http.base +
  pathOf(memoryEndpoints.exportMemories.path, {}) +
  queryOf({ ...scope, user_id: userId === '' ? undefined : userId });

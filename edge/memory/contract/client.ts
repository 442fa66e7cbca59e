import type * as z from 'zod/mini';
import { type Answered, callEndpoint } from '../../contract/endpoint-client.ts';
import { call, type HttpOptions, openHttp, queryOf } from '../../contract/http-client.ts';
import type { CausalNeighbourhood, CausalPath } from './causal.ts';
import type { FoundCausalNodes, GraphQuery, CausalNodeQuery, PathQuery } from './graph.ts';
import type {
  MemoryDeleted,
  MemoryList,
  MemoryPlace,
  MemoryQuery,
  NewMemoryInput,
  StoredMemories,
  StoredMemory,
  WholeMemory,
} from './memory.ts';
import type {
  EraseQuery,
  ExportQuery,
  MemoryErased,
  MemoryNamespaceDeleted,
  MemoryNamespaceList,
  MemoryStats,
  MemoryUser,
  NamespaceQuery,
} from './namespace.ts';
import { memoryEndpoints } from '../endpoints.ts';
import type {
  OrchestrateAnswer,
  OrchestrateInput,
  RetrieveAnswer,
  RetrieveQuery,
} from './search.ts';

/** A query as a client gives it: numbers need not be text, and what is left out has its default. */
type Asked<Q> = {
  readonly [K in keyof Q]?: (Q[K] extends number ? number : Q[K]) | undefined;
};
type Place = Asked<MemoryPlace>;

/** Memories over HTTP. Every call throws ProblemError for a refusal. */
export interface MemoryClient {
  store(memory: NewMemoryInput): Promise<StoredMemory>;
  storeAll(memories: readonly NewMemoryInput[]): Promise<StoredMemories>;
  retrieve(query: Asked<RetrieveQuery> & { readonly q: string }): Promise<RetrieveAnswer>;
  orchestrate(asked: z.input<typeof OrchestrateInput>): Promise<OrchestrateAnswer>;
  list(query?: Asked<MemoryQuery>): Promise<MemoryList>;
  memory(memoryId: string, place?: Place): Promise<WholeMemory>;
  remove(memoryId: string, place?: Place): Promise<MemoryDeleted>;
  graph(query?: Asked<GraphQuery>): Promise<CausalNeighbourhood>;
  nodes(query: Asked<CausalNodeQuery> & { readonly q: string }): Promise<FoundCausalNodes>;
  path(
    query: Asked<PathQuery> & { readonly from: string; readonly to: string },
  ): Promise<CausalPath>;
  /** Lines of JSON, an WholeMemory each, as they come. */
  exported(query?: Asked<ExportQuery>): Promise<Response>;
  /** What `erase` would delete. */
  user(userId: string, query?: Asked<EraseQuery>): Promise<MemoryUser>;
  erase(userId: string, query?: Asked<EraseQuery>): Promise<MemoryErased>;
  namespaces(query?: Asked<NamespaceQuery>): Promise<MemoryNamespaceList>;
  removeNamespace(
    namespace: string,
    query?: { readonly owner?: string | undefined },
  ): Promise<MemoryNamespaceDeleted>;
  stats(place?: Place): Promise<MemoryStats>;
}

/** A client of the gateway at `base`. */
export function createMemoryClient(options: HttpOptions): MemoryClient {
  const http = openHttp(options);
  const ends = memoryEndpoints;
  return {
    store: (body) => bodyOf(callEndpoint(http, ends.storeMemory, { body })),
    storeAll: (memories) =>
      bodyOf(callEndpoint(http, ends.storeMemories, { body: { memories: [...memories] } })),
    retrieve: (query) => bodyOf(callEndpoint(http, ends.retrieveMemories, { query })),
    orchestrate: (body) => bodyOf(callEndpoint(http, ends.orchestrateMemory, { body })),
    list: (query = {}) => bodyOf(callEndpoint(http, ends.listMemories, { query })),
    memory: (id, query = {}) => bodyOf(callEndpoint(http, ends.getMemory, { ...of(id), query })),
    remove: (id, query = {}) => bodyOf(callEndpoint(http, ends.deleteMemory, { ...of(id), query })),
    graph: (query = {}) => bodyOf(callEndpoint(http, ends.memoryGraph, { query })),
    nodes: (query) => bodyOf(callEndpoint(http, ends.findMemoryNodes, { query })),
    path: (query) => bodyOf(callEndpoint(http, ends.memoryPath, { query })),
    exported: (query = {}) => call(http, ends.exportMemories.path + queryOf(query)),
    user: (userId, query = {}) =>
      bodyOf(callEndpoint(http, ends.memoryUser, { params: { user_id: userId }, query })),
    erase: (userId, query = {}) =>
      bodyOf(callEndpoint(http, ends.eraseMemories, { params: { user_id: userId }, query })),
    namespaces: (query = {}) => bodyOf(callEndpoint(http, ends.listMemoryNamespaces, { query })),
    removeNamespace: (namespace, query = {}) =>
      bodyOf(callEndpoint(http, ends.deleteMemoryNamespace, { params: { namespace }, query })),
    stats: (query = {}) => bodyOf(callEndpoint(http, ends.memoryStats, { query })),
  };
}

const of = (memoryId: string) => ({ params: { memory_id: memoryId } });

type EndpointOf = Parameters<typeof callEndpoint>[1];

const bodyOf = async <P extends EndpointOf>(
  answered: Promise<Answered<P>>,
): Promise<Answered<P>['body']> => (await answered).body;

import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import * as causalSchemas from './contract/causal.ts';
import {
  type CausalEdge,
  type CausalLink,
  CausalNeighbourhood,
  CausalPath,
} from './contract/causal.ts';
import * as memoryGraphSchemas from './contract/graph.ts';
import {
  CausalNodeQuery,
  FoundCausalNodes,
  GRAPH_LISTS,
  GraphQuery,
  PathQuery,
} from './contract/graph.ts';
import * as memorySchemas from './contract/memory.ts';
import {
  type FoundCause,
  MEMORY_LISTS,
  MemoryDeleted,
  MemoryId,
  MemoryList,
  MemoryName,
  MemoryNamespace,
  MemoryOwner,
  MemoryPlace,
  MemoryQuery,
  type MemoryRecord,
  NewMemories,
  NewMemory,
  type NewMemoryInput,
  StoredMemories,
  StoredMemory,
  WholeMemory,
} from './contract/memory.ts';
import * as memoryNamespaceSchemas from './contract/namespace.ts';
import {
  EraseQuery,
  ExportQuery,
  MemoryErased,
  MemoryNamespaceDeleted,
  MemoryNamespaceList,
  MemoryStats,
  MemoryUser,
  NamespaceQuery,
} from './contract/namespace.ts';
import * as memorySearchSchemas from './contract/search.ts';
import {
  OrchestrateAnswer,
  OrchestrateInput,
  RetrieveAnswer,
  RetrieveQuery,
} from './contract/search.ts';
import { describe, fromBody } from '../contract/endpoint-docs.ts';

const noQuery = z.strictObject({});

/** Memories: stored, searched, traced to causes, and erased. */
export const memoryEndpoints = {
  storeMemory: {
    method: 'POST',
    path: '/v1/memory/store',
    summary: 'Stores a memory, and reads the causes that its text names.',
    access: 'memory:write',
    query: noQuery,
    body: NewMemory,
    responses: { 201: StoredMemory },
    problems: ['quota_exceeded'],
  },
  storeMemories: {
    method: 'POST',
    path: '/v1/memory/store_batch',
    summary: 'Stores several memories with one request: all of them, or none.',
    access: 'memory:write',
    query: noQuery,
    body: NewMemories,
    responses: { 201: StoredMemories },
    problems: ['quota_exceeded'],
  },
  retrieveMemories: {
    method: 'GET',
    path: '/v1/memory/retrieve',
    summary: 'Finds memories by words, likeness, time, importance and causes, the best first.',
    access: 'memory:read',
    query: RetrieveQuery,
    lists: MEMORY_LISTS,
    responses: { 200: RetrieveAnswer },
    problems: ['namespace_not_found'],
  },
  listMemories: {
    method: 'GET',
    path: '/v1/memory/memories',
    summary: 'The memories of a namespace, the latest stored first.',
    access: 'memory:read',
    query: MemoryQuery,
    lists: MEMORY_LISTS,
    responses: { 200: MemoryList },
    problems: ['namespace_not_found'],
  },
  getMemory: {
    method: 'GET',
    path: '/v1/memory/memories/:memory_id',
    summary: 'One memory, and the causes that its text names.',
    access: 'memory:read',
    query: MemoryPlace,
    responses: { 200: WholeMemory },
    problems: ['memory_not_found', 'namespace_not_found'],
  },
  deleteMemory: {
    method: 'DELETE',
    path: '/v1/memory/memories/:memory_id',
    summary: 'Deletes a memory for good, with its vector and what it says of causes.',
    access: 'memory:write',
    query: MemoryPlace,
    responses: { 200: MemoryDeleted },
    problems: ['memory_not_found', 'namespace_not_found'],
  },
  orchestrateMemory: {
    method: 'POST',
    path: '/api/memory/orchestrate',
    summary: 'Finds memories for a query, and the causes that they and those around them name.',
    access: 'memory:read',
    query: noQuery,
    body: OrchestrateInput,
    responses: { 200: OrchestrateAnswer },
    problems: ['namespace_not_found'],
  },
  memoryGraph: {
    method: 'GET',
    path: '/v1/memory/graph',
    summary: 'Causes and effects around some of them, with the evidence for each.',
    access: 'memory:read',
    query: GraphQuery,
    lists: GRAPH_LISTS,
    responses: { 200: CausalNeighbourhood },
    problems: ['namespace_not_found'],
  },
  findMemoryNodes: {
    method: 'GET',
    path: '/v1/memory/nodes',
    summary: 'Causes and effects by words in them, to begin a graph or a path with.',
    access: 'memory:read',
    query: CausalNodeQuery,
    responses: { 200: FoundCausalNodes },
    problems: ['namespace_not_found'],
  },
  memoryPath: {
    method: 'GET',
    path: '/v1/memory/path',
    summary: 'The shortest way from a cause to an effect.',
    access: 'memory:read',
    query: PathQuery,
    responses: { 200: CausalPath },
    problems: ['namespace_not_found'],
  },
  exportMemories: {
    method: 'GET',
    path: '/v1/memory/export',
    summary: 'All memories of a user, a namespace or an owner: a line of JSON for each.',
    access: 'memory:read',
    query: ExportQuery,
    responses: { 200: { media: ['application/jsonl'] } },
    problems: ['namespace_not_found'],
  },
  memoryUser: {
    method: 'GET',
    path: '/v1/memory/users/:user_id',
    summary: 'How much is remembered of a user and where: what erasing him would delete.',
    access: 'memory:read',
    query: EraseQuery,
    responses: { 200: MemoryUser },
    problems: ['namespace_not_found'],
  },
  eraseMemories: {
    method: 'DELETE',
    path: '/v1/memory/users/:user_id',
    summary: 'Deletes all memories of a user for good.',
    access: 'memory:write',
    query: EraseQuery,
    responses: { 200: MemoryErased },
    problems: ['namespace_not_found'],
  },
  deleteMemoryNamespace: {
    method: 'DELETE',
    path: '/v1/memory/namespaces/:namespace',
    summary: 'Deletes a namespace with all that is in it, for good.',
    access: 'memory:write',
    query: z.strictObject({ owner: z.optional(MemoryOwner) }),
    responses: { 200: MemoryNamespaceDeleted },
    problems: ['namespace_not_found'],
  },
  listMemoryNamespaces: {
    method: 'GET',
    path: '/v1/memory/namespaces',
    summary: 'The namespaces of the caller; of everybody for administrators.',
    access: 'memory:read',
    query: NamespaceQuery,
    responses: { 200: MemoryNamespaceList },
  },
  memoryStats: {
    method: 'GET',
    path: '/v1/memory/stats',
    summary: 'What a namespace holds.',
    access: 'memory:read',
    query: MemoryPlace,
    responses: { 200: MemoryStats },
    problems: ['namespace_not_found'],
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const memoryDocs = () => {
  const said = {
    content: 'The pump overheated because the filter was clogged.',
    namespace: 'plant',
    user_id: 'mori',
    tags: ['pump-7'],
    metadata: { shift: 'night' },
    importance: 0.8,
    occurred_at: '2026-11-20T10:00:00Z',
  } satisfies NewMemoryInput;

  const found: FoundCause = {
    cause: 'the filter was clogged',
    effect: 'The pump overheated',
    relation: 'causes',
    confidence: 0.765,
    evidence: said.content,
  };

  const stored: StoredMemory = {
    memory_id: 'mem_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
    namespace: said.namespace,
    created_at: '2026-11-20T10:05:00.000Z',
    deduplicated: false,
    causal_edges: [found],
  };

  const record: MemoryRecord = {
    memory_id: stored.memory_id,
    namespace: said.namespace,
    content: said.content,
    user_id: said.user_id,
    session_id: null,
    tags: said.tags,
    metadata: said.metadata,
    importance: said.importance,
    created_at: stored.created_at,
    valid_at: '2026-11-20T10:00:00.000Z',
    invalid_at: null,
    expires_at: null,
  };

  const hit = {
    ...record,
    score: 0.83,
    score_breakdown: {
      semantic: 0.375,
      lexical: 0.346,
      recency: 0.059,
      importance: 0.05,
      graph: 0,
    },
  };

  const edge: CausalEdge = {
    ...found,
    evidence_memory_ids: [stored.memory_id],
    supports: [
      {
        memory_id: stored.memory_id,
        evidence: found.evidence,
        confidence: found.confidence,
        language: 'en',
        pattern: 'C',
        cue: 'because',
      },
    ],
    contradicted: false,
    valid_at: record.valid_at,
    invalid_at: null,
  };

  const link: CausalLink = { ...edge, from: 'filter was clogged', to: 'pump overheated' };

  const searched = {
    strategy: 'lexical+semantic+graph',
    namespace: said.namespace,
    truncated: false,
    as_of: '2026-11-20T10:10:00.000Z',
    latency_ms: 3,
  };

  const place = { namespace: said.namespace };

  return describe(memoryEndpoints, {
    schemas: [
      causalSchemas,
      memoryGraphSchemas,
      memorySchemas,
      memoryNamespaceSchemas,
      memorySearchSchemas,
    ],
    params: {
      'memories/:memory_id': { description: 'The memory.', schema: MemoryId },
      'users/:user_id': { description: 'The user.', schema: MemoryName },
      'namespaces/:namespace': { description: 'The namespace.', schema: MemoryNamespace },
    },
    operations: {
      storeMemory: {
        query: {},
        body: said,
        responses: { 201: stored },
        links: {
          201: {
            getMemory: { memory_id: fromBody('memory_id'), namespace: fromBody('namespace') },
            deleteMemory: { memory_id: fromBody('memory_id'), namespace: fromBody('namespace') },
          },
        },
      },
      storeMemories: {
        query: {},
        body: {
          memories: [said, { ...said, content: 'The filter clogged due to dust.' }],
        },
        responses: { 201: { memories: [stored] } },
      },
      retrieveMemories: {
        query: { q: 'why did the pump overheat?', ...place, top_k: '5' },
        responses: {
          200: {
            results: [hit],
            has_more: false,
            next_cursor: null,
            metadata: searched,
          },
        },
      },
      listMemories: {
        query: { ...place, limit: '20' },
        responses: { 200: { memories: [record], total: 1, has_more: false, next_cursor: null } },
      },
      getMemory: {
        params: { memory_id: stored.memory_id },
        query: place,
        responses: { 200: { ...record, causal_edges: [found] } },
      },
      deleteMemory: {
        params: { memory_id: stored.memory_id },
        query: place,
        responses: { 200: { status: 'deleted', memory_id: stored.memory_id } },
      },
      orchestrateMemory: {
        query: {},
        body: { query: 'why did it overheat?', ...place, context: ['The pump is 7.'], max_hops: 2 },
        responses: {
          200: {
            memories: [hit],
            causal_context: [found.evidence],
            causal_edges: [edge],
            metadata: {
              ...searched,
              request_id: 'req_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
              memory_count: 1,
              edge_count: 1,
              hops: 1,
              languages: ['en'],
            },
          },
        },
      },
      memoryGraph: {
        query: { ...place, node: [found.cause], hops: '1' },
        responses: {
          200: {
            nodes: [
              { key: link.from, label: found.cause, incoming: 0, outgoing: 1, hops: 0 },
              { key: link.to, label: found.effect, incoming: 1, outgoing: 0, hops: 1 },
            ],
            links: [link],
            truncated: false,
          },
        },
      },
      findMemoryNodes: {
        query: { ...place, q: found.cause },
        responses: { 200: { nodes: [{ key: link.from, label: found.cause, statements: 1 }] } },
      },
      memoryPath: {
        query: { ...place, from: found.cause, to: found.effect },
        responses: { 200: { links: [link], confidence: found.confidence } },
      },
      exportMemories: {
        query: { ...place, user_id: said.user_id },
        responses: {
          200: {
            'application/jsonl': `${JSON.stringify({ ...record, causal_edges: [found] })}\n`,
          },
        },
      },
      memoryUser: {
        params: { user_id: said.user_id },
        query: place,
        responses: {
          200: {
            user_id: said.user_id,
            memories: 1,
            namespaces: [{ namespace: said.namespace, memories: 1 }],
          },
        },
      },
      eraseMemories: {
        params: { user_id: said.user_id },
        query: place,
        responses: {
          200: {
            status: 'erased',
            user_id: said.user_id,
            memories: 1,
            namespaces: [said.namespace],
          },
        },
      },
      deleteMemoryNamespace: {
        params: { namespace: said.namespace },
        query: {},
        responses: { 200: { status: 'deleted', namespace: said.namespace, memories: 1 } },
      },
      listMemoryNamespaces: {
        query: {},
        responses: {
          200: {
            namespaces: [{ ...place, owner: 'local', created_at: stored.created_at }],
            has_more: false,
            next_cursor: null,
          },
        },
      },
      memoryStats: {
        query: place,
        responses: {
          200: {
            ...place,
            owner: 'local',
            memories: 1,
            users: 1,
            edges: 1,
            evidence: 1,
            vectors: 1,
            storage_bytes: 131_072,
            first_valid_at: record.valid_at,
            last_valid_at: record.valid_at,
          },
        },
      },
    },
  });
};

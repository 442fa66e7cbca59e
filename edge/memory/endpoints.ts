import * as z from 'zod/mini';
import { type Endpoints, post, get, del } from '../contract/endpoint.ts';
import * as causalSchemas from './contract/causal.ts';
import * as memoryGraphSchemas from './contract/graph.ts';
import * as memorySchemas from './contract/memory.ts';
import * as memoryNamespaceSchemas from './contract/namespace.ts';
import * as memorySearchSchemas from './contract/search.ts';
import { describe, fromBody, linksTo } from '../contract/endpoint-docs.ts';

/** Memories: stored, searched, traced to causes, and erased. */
export const memoryEndpoints = {
  storeMemory: post('/v1/memory/store', 'memory:write', {
    summary: 'Stores a memory, and reads the causes that its text names.',
    body: memorySchemas.NewMemory,
    responses: { 201: memorySchemas.StoredMemory },
    problems: ['quota_exceeded'],
  }),
  storeMemories: post('/v1/memory/store_batch', 'memory:write', {
    summary: 'Stores several memories with one request: all of them, or none.',
    body: memorySchemas.NewMemories,
    responses: { 201: memorySchemas.StoredMemories },
    problems: ['quota_exceeded'],
  }),
  retrieveMemories: get('/v1/memory/retrieve', 'memory:read', {
    summary: 'Finds memories by words, likeness, time, importance and causes, the best first.',
    query: memorySearchSchemas.RetrieveQuery,
    lists: memorySchemas.MEMORY_LISTS,
    responses: { 200: memorySearchSchemas.RetrieveAnswer },
    problems: ['namespace_not_found'],
  }),
  listMemories: get('/v1/memory/memories', 'memory:read', {
    summary: 'The memories of a namespace, the latest stored first.',
    query: memorySchemas.MemoryQuery,
    lists: memorySchemas.MEMORY_LISTS,
    responses: { 200: memorySchemas.MemoryList },
    problems: ['namespace_not_found'],
  }),
  getMemory: get('/v1/memory/memories/:memory_id', 'memory:read', {
    summary: 'One memory, and the causes that its text names.',
    query: memorySchemas.MemoryPlace,
    responses: { 200: memorySchemas.WholeMemory },
    problems: ['memory_not_found', 'namespace_not_found'],
  }),
  deleteMemory: del('/v1/memory/memories/:memory_id', 'memory:write', {
    summary: 'Deletes a memory for good, with its vector and what it says of causes.',
    query: memorySchemas.MemoryPlace,
    responses: { 200: memorySchemas.MemoryDeleted },
    problems: ['memory_not_found', 'namespace_not_found'],
  }),
  orchestrateMemory: post('/api/memory/orchestrate', 'memory:read', {
    summary: 'Finds memories for a query, and the causes that they and those around them name.',
    body: memorySearchSchemas.OrchestrateInput,
    responses: { 200: memorySearchSchemas.OrchestrateAnswer },
    problems: ['namespace_not_found'],
  }),
  memoryGraph: get('/v1/memory/graph', 'memory:read', {
    summary: 'Causes and effects around some of them, with the evidence for each.',
    query: memoryGraphSchemas.GraphQuery,
    lists: memoryGraphSchemas.GRAPH_LISTS,
    responses: { 200: causalSchemas.CausalNeighbourhood },
    problems: ['namespace_not_found'],
  }),
  findMemoryNodes: get('/v1/memory/nodes', 'memory:read', {
    summary: 'Causes and effects by words in them, to begin a graph or a path with.',
    query: memoryGraphSchemas.CausalNodeQuery,
    responses: { 200: memoryGraphSchemas.FoundCausalNodes },
    problems: ['namespace_not_found'],
  }),
  memoryPath: get('/v1/memory/path', 'memory:read', {
    summary: 'The shortest way from a cause to an effect.',
    query: memoryGraphSchemas.PathQuery,
    responses: { 200: causalSchemas.CausalPath },
    problems: ['namespace_not_found'],
  }),
  exportMemories: get('/v1/memory/export', 'memory:read', {
    summary: 'All memories of a user, a namespace or an owner: a line of JSON for each.',
    query: memoryNamespaceSchemas.ExportQuery,
    responses: { 200: { media: ['application/jsonl'] } },
    problems: ['namespace_not_found'],
  }),
  memoryUser: get('/v1/memory/users/:user_id', 'memory:read', {
    summary: 'How much is remembered of a user and where: what erasing him would delete.',
    query: memoryNamespaceSchemas.EraseQuery,
    responses: { 200: memoryNamespaceSchemas.MemoryUser },
    problems: ['namespace_not_found'],
  }),
  eraseMemories: del('/v1/memory/users/:user_id', 'memory:write', {
    summary: 'Deletes all memories of a user for good.',
    query: memoryNamespaceSchemas.EraseQuery,
    responses: { 200: memoryNamespaceSchemas.MemoryErased },
    problems: ['namespace_not_found'],
  }),
  deleteMemoryNamespace: del('/v1/memory/namespaces/:namespace', 'memory:write', {
    summary: 'Deletes a namespace with all that is in it, for good.',
    query: z.strictObject({ owner: z.optional(memorySchemas.MemoryOwner) }),
    responses: { 200: memoryNamespaceSchemas.MemoryNamespaceDeleted },
    problems: ['namespace_not_found'],
  }),
  listMemoryNamespaces: get('/v1/memory/namespaces', 'memory:read', {
    summary: 'The namespaces of the caller; of everybody for administrators.',
    query: memoryNamespaceSchemas.NamespaceQuery,
    responses: { 200: memoryNamespaceSchemas.MemoryNamespaceList },
  }),
  memoryStats: get('/v1/memory/stats', 'memory:read', {
    summary: 'What a namespace holds.',
    query: memorySchemas.MemoryPlace,
    responses: { 200: memoryNamespaceSchemas.MemoryStats },
    problems: ['namespace_not_found'],
  }),
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
  } satisfies memorySchemas.NewMemoryInput;

  const place = { namespace: said.namespace };
  const found: memorySchemas.FoundCause = {
    cause: 'the filter was clogged',
    effect: 'The pump overheated',
    relation: 'causes',
    confidence: 0.765,
    evidence: said.content,
  };

  const stored: memorySchemas.StoredMemory = {
    memory_id: 'mem_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
    ...place,
    created_at: '2026-11-20T10:05:00.000Z',
    deduplicated: false,
    causal_edges: [found],
  };

  const record: memorySchemas.MemoryRecord = {
    memory_id: stored.memory_id,
    ...place,
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

  const edge: causalSchemas.CausalEdge = {
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

  const link: causalSchemas.CausalLink = {
    ...edge,
    from: 'filter was clogged',
    to: 'pump overheated',
  };

  const searched = {
    strategy: 'lexical+semantic+graph',
    ...place,
    truncated: false,
    as_of: '2026-11-20T10:10:00.000Z',
    latency_ms: 3,
  };

  const page = { has_more: false, next_cursor: null };
  const ofMemory = { memory_id: fromBody('memory_id'), namespace: fromBody('namespace') };

  return describe(memoryEndpoints, {
    schemas: [
      causalSchemas,
      memoryGraphSchemas,
      memorySchemas,
      memoryNamespaceSchemas,
      memorySearchSchemas,
    ],
    params: {
      'memories/:memory_id': { description: 'The memory.', schema: memorySchemas.MemoryId },
      'users/:user_id': { description: 'The user.', schema: memorySchemas.MemoryName },
      'namespaces/:namespace': {
        description: 'The namespace.',
        schema: memorySchemas.MemoryNamespace,
      },
    },
    operations: {
      storeMemory: {
        body: said,
        answer: stored,
        links: { 201: linksTo(ofMemory, 'getMemory', 'deleteMemory') },
      },
      storeMemories: {
        body: {
          memories: [said, { ...said, content: 'The filter clogged due to dust.' }],
        },
        answer: { memories: [stored] },
      },
      retrieveMemories: {
        query: { q: 'why did the pump overheat?', ...place, top_k: '5' },
        answer: {
          results: [hit],
          ...page,
          metadata: searched,
        },
      },
      listMemories: {
        query: { ...place, limit: '20' },
        answer: { memories: [record], total: 1, ...page },
      },
      getMemory: {
        params: { memory_id: stored.memory_id },
        query: place,
        answer: { ...record, causal_edges: [found] },
      },
      deleteMemory: {
        params: { memory_id: stored.memory_id },
        query: place,
        answer: { status: 'deleted', memory_id: stored.memory_id },
      },
      orchestrateMemory: {
        body: { query: 'why did it overheat?', ...place, context: ['The pump is 7.'], max_hops: 2 },
        answer: {
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
      memoryGraph: {
        query: { ...place, node: [found.cause], hops: '1' },
        answer: {
          nodes: [
            { key: link.from, label: found.cause, incoming: 0, outgoing: 1, hops: 0 },
            { key: link.to, label: found.effect, incoming: 1, outgoing: 0, hops: 1 },
          ],
          links: [link],
          truncated: false,
        },
      },
      findMemoryNodes: {
        query: { ...place, q: found.cause },
        answer: { nodes: [{ key: link.from, label: found.cause, statements: 1 }] },
      },
      memoryPath: {
        query: { ...place, from: found.cause, to: found.effect },
        answer: { links: [link], confidence: found.confidence },
      },
      exportMemories: {
        query: { ...place, user_id: said.user_id },
        answer: {
          'application/jsonl': `${JSON.stringify({ ...record, causal_edges: [found] })}\n`,
        },
      },
      memoryUser: {
        params: { user_id: said.user_id },
        query: place,
        answer: {
          user_id: said.user_id,
          memories: 1,
          namespaces: [{ ...place, memories: 1 }],
        },
      },
      eraseMemories: {
        params: { user_id: said.user_id },
        query: place,
        answer: {
          status: 'erased',
          user_id: said.user_id,
          memories: 1,
          namespaces: [said.namespace],
        },
      },
      deleteMemoryNamespace: {
        params: place,
        answer: { status: 'deleted', ...place, memories: 1 },
      },
      listMemoryNamespaces: {
        answer: {
          namespaces: [{ ...place, owner: 'local', created_at: stored.created_at }],
          ...page,
        },
      },
      memoryStats: {
        query: place,
        answer: {
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
  });
};

import type { memoryEndpoints } from './endpoints.ts';
import type { CausalEdge, CausalLink } from './contract/causal.ts';
import type { FoundCause, MemoryRecord, NewMemoryInput, StoredMemory } from './contract/memory.ts';
import type { ExamplesOf } from '../api-description/description.ts';

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

export const memoryExamples: ExamplesOf<typeof memoryEndpoints> = {
  storeMemory: { query: {}, body: said, answers: { 201: stored } },
  storeMemories: {
    query: {},
    body: {
      memories: [said, { ...said, content: 'The filter clogged due to dust.' }],
    },
    answers: { 201: { memories: [stored] } },
  },
  retrieveMemories: {
    query: { q: 'why did the pump overheat?', ...place, top_k: '5' },
    answers: {
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
    answers: { 200: { memories: [record], total: 1, has_more: false, next_cursor: null } },
  },
  getMemory: {
    params: { memory_id: stored.memory_id },
    query: place,
    answers: { 200: { ...record, causal_edges: [found] } },
  },
  deleteMemory: {
    params: { memory_id: stored.memory_id },
    query: place,
    answers: { 200: { status: 'deleted', memory_id: stored.memory_id } },
  },
  orchestrateMemory: {
    query: {},
    body: { query: 'why did it overheat?', ...place, context: ['The pump is 7.'], max_hops: 2 },
    answers: {
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
    answers: {
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
    answers: { 200: { nodes: [{ key: link.from, label: found.cause, statements: 1 }] } },
  },
  memoryPath: {
    query: { ...place, from: found.cause, to: found.effect },
    answers: { 200: { links: [link], confidence: found.confidence } },
  },
  exportMemories: {
    query: { ...place, user_id: said.user_id },
    answers: {
      200: {
        'application/jsonl': `${JSON.stringify({ ...record, causal_edges: [found] })}\n`,
      },
    },
  },
  memoryUser: {
    params: { user_id: said.user_id },
    query: place,
    answers: {
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
    answers: {
      200: { status: 'erased', user_id: said.user_id, memories: 1, namespaces: [said.namespace] },
    },
  },
  deleteMemoryNamespace: {
    params: { namespace: said.namespace },
    query: {},
    answers: { 200: { status: 'deleted', namespace: said.namespace, memories: 1 } },
  },
  listMemoryNamespaces: {
    query: {},
    answers: {
      200: {
        namespaces: [{ ...place, owner: 'local', created_at: stored.created_at }],
        has_more: false,
        next_cursor: null,
      },
    },
  },
  memoryStats: {
    query: place,
    answers: {
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
};

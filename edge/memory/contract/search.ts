import * as z from 'zod/mini';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { CausalEdge, CausalLanguage } from './causal.ts';
import {
  DEFAULT_MEMORY_NAMESPACE,
  inNamespace,
  memoryFilters,
  MemoryNamespace,
  MemoryOwner,
  MemoryRecord,
  MemoryText,
} from './memory.ts';

export const MEMORY_SEARCH = {
  /** The maximum length of a query in a URL, and in a body. */
  q: 1_000,
  query: 8_000,
  /** Preceding messages that may help retrieval. */
  context: 16,
  hops: 4,
} as const;

const query = (most: number) => MemoryText.check(z.minLength(1), z.maxLength(most));

const Share = z.pipe(
  z
    .string()
    .check(z.regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'expected a number from 0 to 1')),
  z.transform(Number),
);

/**
 * How memories are retrieved: `hybrid` by words and similarity, `lexical` by words alone,
 * `semantic` by similarity alone, `associative` by the recall of a spiking network.
 */
export const MemoryStrategy = z.enum(['hybrid', 'lexical', 'semantic', 'associative']);
export type MemoryStrategy = z.infer<typeof MemoryStrategy>;

/** The query of `GET /v1/memory/retrieve`. */
export const RetrieveQuery = z.strictObject({
  q: query(MEMORY_SEARCH.q),
  ...inNamespace,
  ...memoryFilters,
  top_k: z.prefault(PageSize, '10'),
  min_score: z.optional(Share),
  strategy: z.prefault(MemoryStrategy, 'hybrid'),
  cursor: z.optional(Cursor),
});
export type RetrieveQuery = z.output<typeof RetrieveQuery>;

const Part = z.number().check(z.gte(0), z.lte(1));

/** The contribution of each criterion to the score; together they are the score. */
export const ScoreBreakdown = z.object({
  semantic: Part,
  lexical: Part,
  recency: Part,
  importance: Part,
  graph: Part,
});
export type ScoreBreakdown = z.infer<typeof ScoreBreakdown>;

/** A retrieved memory. */
export const MemoryHit = z.extend(MemoryRecord, {
  /**
   * From 0, for an unrelated memory, to 1, for a certain match that ranks first by every criterion.
   */
  score: Part,
  score_breakdown: ScoreBreakdown,
});
export type MemoryHit = z.infer<typeof MemoryHit>;

const searched = {
  /** The retrieval methods used, such as `lexical+semantic+graph`. */
  strategy: z.string(),
  namespace: MemoryNamespace,
  /** Whether some memories or edges were left out because of limits. */
  truncated: z.boolean(),
  as_of: Timestamp,
  latency_ms: z.number(),
} as const;

/** The response of `GET /v1/memory/retrieve`: the best first. */
export const RetrieveAnswer = z.object({
  results: z.array(MemoryHit),
  ...pageMembers,
  metadata: z.object(searched),
});
export type RetrieveAnswer = z.infer<typeof RetrieveAnswer>;

/** The body of `POST /api/memory/orchestrate`. */
export const OrchestrateInput = z.strictObject({
  query: query(MEMORY_SEARCH.query),
  namespace: z.prefault(MemoryNamespace, DEFAULT_MEMORY_NAMESPACE),
  owner: z.optional(MemoryOwner),
  /** Preceding messages, the latest last: they help retrieval, and are not stored. */
  context: z.prefault(
    z.array(query(MEMORY_SEARCH.query)).check(z.maxLength(MEMORY_SEARCH.context)),
    [],
  ),
  user_id: memoryFilters.user_id,
  session_id: memoryFilters.session_id,
  tags: memoryFilters.tags,
  top_k: z.prefault(z.int().check(z.gte(1), z.lte(100)), 10),
  max_hops: z.prefault(z.int().check(z.gte(0), z.lte(MEMORY_SEARCH.hops)), 2),
  as_of: z.optional(TimestampInput),
  include_causal: z.prefault(z.boolean(), true),
});
export type OrchestrateInput = z.output<typeof OrchestrateInput>;

/**
 * Memories for a query, with the causes behind them: every `evidence` of an edge is in
 * `causal_context`.
 */
export const OrchestrateAnswer = z.object({
  memories: z.array(MemoryHit),
  /** Literal spans of stored memories that name causes, each once. */
  causal_context: z.array(z.string()),
  causal_edges: z.array(CausalEdge),
  metadata: z.object({
    ...searched,
    request_id: z.string(),
    memory_count: z.int(),
    edge_count: z.int(),
    /** The distance of the furthest edge from the retrieved memories; 0 where there is none. */
    hops: z.int(),
    /** Of the memories and the evidence. */
    languages: z.array(CausalLanguage),
  }),
});
export type OrchestrateAnswer = z.infer<typeof OrchestrateAnswer>;

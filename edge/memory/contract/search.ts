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
  /** Characters of a query in an address, and in a body. */
  q: 1_000,
  query: 8_000,
  /** What was said before, and may help to find what is meant. */
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
 * How memories are looked for: `hybrid` by words and by likeness, `lexical` by words alone,
 * `semantic` by likeness alone, `associative` by what a spiking network recalls.
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

/** What each reason adds to the score; together they are the score. */
export const ScoreBreakdown = z.object({
  semantic: Part,
  lexical: Part,
  recency: Part,
  importance: Part,
  graph: Part,
});
export type ScoreBreakdown = z.infer<typeof ScoreBreakdown>;

/** A memory that was found. */
export const MemoryHit = z.extend(MemoryRecord, {
  /** From 0, for what has nothing to do with the query, to 1, for what is sure to and first for every reason. */
  score: Part,
  score_breakdown: ScoreBreakdown,
});
export type MemoryHit = z.infer<typeof MemoryHit>;

const searched = {
  /** What took part, such as `lexical+semantic+graph`. */
  strategy: z.string(),
  namespace: MemoryNamespace,
  /** Whether some memories or edges were left out: there are more than are looked at or shown. */
  truncated: z.boolean(),
  as_of: Timestamp,
  latency_ms: z.number(),
} as const;

/** What `GET /v1/memory/retrieve` answers: the best first. */
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
  /** What was said before, the latest last: it helps to find, and is stored nowhere. */
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

/** Memories for a query, with the causes behind them: every `evidence` of an edge is in `causal_context`. */
export const OrchestrateAnswer = z.object({
  memories: z.array(MemoryHit),
  /** Stretches of stored memories that name causes, word for word, each once. */
  causal_context: z.array(z.string()),
  causal_edges: z.array(CausalEdge),
  metadata: z.object({
    ...searched,
    request_id: z.string(),
    memory_count: z.int(),
    edge_count: z.int(),
    /** How far from the memories found the furthest edge is; 0 where there is none. */
    hops: z.int(),
    /** Of the memories and the evidence. */
    languages: z.array(CausalLanguage),
  }),
});
export type OrchestrateAnswer = z.infer<typeof OrchestrateAnswer>;

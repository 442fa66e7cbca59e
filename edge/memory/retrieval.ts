import * as z from 'zod/mini';
import type { Env } from '../env.ts';
import { readPosition, writeCursor } from '../http/cursor.ts';
import type { CausalLanguage } from './contract/causal.ts';
import type {
  MemoryHit,
  MemoryStrategy,
  OrchestrateAnswer,
  OrchestrateInput,
  RetrieveAnswer,
  RetrieveQuery,
} from './contract/search.ts';
import { withMemory } from './memory-stub.ts';
import type { Place } from './owner.ts';
import { termsOf } from './text-index.ts';
import { vectorOf } from './embedding.ts';
import type { Filters, Hit, Query } from './records.ts';

/** The start of a page and its reference time: later memories do not shift the rest. */
const Position = z.tuple([
  z.int().check(z.nonnegative(), z.maximum(10_000)),
  z.int().check(z.nonnegative()),
]);

/** The number of steps a plain search takes along causes. */
const HOPS = 2;

/**
 * A page of the results of a query. @throws Problem invalid_parameter for a cursor of another query
 */
export async function retrievePage(
  env: Pick<Env, 'MEMORY'>,
  place: Place,
  asked: RetrieveQuery,
): Promise<RetrieveAnswer> {
  const began = Date.now();
  const { cursor, ...query } = asked;
  const filters = filtersOf(query);
  const start = cursor === undefined ? undefined : readPosition(cursor, Position, query);
  const [offset, asOf] = start ?? [0, filters.asOf];
  const limit = query.top_k;
  const search = {
    query: await queryFor(query.q, query.strategy, HOPS),
    filters: { ...filters, asOf },
    offset,
    limit,
    minScore: query.min_score ?? 0,
  };
  const found = await withMemory(env, place, (memory) => memory.retrieve(search));
  return {
    results: found.hits.map((hit) => hitOf(hit, place.namespace)),
    has_more: found.hasMore,
    next_cursor: found.hasMore ? writeCursor([offset + limit, asOf], query) : null,
    metadata: {
      strategy: found.strategy,
      namespace: place.namespace,
      truncated: found.truncated,
      as_of: new Date(asOf).toISOString(),
      latency_ms: Date.now() - began,
    },
  };
}

/** A text in the form of each retrieval method. */
async function queryFor(text: string, strategy: MemoryStrategy, hops: number): Promise<Query> {
  return {
    terms: strategy === 'hybrid' || strategy === 'lexical' ? termsOf(text) : null,
    vector: strategy === 'lexical' ? null : await vectorOf(text),
    isCue: strategy === 'associative',
    hops: strategy === 'hybrid' ? hops : 0,
  };
}

interface AskedFilters {
  readonly user_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly as_of?: string | undefined;
}

/** The filters of a query; without a time, it is as of now. */
export const filtersOf = (asked: AskedFilters): Filters => ({
  userId: asked.user_id,
  sessionId: asked.session_id,
  tags: asked.tags,
  asOf: asked.as_of === undefined ? Date.now() : Date.parse(asked.as_of),
});

const hitOf = ({ breakdown, ...hit }: Hit, namespace: string): MemoryHit => ({
  ...hit,
  namespace,
  score_breakdown: breakdown,
});

/** Memories for a query, with the causes they state. */
export async function orchestrate(
  env: Pick<Env, 'MEMORY'>,
  place: Place,
  asked: OrchestrateInput & { readonly requestId: string },
): Promise<OrchestrateAnswer> {
  const began = Date.now();
  const { query, context, top_k: limit, max_hops: hops, include_causal: withCauses } = asked;
  // The latest message is closest to the query.
  const text = [query, ...context.toReversed()].join('\n');
  const filters = filtersOf(asked);
  const found = await withMemory(env, place, async (memory) =>
    memory.orchestrate({
      query: await queryFor(text, 'hybrid', withCauses ? hops : 0),
      filters,
      offset: 0,
      limit,
      minScore: 0,
    }),
  );
  const edges = [...found.edges];
  const evidence = edges.flatMap(({ supports }) => supports.map((support) => support.evidence));
  const causalContext = [...new Set(evidence)];
  return {
    memories: found.hits.map((hit) => hitOf(hit, place.namespace)),
    causal_context: causalContext,
    causal_edges: edges,
    metadata: {
      request_id: asked.requestId,
      strategy: found.strategy,
      namespace: place.namespace,
      memory_count: found.hits.length,
      edge_count: edges.length,
      hops: found.hops,
      truncated: found.truncated,
      languages: languagesOf([...found.hits.map(({ content }) => content), ...causalContext]),
      as_of: new Date(filters.asOf).toISOString(),
      latency_ms: Date.now() - began,
    },
  };
}

/** By script; Han characters alone count as Japanese. */
const SCRIPTS: Readonly<Record<CausalLanguage, RegExp>> = {
  en: /\p{sc=Latin}/u,
  ja: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u,
};

/** The supported languages that some texts are written in. */
export function languagesOf(texts: readonly string[]): CausalLanguage[] {
  const languages = Object.keys(SCRIPTS) as CausalLanguage[];
  return languages.filter((language) => texts.some((text) => SCRIPTS[language].test(text)));
}

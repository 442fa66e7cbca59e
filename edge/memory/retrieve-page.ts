import * as z from 'zod/mini';
import type {
  MemoryHit,
  MemoryStrategy,
  RetrieveAnswer,
  RetrieveQuery,
} from './contract/search.ts';
import type { Env } from '../env.ts';
import { readPosition, writeCursor } from '../http/cursor.ts';
import type { Filters, Hit, Query } from './results.ts';
import { withMemory } from './memory-stub.ts';
import type { Place } from './owner.ts';
import { termsOf } from './query-terms.ts';
import { vectorOf } from './read-texts.ts';

/** Where a page of what was found begins, and for which time: later memories do not move the rest. */
const Position = z.tuple([
  z.int().check(z.nonnegative(), z.maximum(10_000)),
  z.int().check(z.nonnegative()),
]);

/** A plain search goes from causes that it found to what others say of them. */
const HOPS = 2;

/** A page of what a query finds. @throws Problem invalid_parameter for a cursor of another query */
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

/** A text in the forms in which it is looked for. */
export async function queryFor(
  text: string,
  strategy: MemoryStrategy,
  hops: number,
): Promise<Query> {
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

/** The filters of a query; what is asked without a time is asked as of now. */
export const filtersOf = (asked: AskedFilters): Filters => ({
  userId: asked.user_id,
  sessionId: asked.session_id,
  tags: asked.tags,
  asOf: asked.as_of === undefined ? Date.now() : Date.parse(asked.as_of),
});

export const hitOf = ({ breakdown, ...hit }: Hit, namespace: string): MemoryHit => ({
  ...hit,
  namespace,
  score_breakdown: breakdown,
});

import type { OrchestrateAnswer, OrchestrateInput } from './contract/search.ts';
import type { Env } from '../env.ts';
import { languagesOf } from './languages.ts';
import { withMemory } from './memory-stub.ts';
import type { Place } from './owner.ts';
import { filtersOf, hitOf, queryFor } from './retrieve-page.ts';

/** Memories for a query, and what they say of causes. */
export async function orchestrate(
  env: Pick<Env, 'MEMORY'>,
  place: Place,
  asked: OrchestrateInput & { readonly requestId: string },
): Promise<OrchestrateAnswer> {
  const began = Date.now();
  const { query, context, top_k: limit, max_hops: hops, include_causal: withCauses } = asked;
  // What was said last is nearest to what is asked now.
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

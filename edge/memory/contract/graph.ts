import * as z from 'zod/mini';
import { TimestampInput } from '../../contract/timestamp.ts';
import { MAX_CAUSAL_HOPS, MAX_CAUSAL_NODES } from './causal.ts';
import { inNamespace } from './memory.ts';
import { says, wholePattern } from '../../contract/schema-rules.ts';

const Node = z.string().check(z.minLength(1), z.maxLength(1_000));

/** An integer in a query. */
const count = (least: 0 | 1, most: number) =>
  z.pipe(
    z.string().check(
      z.regex(/^\d{1,6}$/, 'expected a whole number'),
      says(
        { pattern: wholePattern(least, most) },
        z.refine(
          (text) => Number(text) >= least && Number(text) <= most,
          `expected ${least} to ${most}`,
        ),
      ),
    ),
    z.transform(Number),
  );

/** The parameters of graph queries that may be repeated. */
export const GRAPH_LISTS = ['node'] as const;

/** The query of `GET /v1/memory/graph`. */
export const GraphQuery = z.strictObject({
  ...inNamespace,
  /** The causes or effects to start from; by default the most confident edges. */
  node: z.optional(z.array(Node).check(z.maxLength(16))),
  hops: z.prefault(count(0, MAX_CAUSAL_HOPS), '2'),
  direction: z.prefault(z.enum(['effects', 'causes', 'both']), 'both'),
  limit: z.prefault(count(1, MAX_CAUSAL_NODES), '100'),
  as_of: z.optional(TimestampInput),
});
export type GraphQuery = z.output<typeof GraphQuery>;

/** The query of `GET /v1/memory/nodes`: words of causes and effects. */
export const CausalNodeQuery = z.strictObject({
  ...inNamespace,
  q: Node,
  limit: z.prefault(count(1, 100), '10'),
  as_of: z.optional(TimestampInput),
});
export type CausalNodeQuery = z.output<typeof CausalNodeQuery>;

/** A cause or an effect that contains words of a query. */
export const FoundCausalNode = z.object({
  /** The normalised text, as queries of a graph or a path take it. */
  key: z.string(),
  /** The text in its most confident statement. */
  label: z.string(),
  /** The number of statements that name it. */
  statements: z.int(),
});
export type FoundCausalNode = z.infer<typeof FoundCausalNode>;

/** The response of `GET /v1/memory/nodes`: by the number of words contained, then of statements. */
export const FoundCausalNodes = z.object({ nodes: z.array(FoundCausalNode) });
export type FoundCausalNodes = z.infer<typeof FoundCausalNodes>;

/** The query of `GET /v1/memory/path`: from a cause to an effect. */
export const PathQuery = z.strictObject({
  ...inNamespace,
  from: Node,
  to: Node,
  hops: z.prefault(count(1, MAX_CAUSAL_HOPS), '8'),
  as_of: z.optional(TimestampInput),
});
export type PathQuery = z.output<typeof PathQuery>;

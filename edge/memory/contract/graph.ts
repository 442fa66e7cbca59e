import * as z from 'zod/mini';
import { TimestampInput } from '../../contract/timestamp.ts';
import { MOST_CAUSAL_HOPS, MOST_CAUSAL_NODES } from './causal.ts';
import { inNamespace } from './memory.ts';
import { says, wholePattern } from '../../contract/schema-rules.ts';

const Node = z.string().check(z.minLength(1), z.maxLength(1_000));

/** A whole number as a query writes it. */
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

/** The names in queries of the graph that may be repeated. */
export const GRAPH_LISTS = ['node'] as const;

/** The query of `GET /v1/memory/graph`. */
export const GraphQuery = z.strictObject({
  ...inNamespace,
  /** Causes or effects to begin with; the most confident edges where none is named. */
  node: z.optional(z.array(Node).check(z.maxLength(16))),
  hops: z.prefault(count(0, MOST_CAUSAL_HOPS), '2'),
  direction: z.prefault(z.enum(['effects', 'causes', 'both']), 'both'),
  limit: z.prefault(count(1, MOST_CAUSAL_NODES), '100'),
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

/** A cause or an effect that holds words of a query. */
export const FoundCausalNode = z.object({
  /** The normalised text, as a graph or a path is asked for. */
  key: z.string(),
  /** The text as its most confident statement has it. */
  label: z.string(),
  /** How often memories name it. */
  statements: z.int(),
});
export type FoundCausalNode = z.infer<typeof FoundCausalNode>;

/** What `GET /v1/memory/nodes` answers: those with most of the words first, of these the most named. */
export const FoundCausalNodes = z.object({ nodes: z.array(FoundCausalNode) });
export type FoundCausalNodes = z.infer<typeof FoundCausalNodes>;

/** The query of `GET /v1/memory/path`: from a cause to an effect. */
export const PathQuery = z.strictObject({
  ...inNamespace,
  from: Node,
  to: Node,
  hops: z.prefault(count(1, MOST_CAUSAL_HOPS), '8'),
  as_of: z.optional(TimestampInput),
});
export type PathQuery = z.output<typeof PathQuery>;

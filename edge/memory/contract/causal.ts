import * as z from 'zod/mini';
import { Timestamp } from '../../contract/timestamp.ts';

/** How a cause bears on its effect. `prevents` is the only one that speaks against the effect. */
export const CausalRelation = z.enum([
  'causes',
  'enables',
  'prevents',
  'contributes_to',
  'correlates',
]);
export type CausalRelation = z.infer<typeof CausalRelation>;

/** Languages that causes are read from. */
export const CausalLanguage = z.enum(['en', 'ja']);
export type CausalLanguage = z.infer<typeof CausalLanguage>;

/**
 * How a sentence joins cause and effect (docs/design/causal.md): A a predicate from cause to effect,
 * B a phrase or clause that depends on the other, C two clauses of one sentence, D two sentences,
 * E a predicate from effect to cause.
 */
export const CausalPattern = z.enum(['A', 'B', 'C', 'D', 'E']);
export type CausalPattern = z.infer<typeof CausalPattern>;

const Span = z.string().check(z.minLength(1));
const Confidence = z.number().check(z.gte(0), z.lte(1));

/** A stretch of a stored memory, word for word, that says so. */
export const CausalSupport = z.strictObject({
  memory_id: z.string(),
  evidence: Span,
  /** What this stretch alone is worth. */
  confidence: Confidence,
  language: CausalLanguage,
  pattern: CausalPattern,
  /** The words that were read as causal, as the text has them. */
  cue: z.string(),
});
export type CausalSupport = z.infer<typeof CausalSupport>;

/** One cause and one effect, with all that is known to say so. */
export const CausalEdge = z.strictObject({
  /** Words of the best evidence. */
  cause: Span,
  effect: Span,
  relation: CausalRelation,
  /** 1 - product of (1 - confidence) over distinct evidence. */
  confidence: Confidence,
  /** The best evidence, word for word: a sentence, or a sentence and the one before it. */
  evidence: Span,
  /** Every memory that says so, in the order of their ids. */
  evidence_memory_ids: z.array(z.string()),
  /** Distinct evidence, the most confident first; at most MOST_SUPPORTS of them. */
  supports: z.array(CausalSupport),
  /** Whether other memories say that the same cause prevents what this one says it brings. */
  contradicted: z.boolean(),
  /** From when on it is said to hold: the earliest of its memories. */
  valid_at: Timestamp,
  /** When the last of its memories ceased to hold; null while one does. */
  invalid_at: z.nullable(Timestamp),
});
export type CausalEdge = z.infer<typeof CausalEdge>;

/** What is the same cause or effect in other words is not known: nodes are equal up to case, width and spaces. */
export const CausalNode = z.strictObject({
  /** The normalised text. */
  key: Span,
  /** The text as its most confident edge has it. */
  label: Span,
  /** Edges that lead here and from here in the whole graph, also those not shown. */
  incoming: z.int().check(z.gte(0)),
  outgoing: z.int().check(z.gte(0)),
  /** Steps from the nodes that were asked for. */
  hops: z.int().check(z.gte(0)),
});
export type CausalNode = z.infer<typeof CausalNode>;

/** An edge between two nodes of a drawing. */
export const CausalLink = z.extend(CausalEdge, { from: Span, to: Span });
export type CausalLink = z.infer<typeof CausalLink>;

/** A neighbourhood: nodes by hops, then by key. */
export const CausalNeighbourhood = z.strictObject({
  nodes: z.array(CausalNode),
  links: z.array(CausalLink),
  /** Whether nodes were left out, there being more than were asked for or MOST_CAUSAL_NODES. */
  truncated: z.boolean(),
});
export type CausalNeighbourhood = z.infer<typeof CausalNeighbourhood>;

/** The way from one node to another with the fewest steps, the most confident of them; empty where there is none. */
export const CausalPath = z.strictObject({
  links: z.array(CausalLink),
  /** Product of the confidences of its steps; 0 where there is no way. */
  confidence: Confidence,
});
export type CausalPath = z.infer<typeof CausalPath>;

/** How many nodes a neighbourhood has at most. */
export const MOST_CAUSAL_NODES = 500;
/** How many hops a neighbourhood or a path may have. */
export const MOST_CAUSAL_HOPS = 16;
/** How much evidence is shown for one edge. */
export const MOST_SUPPORTS = 20;

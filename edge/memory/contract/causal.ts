import * as z from 'zod/mini';
import { Timestamp } from '../../contract/timestamp.ts';

/** The relation of a cause to its effect. Only `prevents` speaks against the effect. */
export const CausalRelation = z.enum([
  'causes',
  'enables',
  'prevents',
  'contributes_to',
  'correlates',
]);
export type CausalRelation = z.infer<typeof CausalRelation>;

/** Languages in which causes are recognised. */
export const CausalLanguage = z.enum(['en', 'ja']);
export type CausalLanguage = z.infer<typeof CausalLanguage>;

/**
 * The syntactic pattern (docs/design/causal.md): A a predicate from cause to effect, B a phrase or
 * clause that depends on the other, C two clauses of one sentence, D two sentences, E a predicate
 * from effect to cause.
 */
export const CausalPattern = z.enum(['A', 'B', 'C', 'D', 'E']);
export type CausalPattern = z.infer<typeof CausalPattern>;

const Span = z.string().check(z.minLength(1));
const Confidence = z.number().check(z.gte(0), z.lte(1));

/** A literal span of a stored memory that supports an edge. */
export const CausalSupport = z.strictObject({
  memory_id: z.string(),
  evidence: Span,
  /** The confidence of this span alone. */
  confidence: Confidence,
  language: CausalLanguage,
  pattern: CausalPattern,
  /** The causal words, as in the text. */
  cue: z.string(),
});
export type CausalSupport = z.infer<typeof CausalSupport>;

/** One cause and one effect, with all supporting evidence. */
export const CausalEdge = z.strictObject({
  /** In the words of the best evidence. */
  cause: Span,
  effect: Span,
  relation: CausalRelation,
  /** 1 - product of (1 - confidence) over distinct evidence. */
  confidence: Confidence,
  /** The best evidence, literally: a sentence, or a sentence and the one before it. */
  evidence: Span,
  /** Every supporting memory, in the order of their ids. */
  evidence_memory_ids: z.array(z.string()),
  /** Distinct evidence, the most confident first; at most MAX_SUPPORTS entries. */
  supports: z.array(CausalSupport),
  /**
   * Whether other memories state the opposite: prevention of what this edge brings about, or the
   * reverse.
   */
  contradicted: z.boolean(),
  /** The earliest time at which any of its memories holds. */
  valid_at: Timestamp,
  /** When the last of its memories ceases to hold; null while one does. */
  invalid_at: z.nullable(Timestamp),
});
export type CausalEdge = z.infer<typeof CausalEdge>;

/**
 * A node of the graph. Paraphrases are not recognised: nodes are equal up to case, width and
 * spaces.
 */
export const CausalNode = z.strictObject({
  /** The normalised text. */
  key: Span,
  /** The text in its most confident edge. */
  label: Span,
  /** The number of edges to and from it in the whole graph, including those not shown. */
  incoming: z.int().check(z.gte(0)),
  outgoing: z.int().check(z.gte(0)),
  /** Steps from the requested nodes. */
  hops: z.int().check(z.gte(0)),
});
export type CausalNode = z.infer<typeof CausalNode>;

/** An edge between two nodes of a neighbourhood. */
export const CausalLink = z.extend(CausalEdge, { from: Span, to: Span });
export type CausalLink = z.infer<typeof CausalLink>;

/** A neighbourhood: nodes by hops, then by key. */
export const CausalNeighbourhood = z.strictObject({
  nodes: z.array(CausalNode),
  links: z.array(CausalLink),
  /** Whether nodes were left out because of the requested limit or MAX_CAUSAL_NODES. */
  truncated: z.boolean(),
});
export type CausalNeighbourhood = z.infer<typeof CausalNeighbourhood>;

/**
 * The shortest path from one node to another, of several the most confident; empty where there is
 * none.
 */
export const CausalPath = z.strictObject({
  links: z.array(CausalLink),
  /** The product of its confidences; 0 where there is no path. */
  confidence: Confidence,
});
export type CausalPath = z.infer<typeof CausalPath>;

/** The maximum number of nodes in a neighbourhood. */
export const MAX_CAUSAL_NODES = 500;
/** The maximum number of hops of a neighbourhood or a path. */
export const MAX_CAUSAL_HOPS = 16;
/** The maximum number of supports shown for one edge. */
export const MAX_SUPPORTS = 20;

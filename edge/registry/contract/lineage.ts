import * as z from 'zod/mini';
import { Alias, isOneChoice } from './alias.ts';
import { Digest } from '../../contract/digest.ts';
import { Version } from '../../contract/semver.ts';

/** The maximum depth and number of nodes of a lineage. */
export const MAX_LINEAGE_DEPTH = 20;
export const MAX_LINEAGE_NODES = 500;

const Depth = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]|1\d|20)$/, 'expected a whole number from 1 to 20')),
  z.transform(Number),
);

/** The query of `GET /models/{id}/lineage`. */
export const LineageQuery = z
  .strictObject({
    version: z.optional(Version),
    alias: z.optional(Alias),
    /** Towards what it was made from (`up`), what was made from it (`down`), or both. */
    direction: z.prefault(z.enum(['up', 'down', 'both']), 'both'),
    /** How many generations to follow in each direction. */
    depth: z.prefault(Depth, '5'),
  })
  .check(isOneChoice);
export type LineageQuery = z.output<typeof LineageQuery>;

/**
 * A node of a lineage. A `version` is `deleted` where only its tombstone is left, and `unknown` where it
 * was named as a parent but never registered here.
 */
export const LineageNode = z.object({
  id: z.string(),
  kind: z.enum(['version', 'dataset', 'job', 'model_spec', 'tokenizer']),
  /** For people: `tiny 1.0.0`, the first digits of a digest, a job's id. */
  label: z.string(),
  state: z.enum(['present', 'deleted', 'unknown']),
  model_id: z.nullable(z.string()),
  version: z.nullable(Version),
  digest: z.nullable(Digest),
  job_id: z.nullable(z.string()),
  /** Generations from the requested version: negative for ancestors, positive for descendants. */
  generation: z.int(),
});
export type LineageNode = z.infer<typeof LineageNode>;

/** `source` was made from, on, by or with `target`. */
export const LineageEdge = z.object({
  id: z.string(),
  source: z.string(),
  target: z.string(),
  relation: z.enum(['derived_from', 'trained_on', 'produced_by', 'specified_by', 'tokenized_by']),
});
export type LineageEdge = z.infer<typeof LineageEdge>;

/**
 * The response of `GET /models/{id}/lineage`: a graph, possibly with cycles, that contains each node once.
 */
export const Lineage = z.object({
  model_id: z.string(),
  version: Version,
  /** The node of the requested version. */
  root: z.string(),
  depth: z.int(),
  /** Whether the graph continues beyond the limits of depth or nodes. */
  truncated: z.boolean(),
  nodes: z.array(LineageNode),
  edges: z.array(LineageEdge),
});
export type Lineage = z.infer<typeof Lineage>;

import * as z from 'zod/mini';

/** Whether a node is heard, and whether it is healthy. */
export const DiscoveryStatus = z.enum(['active', 'inactive', 'error']);
export type DiscoveryStatus = z.infer<typeof DiscoveryStatus>;

/** A node of the distributed brain, as discovery knows it. */
export const NodeInfo = z.object({
  node_id: z.string(),
  /** pfc, lang-main, visual, audio, motor and others. */
  module_type: z.string(),
  host: z.string(),
  status: DiscoveryStatus,
  /** Epoch seconds. */
  last_seen: z.number(),
  /** From 0 to 1: the free processor, memory and disk, and how recently it was heard. */
  health_score: z.number(),
  region_id: z.string(),
  /** Who publishes for it, where the platform's own broker heard it. */
  owner: z.optional(z.string()),
  /** Whether its key has `geo:node`, so that it counts in the health of its region. */
  evidence: z.optional(z.boolean()),
  /** Metadata that the node reports, with `phi`: the suspicion level of its failure detector. */
  metadata: z.record(z.string(), z.unknown()),
});
export type NodeInfo = z.infer<typeof NodeInfo>;

/** The number of nodes; those in error count in the total only. */
export const NodeCount = z.object({ active: z.int(), inactive: z.int(), total: z.int() });
export type NodeCount = z.infer<typeof NodeCount>;

/** A node in a list for people. */
export const UiNode = z.object({
  node_id: z.string(),
  type: z.string(),
  host: z.string(),
  status: DiscoveryStatus,
  status_icon: z.string(),
  /** The time of day in UTC. */
  last_seen: z.string(),
  /** How long ago that was, such as "1.2s ago". */
  uptime: z.string(),
  owner: z.optional(z.string()),
  evidence: z.optional(z.boolean()),
  metadata: z.record(z.string(), z.unknown()),
});
export type UiNode = z.infer<typeof UiNode>;

/** All nodes as a list for people. */
export const UiExport = z.object({
  nodes: z.array(UiNode),
  summary: NodeCount,
  /** The time of day in UTC. */
  updated_at: z.string(),
});
export type UiExport = z.infer<typeof UiExport>;

/**
 * A route that prompts can take. `id`, `source` and `target` are required by Grafana's node graph.
 */
export const TopologyEdge = z.object({
  id: z.string(),
  source: z.string(),
  target: z.string(),
  relation: z.enum(['routes_to', 'fallback', 'same_region']),
  topic: z.string(),
  status: z.enum(['up', 'down']),
  /** One way, as the target measures it; null where it does not. */
  latency_ms: z.nullable(z.number()),
  /** The weight of the target among others. */
  weight: z.number(),
  mainstat: z.string(),
});
export type TopologyEdge = z.infer<typeof TopologyEdge>;

/** The nodes and the routes between them. */
export const Topology = z.object({
  nodes: z.array(NodeInfo),
  edges: z.array(TopologyEdge),
  /** Epoch seconds. */
  timestamp: z.number(),
});
export type Topology = z.infer<typeof Topology>;

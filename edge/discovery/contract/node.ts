import * as z from 'zod/mini';

/** Whether a node is heard, and whether it is well. */
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
  /** From 0 to 1: what is left of processor, memory and disk, and how lately it was heard. */
  health_score: z.number(),
  region_id: z.string(),
  /** Who speaks for it, where the platform's own broker heard it. */
  owner: z.optional(z.string()),
  /** Whether its key has `geo:node`: what it says counts in the health of its region. */
  evidence: z.optional(z.boolean()),
  /** What it says of itself, with `phi`: how much its silence is out of the ordinary. */
  metadata: z.record(z.string(), z.unknown()),
});
export type NodeInfo = z.infer<typeof NodeInfo>;

/** How many nodes there are; those in error count in the total only. */
export const NodeCount = z.object({ active: z.int(), inactive: z.int(), total: z.int() });
export type NodeCount = z.infer<typeof NodeCount>;

/** A node as a list for people shows it. */
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

/** All nodes as a list for people shows them. */
export const UiExport = z.object({
  nodes: z.array(UiNode),
  summary: NodeCount,
  /** The time of day in UTC. */
  updated_at: z.string(),
});
export type UiExport = z.infer<typeof UiExport>;

/** A way that prompts can take. `id`, `source` and `target` are what Grafana's node graph asks for. */
export const TopologyEdge = z.object({
  id: z.string(),
  source: z.string(),
  target: z.string(),
  relation: z.enum(['routes_to', 'fallback', 'same_region']),
  topic: z.string(),
  status: z.enum(['up', 'down']),
  /** One way, as the target measures it; null where it does not. */
  latency_ms: z.nullable(z.number()),
  /** How good the target is among others. */
  weight: z.number(),
  mainstat: z.string(),
});
export type TopologyEdge = z.infer<typeof TopologyEdge>;

/** The nodes and the ways between them. */
export const Topology = z.object({
  nodes: z.array(NodeInfo),
  edges: z.array(TopologyEdge),
  /** Epoch seconds. */
  timestamp: z.number(),
});
export type Topology = z.infer<typeof Topology>;

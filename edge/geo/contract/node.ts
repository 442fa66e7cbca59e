import * as z from 'zod/mini';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { Team } from '../../contract/team.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { Epoch, RegionId } from './region.ts';
import { says } from '../../contract/schema-rules.ts';

export const NodeId = z
  .string()
  .check(
    z.regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/, 'expected 1 to 128 of A-Z a-z 0-9 . _ : -'),
  );
export type NodeId = z.infer<typeof NodeId>;

/** The maximum number of nodes in a region. */
export const MAX_NODES = 10_000;

export const NodeType = z.enum(['general', 'gpu', 'scheduler', 'storage']);
export type NodeType = z.infer<typeof NodeType>;

/** A name, an IPv4 address or an IPv6 address in brackets, and a port. */
export const NodeEndpoint = z.string().check(
  z.maxLength(270),
  z.regex(
    /^(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253}):(?:[0-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/,
    'expected host:port',
  ),
  z.refine(
    (text) => Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535,
    'expected a port up to 65535',
  ),
);

export const NodeStatus = z.enum(['online', 'offline', 'draining']);
export type NodeStatus = z.infer<typeof NodeStatus>;

/**
 * The result of the last probe of a node. `pending`: none yet; a node that sends heartbeats is not
 * probed. `not probed`: its endpoint is forbidden by TARGET_ALLOWLIST, or by ANNOUNCED_ALLOWLIST
 * for a node that announced itself, so its heartbeats alone decide.
 */
export const NodeProbe = z.enum(['pending', 'answered', 'failed', 'not probed']);
export type NodeProbe = z.infer<typeof NodeProbe>;

/**
 * The body of `POST /api/geo/nodes`. An endpoint that the platform may not probe (TARGET_ALLOWLIST)
 * is accepted, and the node is judged by its heartbeats alone: without any it is offline 5 s later.
 */
export const NodeInput = z.strictObject({
  node_id: NodeId,
  region_id: RegionId,
  endpoint: NodeEndpoint,
  node_type: z.prefault(NodeType, 'general'),
});
export type NodeInput = z.output<typeof NodeInput>;
/** A node as a client sends it. */
export type NewNode = z.input<typeof NodeInput>;

export const GeoNode = z.object({
  node_id: NodeId,
  team: Team,
  /** The key that registered it, or announced it first. */
  owner: z.string(),
  region_id: RegionId,
  endpoint: z.string(),
  node_type: NodeType,
  status: NodeStatus,
  probe: NodeProbe,
  registered_at: Timestamp,
  /** The time of its registration, its last heartbeat, or its last successful probe. */
  last_seen: Timestamp,
});
export type GeoNode = z.infer<typeof GeoNode>;

/** The query of `GET /api/geo/nodes`. */
export const NodeQuery = z.strictObject({
  region_id: z.optional(RegionId),
  status: z.optional(NodeStatus),
  /** For operators, who see the nodes of all teams; other callers see those of their own. */
  team: z.optional(Team),
  limit: z.prefault(PageSize, '20'),
  cursor: z.optional(Cursor),
});
export type NodeQuery = z.output<typeof NodeQuery>;

/** The response of `GET /api/geo/nodes`, the latest registration first. */
export const NodeList = z.object({ nodes: z.array(GeoNode), total: z.int(), ...pageMembers });
export type NodeList = z.infer<typeof NodeList>;

export const NodeDeleted = z.object({ status: z.literal('deleted'), node_id: NodeId });
export type NodeDeleted = z.infer<typeof NodeDeleted>;

const Milliseconds = z.number().check(z.gte(0), z.lte(60_000));

/**
 * The body of `POST /api/geo/nodes/{node_id}/heartbeat`, for nodes without MQTT: a heartbeat and
 * the node's measurements. With the `epoch` it acts under, a node whose region was replaced is
 * notified.
 */
export const NodeHeartbeat = z.strictObject({
  /** The node's response time. */
  latency_ms: z.optional(Milliseconds),
  /** Round trips to nodes of other regions. */
  round_trips_ms: z.optional(
    z.record(RegionId, Milliseconds).check(
      says(
        { maxProperties: 100 },
        z.refine((trips) => Object.keys(trips).length <= 100, 'expected at most 100 regions'),
      ),
    ),
  ),
  epoch: z.optional(Epoch),
});
export type NodeHeartbeat = z.output<typeof NodeHeartbeat>;

export const NodeHeartbeatAnswer = z.object({
  node_id: NodeId,
  region_id: RegionId,
  status: NodeStatus,
  active_region: z.nullable(RegionId),
  epoch: z.int(),
});
export type NodeHeartbeatAnswer = z.infer<typeof NodeHeartbeatAnswer>;

import type { NodeInfo } from '../contract/discovery/node.ts';
import { NodeEndpoint, NodeHeartbeat } from '../contract/geo/node.ts';
import type { Env } from '../env.ts';
import { geoOf } from '../geo/geo-stub.ts';
import type { NodeSeen } from '../geo/node-activity.ts';

/** How often the Geo object is told of heartbeats. */
const EVERY_MS = 1_000;
/** When it is told again of nodes that are in no region of it. */
const UNKNOWN_MS = 30_000;
/** A node that is inactive sooner after its last heartbeat said that it goes, or its will did. */
const TIMEOUT_MS = 5_000;

type Bound = Pick<Env, 'GEO' | 'GEO_NODE_MANAGER'>;

/** Tells the Geo object which nodes are heard: the health of regions is made of that. */
export class GeoTeller {
  readonly #env: Bound;
  readonly #nodes: () => readonly NodeInfo[];
  #nextAt = 0;

  constructor(env: Bound, nodes: () => readonly NodeInfo[]) {
    this.#env = env;
    this.#nodes = nodes;
  }

  /** As a heartbeat arrives, each second at most; at once where a node came, went or is unwell. */
  async tell(now: number, isNews: boolean): Promise<void> {
    if (now < this.#nextAt && !isNews) return;
    this.#nextAt = now + EVERY_MS;
    try {
      const seen = this.#nodes().map((node) => seenOf(node, now));
      const isOurs = await geoOf(this.#env).report(seen);
      if (!isOurs) this.#nextAt = now + UNKNOWN_MS;
    } catch (error) {
      // The next heartbeat tells it all again.
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'geo_not_told', text }));
    }
  }
}

/** A node as the regions see it; what it says of itself is taken where it has the form of a heartbeat. */
export function seenOf(
  { node_id, region_id, host, metadata, ...node }: NodeInfo,
  now: number,
): NodeSeen {
  const lastSeen = node.last_seen * 1000;
  const hasLeft = node.status === 'inactive' && now - lastSeen < TIMEOUT_MS;
  const { latency_ms, round_trips_ms } = metadata;
  const measured = NodeHeartbeat.safeParse({ latency_ms, round_trips_ms });
  return {
    node_id,
    region_id: region_id === '' ? null : region_id,
    endpoint: NodeEndpoint.safeParse(host).data ?? null,
    status: node.status === 'active' ? 'active' : hasLeft ? 'left' : 'inactive',
    last_seen: lastSeen,
    ...(measured.data?.latency_ms !== undefined && { latency_ms: measured.data.latency_ms }),
    ...(measured.data?.round_trips_ms && { round_trips_ms: measured.data.round_trips_ms }),
  };
}

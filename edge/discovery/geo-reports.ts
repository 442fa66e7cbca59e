import { type NodeState, TIMEOUT_MS } from '../contract/discovery/node-machine.ts';
import type { NodeTable } from '../contract/discovery/node-table.ts';
import { DEFAULT_NAMESPACE } from '../contract/discovery-endpoints.ts';
import { NodeEndpoint } from '../contract/geo/node.ts';
import { geoOf } from '../geo/geo-stub.ts';
import type { NodeSeen } from '../geo/node-activity.ts';
import type { Env } from '../env.ts';

/** How often the Geo object is told of nodes, while any are heard. */
const TELL_EVERY_MS = 1_000;

/** Tells the Geo object, which judges regions by the nodes of the one brain that everybody has. */
export class GeoReports {
  readonly #env: Env;
  readonly #nodes: NodeTable;
  #toldAt = 0;

  constructor(env: Env, nodes: NodeTable) {
    this.#env = env;
    this.#nodes = nodes;
  }

  /** When it is told next; Infinity while there is nothing to tell. */
  nextDue(namespace: string | undefined): number {
    const isHeard = this.#nodes.heardSince(Date.now() - TIMEOUT_MS).length > 0;
    const isOurs = namespace === DEFAULT_NAMESPACE;
    return isHeard && isOurs ? this.#toldAt + TELL_EVERY_MS : Infinity;
  }

  /** Tells who was heard and who has left since the last time, where that is due. */
  async tell(namespace: string | undefined): Promise<void> {
    const now = Date.now();
    if (now < this.nextDue(namespace)) return;
    const heard = this.#nodes.heardSince(Math.max(this.#toldAt, now - TIMEOUT_MS));
    this.#toldAt = now;
    if (heard.length === 0) return;
    try {
      await geoOf(this.#env).report(heard.map(seenOf));
    } catch (error) {
      // The next second tells it again.
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'geo_not_told', text }));
    }
  }
}

/** A node as the regions see it: reached at the `endpoint` that it names, or at its host where that has a port. */
export function seenOf(state: NodeState): NodeSeen {
  const { nodeId, regionId, host, announced, metadata, heardAt, leftAt } = state;
  const { endpoint, latency_ms: latency, round_trips_ms: trips } = { ...announced, ...metadata };
  return {
    node_id: nodeId,
    region_id: regionId === '' ? null : regionId,
    endpoint: NodeEndpoint.safeParse(endpoint ?? host).data ?? null,
    status: leftAt === undefined ? 'active' : 'left',
    last_seen: heardAt,
    ...(isTime(latency) && { latency_ms: latency }),
    ...(isTimes(trips) && { round_trips_ms: trips }),
  };
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const isTimes = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isTime);

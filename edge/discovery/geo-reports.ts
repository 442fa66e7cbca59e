import { type NodeState, TIMEOUT_MS } from './contract/node-machine.ts';
import type { NodeTable } from './contract/node-table.ts';
import { DEFAULT_NAMESPACE } from './endpoints.ts';
import { NodeEndpoint } from '../geo/contract/node.ts';
import { geoOf } from '../geo/geo-stub.ts';
import type { NodeSeen } from '../geo/node-activity.ts';
import type { NodeSpeakers } from './node-speakers.ts';
import type { Env } from '../env.ts';
import type { Ownership } from '../http/ownership.ts';
import type { Brain } from './store.ts';

/** How often the Geo object is told of nodes, while any are heard. */
const TELL_EVERY_MS = 1_000;

/**
 * Tells the Geo object, which judges regions by the nodes of the one brain that every team has. Nodes
 * whose key lacks `geo:node` are no evidence: it never hears of them.
 */
export class GeoReports {
  readonly #env: Env;
  readonly #nodes: NodeTable;
  readonly #speakers: NodeSpeakers;
  #toldAt = 0;

  constructor(env: Env, nodes: NodeTable, speakers: NodeSpeakers) {
    this.#env = env;
    this.#nodes = nodes;
    this.#speakers = speakers;
  }

  /** When it is told next; Infinity while there is nothing to tell. */
  nextDue(brain: Brain | undefined): number {
    const isHeard = this.#evidenceSince(Date.now() - TIMEOUT_MS).length > 0;
    const isOurs = brain?.namespace === DEFAULT_NAMESPACE;
    return isHeard && isOurs ? this.#toldAt + TELL_EVERY_MS : Infinity;
  }

  /** Tells who was heard and who has left since the last time, where that is due. */
  async tell(brain: Brain | undefined): Promise<void> {
    const now = Date.now();
    if (!brain || now < this.nextDue(brain)) return;
    const heard = this.#evidenceSince(Math.max(this.#toldAt, now - TIMEOUT_MS));
    this.#toldAt = now;
    if (heard.length === 0) return;
    try {
      const { team } = brain;
      await geoOf(this.#env).report(
        heard.map((state) => seenOf(state, { team, owner: this.#speakers.of(state.nodeId).owner })),
      );
    } catch (error) {
      // The next second tells it again.
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'geo_not_told', text }));
    }
  }

  #evidenceSince(time: number): readonly NodeState[] {
    const heard = this.#nodes.heardSince(time);
    return heard.filter(({ nodeId }) => this.#speakers.of(nodeId).isEvidence);
  }
}

/** A node as the regions see it: reached at the `endpoint` that it names, or at its host where that has a port. */
export function seenOf(state: NodeState, whose: Ownership): NodeSeen {
  const { nodeId, regionId, host, announced, metadata, heardAt, leftAt } = state;
  const { endpoint, latency_ms: latency, round_trips_ms: trips } = { ...announced, ...metadata };
  return {
    ...whose,
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

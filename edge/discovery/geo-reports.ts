import type { Env } from '../env.ts';
import { NodeEndpoint } from '../geo/contract/node.ts';
import { geoOf } from '../geo/geo-stub.ts';
import type { NodeSeen } from '../geo/nodes.ts';
import type { Ownership } from '../http/ownership.ts';
import { type NodeState, TIMEOUT_MS } from './contract/node-machine.ts';
import { DEFAULT_NAMESPACE } from './endpoints.ts';
import type { NodeRegistry } from './node-registry.ts';
import type { Brain } from './store.ts';

/** How often nodes are reported to the Geo object while any are heard. */
const REPORT_EVERY_MS = 1_000;

/**
 * Reports nodes to the Geo object, which judges regions by the nodes of each team's default brain.
 * Nodes whose key lacks `geo:node` are no evidence and are never reported.
 */
export class GeoReporter {
  readonly #env: Env;
  readonly #nodes: NodeRegistry;
  #reportedAt = 0;

  constructor(env: Env, nodes: NodeRegistry) {
    this.#env = env;
    this.#nodes = nodes;
  }

  /** When the next report is due; Infinity while there is nothing to report. */
  nextDue(brain: Brain | undefined): number {
    const isDefault = brain?.namespace === DEFAULT_NAMESPACE;
    return isDefault && this.#nodes.hasEvidence() ? this.#reportedAt + REPORT_EVERY_MS : Infinity;
  }

  /** Reports the nodes that were heard, or have left, since the last report, where one is due. */
  async report(brain: Brain | undefined): Promise<void> {
    const now = Date.now();
    if (!brain || now < this.nextDue(brain)) return;
    const evidence = this.#nodes.evidenceSince(Math.max(this.#reportedAt, now - TIMEOUT_MS));
    this.#reportedAt = now;
    if (evidence.length === 0) return;
    const { team } = brain;
    const ownershipOf = ({ nodeId }: NodeState): Ownership => ({
      team,
      owner: this.#nodes.publisherOf(nodeId).owner,
    });
    try {
      await geoOf(this.#env).report(evidence.map((state) => seenOf(state, ownershipOf(state))));
    } catch (error) {
      // The next report, a second later, covers it.
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'geo_report_failed', text }));
    }
  }
}

/** A node as the regions see it, reached at the `endpoint` it announces, or at its host where that has a port. */
function seenOf(state: NodeState, ownership: Ownership): NodeSeen {
  const { nodeId, regionId, host, announced, metadata, heardAt, leftAt } = state;
  const { endpoint, latency_ms: latency, round_trips_ms: trips } = { ...announced, ...metadata };
  return {
    ...ownership,
    node_id: nodeId,
    region_id: regionId === '' ? null : regionId,
    endpoint: NodeEndpoint.safeParse(endpoint ?? host).data ?? null,
    status: leftAt === undefined ? 'active' : 'left',
    last_seen: heardAt,
    ...(isDuration(latency) && { latency_ms: latency }),
    ...(areDurations(trips) && { round_trips_ms: trips }),
  };
}

const isDuration = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const areDurations = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isDuration);

import type { DiscoveryStatus, NodeInfo } from './node.ts';
import {
  announce,
  applyHeartbeat,
  leave,
  leftOut,
  malformedHeartbeat,
  type NodeState,
  REAP_MS,
  statusAt,
  TIMEOUT_MS,
} from './node-machine.ts';
import { type Heartbeat, parseAnnouncement, parseHeartbeat } from './node-message.ts';
import { infoOf } from './node-views.ts';
import { nodeTopicOf } from './topics.ts';

/** A change of a node's status. */
export interface NodeChange {
  readonly nodeId: string;
  readonly from: DiscoveryStatus | 'unknown';
  readonly to: DiscoveryStatus | 'forgotten';
}

interface NodeTableOptions {
  readonly regionId: string;
  /** How long a node may be silent, in milliseconds. */
  readonly timeoutMs?: number;
  readonly maxNodes?: number;
  readonly stored?: readonly NodeState[];
}

/** The maximum number of nodes per region. */
const MAX_NODES = 10_000;

/** All nodes by their messages. It has no clock: the time is a parameter of every call. */
export class NodeTable {
  readonly #nodes = new Map<string, NodeState>();
  /** The region of nodes that state none. */
  regionId: string;
  readonly #timeoutMs: number;
  readonly #maxNodes: number;

  constructor({
    regionId,
    timeoutMs = TIMEOUT_MS,
    maxNodes = MAX_NODES,
    stored = [],
  }: NodeTableOptions) {
    this.regionId = regionId;
    this.#timeoutMs = timeoutMs;
    this.#maxNodes = maxNodes;
    for (const state of stored) this.#nodes.set(state.nodeId, state);
  }

  get size(): number {
    return this.#nodes.size;
  }

  state(nodeId: string): NodeState | undefined {
    return this.#nodes.get(nodeId);
  }

  /** The status of a node at a time; undefined where it is unknown. */
  statusOf(nodeId: string, now: number): DiscoveryStatus | undefined {
    const known = this.#nodes.get(nodeId);
    return known && statusAt(known, now, this.#timeoutMs);
  }

  /**
   * Applies a message on one of the nodes' topics.
   *
   * @returns the change, if any: a new node, another status, or an announcement
   */
  receive(topic: string, payload: Uint8Array, now: number): NodeChange | undefined {
    const about = nodeTopicOf(topic);
    switch (about?.kind) {
      case 'heartbeat':
        return this.#heartbeat(about.nodeId, payload, now);
      case 'announce':
        return this.#announce(payload, now);
      case 'leave':
        return this.#leave(about.nodeId, now);
      case undefined:
        return undefined;
    }
  }

  /**
   * Finds nodes that have been silent for too long. It may be called at any time, late or twice.
   */
  sweep(now: number): readonly NodeChange[] {
    const changes: NodeChange[] = [];
    for (const state of this.#nodes.values()) {
      const { nodeId, status: from, heardAt } = state;
      if (now - heardAt >= REAP_MS) {
        this.#nodes.delete(nodeId);
        changes.push({ nodeId, from, to: 'forgotten' });
      } else if (from !== 'inactive' && statusAt(state, now, this.#timeoutMs) === 'inactive') {
        this.#nodes.set(nodeId, leave(state));
        changes.push({ nodeId, from, to: 'inactive' });
      }
    }
    return changes;
  }

  /** When `sweep` finds something next, if nothing is heard until then. */
  nextDue(): number {
    let next = Infinity;
    for (const { status, heardAt } of this.#nodes.values()) {
      next = Math.min(next, heardAt + (status === 'inactive' ? REAP_MS : this.#timeoutMs));
    }
    return next;
  }

  /** Nodes that were heard, or have left, since a time. */
  heardSince(time: number): readonly NodeState[] {
    return [...this.#nodes.values()].filter(
      ({ heardAt, leftAt = -Infinity }) => Math.max(heardAt, leftAt) >= time,
    );
  }

  /** All nodes as of a time. */
  infos(now: number): readonly NodeInfo[] {
    return [...this.#nodes.values()].map((state) => infoOf(state, now, this.#timeoutMs));
  }

  #heartbeat(nodeId: string, payload: Uint8Array, now: number): NodeChange | undefined {
    const known = this.#nodes.get(nodeId);
    const heartbeat = parseHeartbeat(payload);
    if (heartbeat?.node_id !== nodeId)
      return known && this.#put(malformedHeartbeat(known, now), known);
    return this.#applyHeartbeat(known, heartbeat, now);
  }

  #applyHeartbeat(
    known: NodeState | undefined,
    heartbeat: Heartbeat,
    now: number,
  ): NodeChange | undefined {
    if (!known && this.#nodes.size >= this.#maxNodes) return undefined;
    const state = applyHeartbeat(known, heartbeat, { now, regionId: this.regionId });
    if (state) return this.#put(state, known);
    if (known) this.#nodes.set(known.nodeId, leftOut(known, heartbeat.timestamp, now));
    return undefined;
  }

  #announce(payload: Uint8Array, now: number): NodeChange | undefined {
    const heartbeat = parseAnnouncement(payload);
    if (!heartbeat) return undefined;
    const known = this.#nodes.get(heartbeat.node_id);
    if (!known && this.#nodes.size >= this.#maxNodes) return undefined;
    const state = announce(known, heartbeat, { now, regionId: this.regionId });
    this.#nodes.set(state.nodeId, state);
    return { nodeId: state.nodeId, from: known?.status ?? 'unknown', to: state.status };
  }

  #leave(nodeId: string, now: number): NodeChange | undefined {
    const known = this.#nodes.get(nodeId);
    return known && this.#put(leave(known, now), known);
  }

  /** A change starts from the status last reported, even where silence has changed it since. */
  #put(state: NodeState, known: NodeState | undefined): NodeChange | undefined {
    this.#nodes.set(state.nodeId, state);
    const from = known?.status ?? 'unknown';
    return from === state.status ? undefined : { nodeId: state.nodeId, from, to: state.status };
  }
}

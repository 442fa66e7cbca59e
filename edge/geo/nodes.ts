import type { Ownership } from '../http/ownership.ts';
import { MAX_NODES, type NodeHeartbeat, type NodeInput, type NodeQuery } from './contract/node.ts';
import { nodeKey } from './node-index.ts';
import type { GeoRepository } from './repository.ts';
import type { HeartbeatResult, NodePage, NodeResult } from './state.ts';

/** A discovered, unregistered node is forgotten after this time (as in Consul). */
const REAP_AFTER_MS = 72 * 3_600_000;

/** The sender of a heartbeat over HTTP, and whether it may replace others of its team. */
export interface HeartbeatSender extends Ownership {
  readonly isAdmin: boolean;
}

/** The nodes: registered, or found by their heartbeats. */
export class GeoNodes {
  readonly #repository: GeoRepository;

  constructor(repository: GeoRepository) {
    this.#repository = repository;
  }

  create(input: NodeInput, whose: Ownership): NodeResult {
    const { nodes, state, store } = this.#repository;
    const key = nodeKey(whose.team, input.node_id);
    if (!state.regions.has(input.region_id)) return { kind: 'no-region' };
    if (nodes.get(key)) return { kind: 'exists' };
    if (nodes.countIn(input.region_id) >= MAX_NODES) return { kind: 'full' };
    const now = Date.now();
    const node = store.addNode({
      ...input,
      ...whose,
      node_id: key,
      sender: null,
      registeredAt: now,
      lastSeen: now,
      hasHeartbeats: false,
      isRegistered: true,
    });
    nodes.add(node);
    this.#repository.noteNodes(now);
    return { kind: 'done', node: this.#repository.node(node, now) };
  }

  /** @param key the node's name qualified by its team, see `nodeKey` */
  remove(key: string): boolean {
    const { nodes, store } = this.#repository;
    if (!nodes.get(key)) return false;
    store.removeNode(key);
    nodes.remove(key);
    this.#repository.noteNodes(Date.now());
    return true;
  }

  /** The latest registered first; `before` is the `next` of the previous page. */
  list({ region_id, status, team, limit }: Omit<NodeQuery, 'cursor'>, before: number): NodePage {
    const now = Date.now();
    const { nodes } = this.#repository;
    const chosen = region_id === undefined ? nodes.all() : nodes.in(region_id);
    const matching = chosen
      .filter((stored) => team === undefined || stored.team === team)
      .toSorted((a, b) => b.seq - a.seq)
      .map((stored) => ({ seq: stored.seq, node: this.#repository.node(stored, now) }))
      .filter(({ node }) => status === undefined || node.status === status);
    const rest = matching.filter(({ seq }) => seq < before);
    const shown = rest.slice(0, limit);
    return {
      nodes: shown.map(({ node }) => node),
      total: matching.length,
      next: rest.length > shown.length ? shown.at(-1)?.seq : undefined,
    };
  }

  /**
   * Applies a heartbeat sent over HTTP; one under an older epoch counts, and the sender is
   * notified.
   */
  heartbeat(nodeId: string, heartbeat: NodeHeartbeat, by: HeartbeatSender): HeartbeatResult {
    const { nodes, state } = this.#repository;
    const now = Date.now();
    const key = nodeKey(by.team, nodeId);
    const node = nodes.get(key);
    if (!node) return { kind: 'no-node' };
    if (!by.isAdmin && !nodes.acceptsFrom(key, by.owner, now)) {
      return { kind: 'others', sender: node.sender ?? '' };
    }
    this.#recordHeartbeat(key, now, { ...heartbeat, owner: by.owner });
    const { active, epoch } = state;
    if (heartbeat.epoch !== undefined && heartbeat.epoch < epoch)
      return { kind: 'stale', epoch, active };
    const { region_id, status } = this.#repository.node(node, now);
    return {
      kind: 'done',
      answer: { node_id: nodeId, region_id, status, active_region: active, epoch },
    };
  }

  /**
   * Applies reports of discovery; nodes in one of our regions join it.
   *
   * @returns whether any of them is in one
   */
  report(seen: readonly NodeSeen[]): boolean {
    const now = Date.now();
    const keyed = seen.map((node) => ({ ...node, node_id: nodeKey(node.team, node.node_id) }));
    const ours = keyed.filter((node) => this.#isKnown(node, now));
    for (const node of ours) {
      if (node.status === 'left') this.#repository.nodes.leave(node.node_id, node.last_seen);
      // An inactive or unhealthy node counts as silent.
      if (node.status === 'active')
        this.#recordHeartbeat(node.node_id, Math.min(node.last_seen, now), node);
    }
    return ours.length > 0;
  }

  /** Forgets unregistered nodes that have been silent for days. */
  reap(now: number): void {
    for (const { node_id, isRegistered, lastSeen } of this.#repository.nodes.all()) {
      if (!isRegistered && now - lastSeen > REAP_AFTER_MS) this.remove(node_id);
    }
  }

  #recordHeartbeat(
    nodeId: string,
    at: number,
    {
      latency_ms,
      round_trips_ms,
      owner: sender,
    }: Pick<NodeHeartbeat, 'latency_ms' | 'round_trips_ms'> & Pick<Ownership, 'owner'>,
  ): void {
    const { nodes, store, trips } = this.#repository;
    const isFirst = nodes.recordHeartbeat(nodeId, { at, sender, latencyMs: latency_ms });
    const node = nodes.get(nodeId);
    if (!node) return;
    if (round_trips_ms) trips.report(node.region_id, round_trips_ms, at);
    // From here on its silence counts, also after a restart.
    if (isFirst) store.putSeen([node]);
  }

  /**
   * Whether a node is one of ours: a discovered one joins the region it names, and moves with it.
   */
  #isKnown(seen: NodeSeen, now: number): boolean {
    const { nodes, state } = this.#repository;
    const { node_id, region_id, status } = seen;
    const known = nodes.get(node_id);
    if (known && !nodes.acceptsFrom(node_id, seen.owner, now)) return false;
    if (known && (known.isRegistered || known.region_id === region_id)) return true;
    if (region_id === null || !state.regions.has(region_id) || status !== 'active') {
      return known !== undefined;
    }
    if (nodes.countIn(region_id) >= MAX_NODES) return false;
    this.remove(node_id);
    this.#join({ ...seen, region_id }, now);
    return true;
  }

  #join(seen: NodeSeen & { readonly region_id: string }, now: number): void {
    const { nodes, store } = this.#repository;
    nodes.add(
      store.addNode({
        node_id: seen.node_id,
        owner: seen.owner,
        team: seen.team,
        sender: null,
        region_id: seen.region_id,
        endpoint: seen.endpoint ?? '',
        node_type: 'general',
        registeredAt: now,
        lastSeen: seen.last_seen,
        hasHeartbeats: true,
        isRegistered: false,
      }),
    );
    this.#repository.noteNodes(now);
  }
}

/**
 * The activity of a node by its heartbeats, reported to the Geo object by the broker that receives
 * them, each second while there are any.
 */
export interface NodeSeen {
  readonly node_id: string;
  /** The owner of a key with `geo:node`, or another holder of that scope. */
  readonly owner: string;
  readonly team: string;
  /** Null where the node states no region: then it belongs to none of ours. */
  readonly region_id: string | null;
  /** host:port, with which an unregistered node joins its region. */
  readonly endpoint: string | null;
  /** `left`: it announced that it leaves, or its connection broke and its will was published. */
  readonly status: 'active' | 'inactive' | 'left';
  /** The last heartbeat, in epoch milliseconds. */
  readonly last_seen: number;
  /** Its response time, where it reports one. */
  readonly latency_ms?: number;
  /** Round trips to nodes of other regions, where it measures them. */
  readonly round_trips_ms?: Readonly<Record<string, number>>;
}

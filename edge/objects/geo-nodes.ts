import {
  MOST_NODES,
  type NodeHeartbeat,
  type NodeInput,
  type NodeQuery,
} from '../contract/geo/node.ts';
import type { NodeSeen } from '../geo/node-activity.ts';
import { nodeKey } from '../geo/node-book.ts';
import type { Ownership } from '../http/ownership.ts';
import type { GeoBook } from './geo-book.ts';
import type { HeartbeatResult, NodePage, NodeResult } from './geo-results.ts';

/** A node that discovery found and nobody registered is forgotten after so long (Consul's habit). */
const REAP_AFTER_MS = 72 * 3_600_000;

/** Who sends a heartbeat over HTTP, and whether he may in place of others of his team. */
export interface Speaking extends Ownership {
  readonly isAdmin: boolean;
}

/** The nodes: registered by somebody, or found by their heartbeats. */
export class GeoNodes {
  readonly #book: GeoBook;

  constructor(book: GeoBook) {
    this.#book = book;
  }

  create(input: NodeInput, whose: Ownership): NodeResult {
    const { nodes, state, store } = this.#book;
    const key = nodeKey(whose.team, input.node_id);
    if (!state.regions.has(input.region_id)) return { kind: 'no-region' };
    if (nodes.get(key)) return { kind: 'exists' };
    if (nodes.countIn(input.region_id) >= MOST_NODES) return { kind: 'full' };
    const now = Date.now();
    const node = store.addNode({
      ...input,
      ...whose,
      node_id: key,
      speaker: null,
      registeredAt: now,
      lastSeen: now,
      hasHeartbeats: false,
      isRegistered: true,
    });
    nodes.add(node);
    this.#book.noteNodes(now);
    return { kind: 'done', node: this.#book.node(node, now) };
  }

  /** @param key what it goes by, which `nodeKey` makes of its team and its name */
  remove(key: string): boolean {
    const { nodes, store } = this.#book;
    if (!nodes.get(key)) return false;
    store.removeNode(key);
    nodes.remove(key);
    this.#book.noteNodes(Date.now());
    return true;
  }

  /** The latest registered first; `before` is the `next` of the page before. */
  list({ region_id, status, team, limit }: Omit<NodeQuery, 'cursor'>, before: number): NodePage {
    const now = Date.now();
    const { nodes } = this.#book;
    const chosen = region_id === undefined ? nodes.all() : nodes.in(region_id);
    const matching = chosen
      .filter((stored) => team === undefined || stored.team === team)
      .toSorted((a, b) => b.seq - a.seq)
      .map((stored) => ({ seq: stored.seq, node: this.#book.node(stored, now) }))
      .filter(({ node }) => status === undefined || node.status === status);
    const rest = matching.filter(({ seq }) => seq < before);
    const shown = rest.slice(0, limit);
    return {
      nodes: shown.map(({ node }) => node),
      total: matching.length,
      next: rest.length > shown.length ? shown.at(-1)?.seq : undefined,
    };
  }

  /** A heartbeat that came over HTTP; one under an older epoch counts, and is told. */
  heartbeat(nodeId: string, beat: NodeHeartbeat, by: Speaking): HeartbeatResult {
    const { nodes, state } = this.#book;
    const now = Date.now();
    const key = nodeKey(by.team, nodeId);
    const node = nodes.get(key);
    if (!node) return { kind: 'no-node' };
    if (!by.isAdmin && !nodes.maySpeak(key, by.owner, now)) {
      return { kind: 'others', speaker: node.speaker ?? '' };
    }
    this.#beat(key, now, { ...beat, owner: by.owner });
    const { active, epoch } = state;
    if (beat.epoch !== undefined && beat.epoch < epoch) return { kind: 'stale', epoch, active };
    const { region_id, status } = this.#book.node(node, now);
    return {
      kind: 'done',
      answer: { node_id: nodeId, region_id, status, active_region: active, epoch },
    };
  }

  /** What discovery knows of nodes; those in a region of ours join it. Whether there are any. */
  report(seen: readonly NodeSeen[]): boolean {
    const now = Date.now();
    const keyed = seen.map((node) => ({ ...node, node_id: nodeKey(node.team, node.node_id) }));
    const ours = keyed.filter((node) => this.#isKnown(node, now));
    for (const node of ours) {
      if (node.status === 'left') this.#book.nodes.leave(node.node_id, node.last_seen);
      // One that is inactive or unwell is as good as silent.
      if (node.status === 'active') this.#beat(node.node_id, Math.min(node.last_seen, now), node);
    }
    return ours.length > 0;
  }

  /** Forgets the nodes that nobody registered and that were not heard for days. */
  reap(now: number): void {
    for (const { node_id, isRegistered, lastSeen } of this.#book.nodes.all()) {
      if (!isRegistered && now - lastSeen > REAP_AFTER_MS) this.remove(node_id);
    }
  }

  #beat(
    nodeId: string,
    at: number,
    {
      latency_ms,
      round_trips_ms,
      owner: speaker,
    }: Pick<NodeHeartbeat, 'latency_ms' | 'round_trips_ms'> & Pick<Ownership, 'owner'>,
  ): void {
    const { nodes, store, trips } = this.#book;
    const isFirst = nodes.beat(nodeId, { at, speaker, latencyMs: latency_ms });
    const node = nodes.get(nodeId);
    if (!node) return;
    if (round_trips_ms) trips.report(node.region_id, round_trips_ms, at);
    // From here on its silence means something, also to an object that starts anew.
    if (isFirst) store.putSeen([node]);
  }

  /** Whether a node is one of ours by now: one that discovery found joins the region it names, and moves with it. */
  #isKnown(seen: NodeSeen, now: number): boolean {
    const { nodes, state } = this.#book;
    const { node_id, region_id, status } = seen;
    const known = nodes.get(node_id);
    if (known && !nodes.maySpeak(node_id, seen.owner, now)) return false;
    if (known && (known.isRegistered || known.region_id === region_id)) return true;
    if (region_id === null || !state.regions.has(region_id) || status !== 'active') {
      return known !== undefined;
    }
    if (nodes.countIn(region_id) >= MOST_NODES) return false;
    this.remove(node_id);
    this.#join({ ...seen, region_id }, now);
    return true;
  }

  #join(seen: NodeSeen & { readonly region_id: string }, now: number): void {
    const { nodes, store } = this.#book;
    nodes.add(
      store.addNode({
        node_id: seen.node_id,
        owner: seen.owner,
        team: seen.team,
        speaker: null,
        region_id: seen.region_id,
        endpoint: seen.endpoint ?? '',
        node_type: 'general',
        registeredAt: now,
        lastSeen: seen.last_seen,
        hasHeartbeats: true,
        isRegistered: false,
      }),
    );
    this.#book.noteNodes(now);
  }
}

import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Ownership } from '../http/ownership.ts';
import type { NodeProbe, NodeStatus, NodeType } from './contract/node.ts';
import type { Evidence } from './region-health.ts';

/** A node that was silent for this long is not active. */
const INACTIVE_AFTER_MS = 5_000;

/** A node as it is stored. Times are epoch milliseconds. */
export interface StoredNode extends Ownership {
  readonly seq: number;
  /** Its name qualified by its team (`nodeKey`): other teams may use the same name. */
  readonly node_id: string;
  /** The key that sends its heartbeats; null before the first. */
  readonly sender: string | null;
  readonly region_id: string;
  readonly endpoint: string;
  readonly node_type: NodeType;
  readonly registeredAt: number;
  readonly lastSeen: number;
  /** Whether it ever sent a heartbeat: only then does their absence count. */
  readonly hasHeartbeats: boolean;
  /** Whether it was registered; others were found by discovery. */
  readonly isRegistered: boolean;
}

/** The key of a node: its name qualified by its team. A node's name has no slash. */
export const nodeKey = (team: string, nodeId: string): string =>
  team === DEFAULT_TEAM ? nodeId : `${team}/${nodeId}`;

/** The name of a node within its team. */
export const nodeName = (key: string): string => key.slice(key.indexOf('/') + 1);

interface Known extends StoredNode {
  /** It announced that it leaves, or its last probe failed. */
  readonly isGone: boolean;
  readonly probe: NodeProbe;
}

interface ReceivedHeartbeat {
  readonly at: number;
  readonly sender: string;
  readonly latencyMs?: number | undefined;
}

/**
 * All nodes with their latest activity. It is in memory and rebuilt from the store; after a restart
 * a node has the full time to be heard again.
 */
export class NodeIndex {
  readonly #nodes = new Map<string, Known>();
  readonly #byRegion = new Map<string, Set<string>>();
  readonly #times = new Map<string, AnswerTimes>();
  readonly #observedSince: number;
  readonly #mayProbe: (node: StoredNode) => boolean;

  /** @param mayProbe whether the platform may probe a node */
  constructor(stored: readonly StoredNode[], now: number, mayProbe = (_node: StoredNode) => true) {
    this.#observedSince = now;
    this.#mayProbe = mayProbe;
    for (const node of stored) this.add(node);
  }

  get size(): number {
    return this.#nodes.size;
  }

  add(node: StoredNode): void {
    const probe = this.#mayProbe(node) ? 'pending' : 'not probed';
    this.#nodes.set(node.node_id, { ...node, isGone: false, probe });
    this.#idsOf(node.region_id).add(node.node_id);
  }

  remove(nodeId: string): void {
    const node = this.#nodes.get(nodeId);
    if (!node) return;
    this.#nodes.delete(nodeId);
    this.#idsOf(node.region_id).delete(nodeId);
  }

  removeRegion(regionId: string): void {
    for (const id of this.#idsOf(regionId)) this.#nodes.delete(id);
    this.#byRegion.delete(regionId);
    this.#times.delete(regionId);
  }

  get(nodeId: string): StoredNode | undefined {
    return this.#nodes.get(nodeId);
  }

  /** In order of registration. */
  in(regionId: string): readonly StoredNode[] {
    return [...this.#idsOf(regionId)].flatMap((id) => this.#nodes.get(id) ?? []);
  }

  all(): readonly StoredNode[] {
    return [...this.#nodes.values()];
  }

  countIn(regionId: string): number {
    return this.#byRegion.get(regionId)?.size ?? 0;
  }

  activeIn(regionId: string, now: number): number {
    let active = 0;
    for (const id of this.#idsOf(regionId)) if (this.isActive(id, now)) active += 1;
    return active;
  }

  /** The number of nodes with a recent heartbeat. */
  freshIn(regionId: string, now: number): number {
    const heard = this.#monitored(regionId).filter(({ hasHeartbeats }) => hasHeartbeats);
    return heard.filter(({ node_id }) => this.isActive(node_id, now)).length;
  }

  probeOf(nodeId: string): NodeProbe {
    return this.#nodes.get(nodeId)?.probe ?? 'pending';
  }

  timesOf(regionId: string): AnswerTimes {
    const known = this.#times.get(regionId);
    if (known) return known;
    const fresh = new AnswerTimes();
    this.#times.set(regionId, fresh);
    return fresh;
  }

  /**
   * Applies a heartbeat; one older than the last known has no effect.
   *
   * @returns whether it is the first one, or the first of a key
   */
  recordHeartbeat(nodeId: string, { at, sender, latencyMs }: ReceivedHeartbeat): boolean {
    const node = this.#nodes.get(nodeId);
    if (!node || (node.hasHeartbeats && at < node.lastSeen)) return false;
    const lastSeen = Math.max(at, node.lastSeen);
    this.#nodes.set(nodeId, { ...node, sender, lastSeen, hasHeartbeats: true, isGone: false });
    if (latencyMs !== undefined) this.timesOf(node.region_id).add(latencyMs);
    return !node.hasHeartbeats || node.sender !== sender;
  }

  /** Whether a key may report for a node: another key only once the previous one is silent. */
  acceptsFrom(nodeId: string, sender: string, now: number): boolean {
    const node = this.#nodes.get(nodeId);
    const isFree = node?.sender === null || node?.sender === sender;
    return isFree || !this.isActive(nodeId, now);
  }

  /** It announced that it leaves, after its last known message. */
  leave(nodeId: string, at: number): void {
    const node = this.#nodes.get(nodeId);
    if (node && at >= node.lastSeen) this.#nodes.set(nodeId, { ...node, isGone: true });
  }

  /** Applies the result of a probe: the response time, or undefined for a failure. */
  probed(nodeId: string, ms: number | undefined, now: number): void {
    const node = this.#nodes.get(nodeId);
    if (!node) return;
    if (ms === undefined) {
      const isGone = node.hasHeartbeats ? node.isGone : true;
      this.#nodes.set(nodeId, { ...node, isGone, probe: 'failed' });
      return;
    }
    this.timesOf(node.region_id).add(ms);
    const lastSeen = node.hasHeartbeats ? node.lastSeen : now;
    const isGone = node.hasHeartbeats && node.isGone;
    this.#nodes.set(nodeId, { ...node, lastSeen, isGone, probe: 'answered' });
  }

  /**
   * Whether a node may be given work: it was heard recently, or responds to probes where it sends
   * no heartbeats.
   */
  isActive(nodeId: string, now: number): boolean {
    const node = this.#nodes.get(nodeId);
    if (!node || node.isGone) return false;
    return !needsHeartbeats(node) || now - this.#sign(node) <= INACTIVE_AFTER_MS;
  }

  statusOf(nodeId: string, drainUntil: number | null, now: number): NodeStatus {
    if (!this.isActive(nodeId, now)) return 'offline';
    if (drainUntil === null) return 'online';
    return now < drainUntil ? 'draining' : 'offline';
  }

  /** A round of heartbeats; undefined where no node of the region has to send any. */
  heartbeatsOf(regionId: string, now: number): Evidence | undefined {
    const known = this.#monitored(regionId);
    if (known.length === 0) return undefined;
    const active = known.filter(({ node_id }) => this.isActive(node_id, now)).length;
    const { p95Ms, baselineMs } = this.timesOf(regionId);
    return { kind: 'heartbeats', active, known: known.length, p95Ms, baselineMs };
  }

  /** The time since any node was heard; undefined where none is expected to be. */
  silenceOf(regionId: string, now: number): Evidence | undefined {
    const known = this.#monitored(regionId);
    if (known.length === 0) return undefined;
    const answers = this.in(regionId).some(
      ({ node_id, hasHeartbeats }) => !hasHeartbeats && this.#wasAnswered(node_id),
    );
    const ages = known.map((node) =>
      node.isGone ? Math.max(now - node.lastSeen, INACTIVE_AFTER_MS + 1) : now - this.#sign(node),
    );
    return { kind: 'silence', silentMs: answers ? 0 : Math.max(0, Math.min(...ages)) };
  }

  #monitored(regionId: string): readonly Known[] {
    return [...this.#idsOf(regionId)].flatMap((id) => {
      const node = this.#nodes.get(id);
      return node && needsHeartbeats(node) ? node : [];
    });
  }

  /** Whether a node without heartbeats responded to its latest probe. */
  #wasAnswered(nodeId: string): boolean {
    const node = this.#nodes.get(nodeId);
    return node !== undefined && !node.isGone && node.lastSeen > node.registeredAt;
  }

  #sign({ lastSeen }: StoredNode): number {
    return Math.max(lastSeen, this.#observedSince);
  }

  #idsOf(regionId: string): Set<string> {
    const known = this.#byRegion.get(regionId);
    if (known) return known;
    const fresh = new Set<string>();
    this.#byRegion.set(regionId, fresh);
    return fresh;
  }
}

/** Silence counts for a node that has sent heartbeats, and for one that may not be probed. */
const needsHeartbeats = ({ hasHeartbeats, probe }: Known): boolean =>
  hasHeartbeats || probe === 'not probed';

/** The number of latest response times per region. */
const WINDOW = 100;
/** Fewer do not give a 95th percentile. */
const MIN_SAMPLES = 20;
/** The weight of a clean round in the baseline. */
const WEIGHT = 0.05;

/** The response times of a region's nodes, at present and usually. */
class AnswerTimes {
  readonly #latest: number[] = [];
  #usual: number | null = null;

  add(ms: number): void {
    this.#latest.push(ms);
    if (this.#latest.length > WINDOW) this.#latest.shift();
  }

  /** The 95th percentile, in milliseconds; null where there are too few samples. */
  get p95Ms(): number | null {
    if (this.#latest.length < MIN_SAMPLES) return null;
    const sorted = this.#latest.toSorted((a, b) => a - b);
    return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
  }

  /** The moving average of `p95Ms` over clean rounds. */
  get baselineMs(): number | null {
    return this.#usual;
  }

  /** Adds the present value to the baseline, after a round without a fault. */
  learn(): void {
    const now = this.p95Ms;
    if (now === null) return;
    this.#usual = this.#usual === null ? now : this.#usual + WEIGHT * (now - this.#usual);
  }
}

import type { NodeProbe, NodeStatus, NodeType } from './contract/node.ts';
import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Ownership } from '../http/ownership.ts';
import { AnswerTimes } from './answer-times.ts';
import type { Evidence } from './region-health.ts';

/** A node that was not heard for so long is not active. */
const INACTIVE_AFTER_MS = 5_000;

/** A node as it is stored. Times are epoch milliseconds. */
export interface StoredNode extends Ownership {
  readonly seq: number;
  /** Its name with its team (`nodeKey`): other teams have nodes of the same name. */
  readonly node_id: string;
  /** Who sends its heartbeats; null before the first. */
  readonly speaker: string | null;
  readonly region_id: string;
  readonly endpoint: string;
  readonly node_type: NodeType;
  readonly registeredAt: number;
  readonly lastSeen: number;
  /** Whether it ever sent a heartbeat: if so, it is missed when it does not. */
  readonly hasHeartbeats: boolean;
  /** Whether somebody registered it; others were found by discovery. */
  readonly isRegistered: boolean;
}

/** What a node of a team goes by here. A node's name has no slash. */
export const nodeKey = (team: string, nodeId: string): string =>
  team === DEFAULT_TEAM ? nodeId : `${team}/${nodeId}`;

/** What its team calls it. */
export const nodeName = (key: string): string => key.slice(key.indexOf('/') + 1);

interface Known extends StoredNode {
  /** It said that it goes, or the last probe of it failed. */
  readonly isGone: boolean;
  readonly probe: NodeProbe;
}

export interface Beat {
  readonly at: number;
  readonly speaker: string;
  readonly latencyMs?: number | undefined;
}

/**
 * All nodes with their signs of life. It is kept in memory and made anew from what is stored; a node
 * whose heartbeats are missed since before that is given as long as any other to be heard.
 */
export class NodeBook {
  readonly #nodes = new Map<string, Known>();
  readonly #byRegion = new Map<string, Set<string>>();
  readonly #times = new Map<string, AnswerTimes>();
  readonly #observedSince: number;
  readonly #mayProbe: (node: StoredNode) => boolean;

  /** @param mayProbe whether the platform may send probes to a node */
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

  /** In the order of their registration. */
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

  /** How many nodes have sent a heartbeat that still counts. */
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

  /** Takes a heartbeat in; one that is older than what is known changes nothing. Whether it is the first, or the first of a key. */
  beat(nodeId: string, { at, speaker, latencyMs }: Beat): boolean {
    const node = this.#nodes.get(nodeId);
    if (!node || (node.hasHeartbeats && at < node.lastSeen)) return false;
    const lastSeen = Math.max(at, node.lastSeen);
    this.#nodes.set(nodeId, { ...node, speaker, lastSeen, hasHeartbeats: true, isGone: false });
    if (latencyMs !== undefined) this.timesOf(node.region_id).add(latencyMs);
    return !node.hasHeartbeats || node.speaker !== speaker;
  }

  /** Whether somebody may speak for a node: another key only once the one before is not heard any more. */
  maySpeak(nodeId: string, speaker: string, now: number): boolean {
    const node = this.#nodes.get(nodeId);
    const isFree = node?.speaker === null || node?.speaker === speaker;
    return isFree || !this.isActive(nodeId, now);
  }

  /** It said that it goes, after what was heard of it last. */
  leave(nodeId: string, at: number): void {
    const node = this.#nodes.get(nodeId);
    if (node && at >= node.lastSeen) this.#nodes.set(nodeId, { ...node, isGone: true });
  }

  /** What a probe of it found, and after how long. */
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

  /** Whether a node may be given work: it was heard of late, or answers probes where it sends no heartbeats. */
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

  /** A round of heartbeats; undefined where none of the region's nodes has to send any. */
  heartbeatsOf(regionId: string, now: number): Evidence | undefined {
    const known = this.#monitored(regionId);
    if (known.length === 0) return undefined;
    const active = known.filter(({ node_id }) => this.isActive(node_id, now)).length;
    const { p95Ms, baselineMs } = this.timesOf(regionId);
    return { kind: 'heartbeats', active, known: known.length, p95Ms, baselineMs };
  }

  /** How long ago any node gave a sign of life; undefined where none is expected to. */
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

  /** Whether a node without heartbeats answered a probe, and did so at the last one. */
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

/** A node that sends heartbeats is missed without them, and so is one that nobody may probe. */
const needsHeartbeats = ({ hasHeartbeats, probe }: Known): boolean =>
  hasHeartbeats || probe === 'not probed';

import type { NewEvent } from '../events/contract/platform-event.ts';
import { ulid } from '../http/ulid.ts';
import { defaultRegionsOf } from './config.ts';
import type { GeoConfig } from './contract/config.ts';
import type { GeoEvent } from './contract/event.ts';
import { locationHintOf } from './contract/known-regions.ts';
import type { GeoNode } from './contract/node.ts';
import type { ActiveRegion, GeoStatus, RegionRecord } from './contract/region.ts';
import type { Facts } from './failover-plan.ts';
import { latencyBetween, RoundTripAverages } from './latency.ts';
import { begin, noteNodes, type StatusChanged } from './machine.ts';
import { NodeIndex, nodeName, type StoredNode } from './node-index.ts';
import type { NodeTargets } from './probes.ts';
import { consecutiveDown, consecutiveUp } from './region-health.ts';
import { byPriority, type GeoState, NO_REGIONS, type RegionState } from './state.ts';
import { GeoStore } from './store.ts';

/**
 * The regions and nodes of the Geo object: decisions, written through to storage, and node
 * activity, which is in memory only and recurs by itself.
 */
export class GeoRepository {
  readonly store: GeoStore;
  readonly nodes: NodeIndex;
  readonly trips = new RoundTripAverages();
  readonly #storage: DurableObjectStorage;
  readonly #config: GeoConfig;
  readonly #onEvent: (event: NewEvent) => void;
  #state: GeoState;

  /** @param onEvent called in the transaction that writes an event */
  constructor(
    storage: DurableObjectStorage,
    config: GeoConfig,
    targets: NodeTargets,
    onEvent: (event: NewEvent) => void,
  ) {
    const now = Date.now();
    this.#storage = storage;
    this.#config = config;
    this.#onEvent = onEvent;
    this.store = new GeoStore(storage.sql);
    this.#state = this.store.state() ?? this.#first(now);
    const mayProbe = (node: StoredNode) => targets.urlOf(node) !== undefined;
    this.nodes = new NodeIndex(this.store.nodes(), now, mayProbe);
    this.noteNodes(now);
  }

  get state(): GeoState {
    return this.#state;
  }

  /** Writes a new state with its status changes, in one transaction. */
  commit(
    next: GeoState,
    changes: readonly StatusChanged[] = [],
    also: () => void = () => {},
  ): void {
    const before = this.#state;
    this.#storage.transactionSync(() => {
      for (const region of next.regions.values()) {
        const known = before.regions.get(region.region.region_id);
        if (known?.revision !== region.revision) this.store.putRegion(region);
      }
      for (const id of before.regions.keys())
        if (!next.regions.has(id)) this.store.removeRegion(id);
      if (isOtherRole(before, next)) this.store.putRole(next);
      for (const change of changes) this.addEvent(statusEvent(change));
      also();
    });
    this.#state = next;
  }

  /** Sets regions whose last node left to online, and updates those whose first one joined. */
  noteNodes(now: number): void {
    const { state, changes } = noteNodes(this.#state, (id) => this.nodes.countIn(id) > 0, now);
    this.commit(state, changes);
  }

  /** Adopts a state that is not worth a write, as its values recur soon. */
  remember(next: GeoState): void {
    this.#state = next;
  }

  /** Writes the state in memory, so that a restart loses little of it. */
  snapshot(): void {
    this.#storage.transactionSync(() => {
      for (const region of this.#state.regions.values()) {
        if (region.health.lastCheckAt !== null) this.store.putRegion(region);
      }
      this.store.putSeen(this.nodes.all());
    });
  }

  addEvent(event: Pick<GeoEvent, 'type' | 'subject' | 'data'>): void {
    const now = Date.now();
    const kept = { id: `evt_${ulid(now)}`, time: new Date(now).toISOString(), ...event };
    this.store.addEvent(kept);
    this.#onEvent(kept);
  }

  facts(now: number): Facts {
    return {
      latencyMs: (from, to) => this.latencyMs(from, to, now),
      nodesOf: (id) => this.nodes.countIn(id),
      activeNodesOf: (id) => this.nodes.activeIn(id, now),
    };
  }

  latencyMs(from: string, to: string, now: number): number {
    const [a, b] = [this.#state.regions.get(from), this.#state.regions.get(to)];
    return a && b ? latencyBetween(a.region, b.region, this.trips.at(now)).ms : 0;
  }

  status(): GeoStatus {
    const { active, epoch, suspectSince } = this.#state;
    const regions = this.sorted();
    return {
      active_region: active,
      epoch,
      total_regions: regions.length,
      total_nodes: this.nodes.size,
      online_regions: regions.filter(({ health }) => health.status === 'online').length,
      auto_failover: this.#config.auto_failover,
      monitor: suspectSince === null ? 'ok' : 'suspect',
      regions: Object.fromEntries(
        regions.map(({ region: { region_id, priority }, health: { status } }) => [
          region_id,
          { status, node_count: this.nodes.countIn(region_id), priority },
        ]),
      ),
    };
  }

  countNodes(now: number): { readonly total: number; readonly active: number } {
    const ids = [...this.#state.regions.keys()];
    const active = ids.reduce((sum, id) => sum + this.nodes.activeIn(id, now), 0);
    return { total: this.nodes.size, active };
  }

  sorted(): readonly RegionState[] {
    return [...this.#state.regions.values()].toSorted(byPriority);
  }

  record({ region, health, drainUntil, updatedAt }: RegionState, now: number): RegionRecord {
    const { region_id, latitude, longitude } = region;
    return {
      region_id,
      display_name: region.display_name,
      provider: region.provider,
      location: { lat: latitude, lon: longitude },
      latitude,
      longitude,
      priority: region.priority,
      status: health.status,
      status_since: isoOf(health.since),
      status_reason: health.reason,
      active: this.#state.active === region_id,
      node_count: this.nodes.countIn(region_id),
      active_node_count: this.nodes.activeIn(region_id, now),
      health: {
        checked: health.lastCheckAt !== null,
        last_check_at: health.lastCheckAt === null ? null : isoOf(health.lastCheckAt),
        consecutive_up: consecutiveUp(health, now),
        consecutive_down: consecutiveDown(health, now),
        p95_ms: this.nodes.timesOf(region_id).p95Ms,
      },
      location_hint: locationHintOf(region),
      draining_until: drainUntil === null ? null : isoOf(drainUntil),
      created_at: isoOf(region.createdAt),
      updated_at: isoOf(updatedAt),
    };
  }

  node({ node_id, region_id, endpoint, node_type, ...kept }: StoredNode, now: number): GeoNode {
    const drainUntil = this.#state.regions.get(region_id)?.drainUntil ?? null;
    return {
      node_id: nodeName(node_id),
      team: kept.team,
      owner: kept.owner,
      region_id,
      endpoint,
      node_type,
      status: this.nodes.statusOf(node_id, drainUntil, now),
      probe: this.nodes.probeOf(node_id),
      registered_at: isoOf(kept.registeredAt),
      last_seen: isoOf(kept.lastSeen),
    };
  }

  active(now: number): ActiveRegion | undefined {
    const { active, epoch, activeSince, regions } = this.#state;
    const region = active === null ? undefined : regions.get(active);
    if (!region) return undefined;
    const { region_id } = region.region;
    return { region_id, epoch, since: isoOf(activeSince), region: this.record(region, now) };
  }

  #first(now: number): GeoState {
    const state = begin(NO_REGIONS, defaultRegionsOf(this.#config, now), now);
    this.#storage.transactionSync(() => {
      for (const region of state.regions.values()) this.store.putRegion(region);
      this.store.putRole(state);
    });
    return state;
  }
}

export const isoOf = (time: number): string => new Date(time).toISOString();

function isOtherRole(a: GeoState, b: GeoState): boolean {
  return (
    a.epoch !== b.epoch ||
    a.active !== b.active ||
    a.suspectSince !== b.suspectSince ||
    a.givenUp !== b.givenUp
  );
}

const statusEvent = ({ regionId, from, to, reason }: StatusChanged) => ({
  type: 'region.status' as const,
  subject: regionId,
  data: { region_id: regionId, from, to, reason },
});

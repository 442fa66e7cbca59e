import assert from 'node:assert/strict';
import { admit, type Fence, OPEN_FENCE } from '../../edge/geo/region-store/copy.ts';
import { planFailover } from '../../edge/geo/failover-plan.ts';
import {
  begin,
  COOL_DOWN_MS,
  failoverDue,
  outageOf,
  startMaintenance,
  type StatusChanged,
  step,
  stopMaintenance,
  switchTo,
} from '../../edge/geo/machine.ts';
import { type GeoState, NO_REGIONS, type Region } from '../../edge/geo/state.ts';
import { estimateMs } from '../../edge/geo/latency.ts';
import { NodeIndex, type StoredNode } from '../../edge/geo/node-index.ts';
import type { Evidence } from '../../edge/geo/region-health.ts';
import { DEFAULT_REGIONS } from '../../edge/geo/contract/known-regions.ts';

const CHECK_MS = 1_000;
const BEAT_MS = 2_000;
const WINDOW_MS = 10 * 60_000;

interface SimulatedNode {
  readonly id: string;
  readonly regionId: string;
  isAlive: boolean;
  nextBeatAt: number;
}

/** A failover that was planned and sealed, and is not carried out yet. */
interface UnderWay {
  readonly to: string;
  readonly epoch: number;
  readonly isAutomatic: boolean;
  readonly at: number;
}

/** An independent count of flips, and the time that a region must therefore stay stable. */
interface Watched {
  flips: number[];
  stableMs: number;
  downAt: number;
}

/**
 * Regions with nodes that send heartbeats, die, come back and are cut off, on a clock of its own;
 * looked at, judged and switched by the machines of the platform. Everything that must never happen
 * is asserted when it would.
 */
export class GeoWorld {
  now = 1_000_000;
  state: GeoState;
  readonly nodes: SimulatedNode[] = [];
  /** Regions whose heartbeats do not get through. */
  readonly cutOff = new Set<string>();
  readonly changes: StatusChanged[] = [];
  readonly stores = new Map<string, Fence>();
  /** The epoch that the nodes of a region know of. */
  readonly known = new Map<string, number>();
  readonly #activeIn = new Map<number, string>();
  readonly #watched = new Map<string, Watched>();
  #repository: NodeIndex;
  #underWay: UnderWay[] = [];
  #lastAutomaticAt = -Infinity;
  #looks = 0;

  constructor(nodesPerRegion: readonly number[]) {
    const regions: Region[] = DEFAULT_REGIONS.map((region) => ({
      ...region,
      provider: 'aws',
      createdAt: this.now,
    }));
    this.state = begin(NO_REGIONS, regions, this.now);
    for (const [i, count] of nodesPerRegion.entries()) {
      const regionId = regions[i]?.region_id ?? '';
      for (let n = 0; n < count; n++) {
        const nextBeatAt = this.now + 337 * (i + 3 * n + 1);
        this.nodes.push({ id: `${regionId}-${n}`, regionId, isAlive: true, nextBeatAt });
      }
    }
    this.#repository = new NodeIndex(
      this.nodes.map((node, seq) => this.#stored(node, seq)),
      this.now,
    );
    for (const { region_id } of regions) {
      this.known.set(region_id, 1);
      this.#watched.set(region_id, { flips: [], stableMs: 60_000, downAt: -Infinity });
    }
  }

  get regionIds(): readonly string[] {
    return [...this.state.regions.keys()];
  }

  statusOf(regionId: string) {
    return this.state.regions.get(regionId)?.health.status;
  }

  /** Lets time pass, with a look each second. */
  pass(ms: number): void {
    const end = this.now + ms;
    while (this.now + CHECK_MS <= end) {
      this.now += CHECK_MS;
      this.#beats();
      this.#look();
      this.#settle();
      this.#expectAll();
    }
  }

  /** The object starts anew: what was decided is there, signs of life have to come again. */
  restart(): void {
    this.#repository = new NodeIndex(this.#repository.all(), this.now);
    this.#underWay = [];
  }

  /** An operator asks for a failover, which takes a while to be sealed. */
  ask(from: string, to: string, lateMs: number): void {
    const planned = planFailover(this.state, { from, to }, this.#facts());
    if (planned.kind === 'planned') this.#begin(to, lateMs, false);
  }

  maintain(regionId: string): void {
    const region = this.state.regions.get(regionId);
    if (!region || this.state.active === regionId) return;
    const isOver = region.health.status === 'maintenance';
    const { state, changes } = isOver
      ? stopMaintenance(this.state, region, this.#repository.countIn(regionId) > 0, this.now)
      : startMaintenance(this.state, region, '', this.now);
    this.#take(state, changes);
  }

  #beats(): void {
    for (const node of this.nodes) {
      if (node.nextBeatAt > this.now) continue;
      node.nextBeatAt = this.now + BEAT_MS;
      if (!node.isAlive || this.cutOff.has(node.regionId)) continue;
      this.#repository.recordHeartbeat(node.id, { at: this.now, sender: 'local' });
      // The answer to a heartbeat tells the epoch.
      this.known.set(node.regionId, this.state.epoch);
    }
  }

  #look(): void {
    this.#looks += 1;
    const looks = new Map<string, readonly Evidence[]>();
    for (const id of this.regionIds) {
      const heartbeats =
        this.#looks % 2 === 0 ? this.#repository.heartbeatsOf(id, this.now) : undefined;
      const found = [this.#repository.silenceOf(id, this.now), heartbeats];
      looks.set(
        id,
        found.filter((one) => one !== undefined),
      );
    }
    const before = this.state;
    const { state, changes } = step(before, looks, this.now);
    this.#expectNoPanic(before, changes);
    this.#take(state, changes);
    this.#failOver();
  }

  #failOver(): void {
    const due = failoverDue(this.state, this.now);
    if (!due || this.#underWay.some(({ isAutomatic }) => isAutomatic)) return;
    const planned = planFailover(this.state, { from: due.from }, this.#facts());
    assert.equal(planned.kind, 'planned');
    if (planned.kind !== 'planned') return;
    const { target } = planned.plan;
    if (target === null) {
      this.state = { ...this.state, givenUp: outageOf(due) };
      return;
    }
    if (due.isTooSoon) return;
    assert.equal(this.statusOf(target), 'online', `${target} is no target`);
    assert.ok(
      this.#repository.activeIn(target, this.now) > 0,
      `${target} has nobody to take requests`,
    );
    this.#begin(target, 0, true);
  }

  #begin(to: string, lateMs: number, isAutomatic: boolean): void {
    const epoch = this.state.epoch;
    const sealed = admit(this.stores.get(to) ?? OPEN_FENCE, epoch + 1);
    if (sealed.kind === 'stale') return;
    this.stores.set(to, sealed.fence);
    this.#underWay.push({ to, epoch, isAutomatic, at: this.now + lateMs });
  }

  /** Carries out what was sealed, in the order in which that came through. */
  #settle(): void {
    const ready = this.#underWay.filter(({ at }) => at <= this.now);
    this.#underWay = this.#underWay.filter(({ at }) => at > this.now);
    for (const { to, epoch, isAutomatic } of ready) {
      const switched = switchTo(this.state, { to, epoch, isAutomatic }, this.now);
      if (switched.kind !== 'switched') continue;
      assert.equal(this.statusOf(to), 'online');
      if (isAutomatic) {
        assert.ok(this.now - this.#lastAutomaticAt >= COOL_DOWN_MS, 'two failovers at once');
        this.#lastAutomaticAt = this.now;
      }
      this.state = switched.state;
    }
  }

  #take(state: GeoState, changes: readonly StatusChanged[]): void {
    this.state = state;
    for (const change of changes) {
      this.changes.push(change);
      this.#watch(change);
    }
  }

  /** Counts flips by itself, and holds the way back against them. */
  #watch({ regionId, from, to }: StatusChanged): void {
    const watched = this.#watched.get(regionId);
    if (!watched) return;
    const recent = watched.flips.filter((at) => this.now - at < WINDOW_MS);
    if (to === 'offline') {
      if (recent.length === 0) watched.stableMs = 60_000;
      if (recent.length + 1 > 3) watched.stableMs = Math.min(2 * watched.stableMs, 900_000);
      watched.flips = [...recent, this.now];
      watched.downAt = this.now;
    }
    if (from === 'offline' && to === 'online') {
      const waited = this.now - watched.downAt;
      assert.ok(waited >= watched.stableMs, `${regionId} is back after ${waited} ms`);
      watched.flips = [...recent, this.now];
    }
  }

  /** Where most of the regions that served fail at once, none is taken to be offline. */
  #expectNoPanic(before: GeoState, changes: readonly StatusChanged[]): void {
    if (changes.every(({ to }) => to !== 'offline')) return;
    const serving = [...before.regions.values()].filter(
      ({ region, health }) =>
        health.status !== 'offline' &&
        health.status !== 'maintenance' &&
        this.nodes.some(({ regionId }) => regionId === region.region_id),
    );
    const silent = serving.filter(({ region }) => {
      const look = this.#repository.silenceOf(region.region_id, this.now);
      return look?.kind === 'silence' && look.silentMs > 5_000;
    });
    const isAlone = serving.length === 1;
    assert.ok(isAlone || silent.length * 2 <= serving.length, 'most regions were taken offline');
  }

  #expectAll(): void {
    const { active, epoch } = this.state;
    assert.ok(active !== null && this.state.regions.has(active));
    const before = this.#activeIn.get(epoch);
    assert.ok(before === undefined || before === active, `epoch ${epoch}: ${before} and ${active}`);
    assert.ok(epoch >= Math.max(0, ...this.#activeIn.keys()), 'the epoch shrank');
    this.#activeIn.set(epoch, active);
    this.#expectFenced(active, epoch);
    this.#expectOneState();
    // An outage that is over is not hopeless any more.
    const isDown = this.statusOf(active) === 'offline';
    assert.ok(isDown || this.state.givenUp === null, `${this.state.givenUp} is over`);
  }

  /** Every region tries to write to the active one's store, under the epoch it knows of. */
  #expectFenced(active: string, epoch: number): void {
    for (const known of this.known.values()) {
      const fence = this.stores.get(active) ?? OPEN_FENCE;
      const result = admit(fence, known);
      if (result.kind !== 'admitted') continue;
      assert.ok(known >= epoch, `a write of epoch ${known} was taken in epoch ${epoch}`);
      this.stores.set(active, result.fence);
    }
  }

  #expectOneState(): void {
    const statuses = this.nodes.map((node) =>
      this.#repository.statusOf(
        node.id,
        this.state.regions.get(node.regionId)?.drainUntil ?? null,
        this.now,
      ),
    );
    const counted = ['online', 'offline', 'draining'].map(
      (status) => statuses.filter((one) => one === status).length,
    );
    assert.equal(
      counted.reduce((sum, count) => sum + count, 0),
      this.nodes.length,
    );
  }

  #facts() {
    const placeOf = (id: string) => this.state.regions.get(id)?.region;
    return {
      latencyMs: (from: string, to: string) => {
        const [a, b] = [placeOf(from), placeOf(to)];
        return a && b ? estimateMs(a, b) : 0;
      },
      nodesOf: (id: string) => this.#repository.countIn(id),
      activeNodesOf: (id: string) => this.#repository.activeIn(id, this.now),
    };
  }

  #stored({ id, regionId }: SimulatedNode, seq: number): StoredNode {
    return {
      seq,
      node_id: id,
      region_id: regionId,
      endpoint: '10.0.0.1:1',
      node_type: 'general',
      registeredAt: this.now,
      lastSeen: this.now,
      hasHeartbeats: true,
      isRegistered: true,
      ...{ owner: 'local', team: 'default', sender: null },
    };
  }
}

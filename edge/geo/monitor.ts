import type { GeoConfig } from './contract/config.ts';
import { failoverDue, type Observations, step } from './machine.ts';
import type { RegionState } from './state.ts';
import type { StoredNode } from './node-index.ts';
import { type NodeTargets, type Prober, type ProbeResult, probeRound } from './probes.ts';
import { type Evidence, faultIn, silentAfter } from './region-health.ts';
import { probe } from '../gateway/health-checks.ts';
import { DEFAULT_HEALTH } from '../gateway/machine.ts';
import type { GeoRepository } from './repository.ts';
import type { GeoFailovers } from './failovers.ts';

export const CHECK_MS = 1_000;
/** How often heartbeats are evaluated as a round: as often as they come. */
const ROUND_MS = 2_000;
/** How soon a doubtful region is probed again. */
const DOUBTFUL_PROBE_MS = 2_000;
/** How often the state in memory is written. */
const SNAPSHOT_MS = 30_000;

interface MonitorParts {
  readonly config: GeoConfig;
  readonly repository: GeoRepository;
  readonly targets: NodeTargets;
  /** Returns the fetch to use for an address. */
  readonly fetchTo: (url: string) => typeof fetch;
  readonly failovers: GeoFailovers;
}

/**
 * Checks all regions each second: their heartbeats and, at longer intervals or where a region is
 * doubtful, probes of their nodes. All observations go through the machine together, which tells a
 * fault of the regions from one of the monitor by how many fail at once.
 */
export class GeoMonitor {
  readonly #parts: MonitorParts;
  #roundAt = 0;
  #probesAt = new Map<string, number>();
  #snapshotAt = 0;
  #isProbing = false;
  #isFailingOver = false;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
  }

  /** Runs one check. @returns whether any status changed */
  check(now: number): boolean {
    const { repository } = this.#parts;
    const isRound = now >= this.#roundAt;
    if (isRound) this.#roundAt = now + ROUND_MS;
    const observations = new Map<string, readonly Evidence[]>();
    for (const id of repository.state.regions.keys())
      observations.set(id, this.#heartbeats(id, isRound, now));
    const isChanged = this.#apply(observations, now);
    void this.#probeDue(now);
    if (now >= this.#snapshotAt) {
      if (this.#snapshotAt > 0) repository.snapshot();
      this.#snapshotAt = now + SNAPSHOT_MS;
    }
    return isChanged;
  }

  /**
   * When to check next: each second, and the moment the active region has been silent for too long.
   */
  nextCheckAt(now: number): number {
    const { state, nodes } = this.#parts.repository;
    const silence = state.active === null ? undefined : nodes.silenceOf(state.active, now);
    const leftMs = silence?.kind === 'silence' ? silentAfter(silence.silentMs) : 0;
    return now + (leftMs > 0 ? Math.min(leftMs, CHECK_MS) : CHECK_MS);
  }

  /** Executes an automatic failover where one is due. @returns whether one was attempted */
  async failOver(now: number): Promise<boolean> {
    const { repository, config, failovers } = this.#parts;
    if (!config.auto_failover || this.#isFailingOver) return false;
    const due = failoverDue(repository.state, now);
    if (!due) return false;
    this.#isFailingOver = true;
    try {
      return await failovers.automatic(due);
    } finally {
      this.#isFailingOver = false;
    }
  }

  #heartbeats(regionId: string, isRound: boolean, now: number): readonly Evidence[] {
    const { nodes } = this.#parts.repository;
    const silence = nodes.silenceOf(regionId, now);
    const heartbeats = isRound ? nodes.heartbeatsOf(regionId, now) : undefined;
    if (heartbeats && faultIn(heartbeats) === undefined) nodes.timesOf(regionId).learn();
    return [silence, heartbeats].filter((one) => one !== undefined);
  }

  #apply(observations: Observations, now: number): boolean {
    const { repository } = this.#parts;
    // The last node may have left during its probe.
    const found = [...observations].filter(([id]) => repository.nodes.countIn(id) > 0);
    const { state, changes } = step(repository.state, new Map(found), now);
    const isWorthAWrite =
      changes.length > 0 ||
      (state.suspectSince === null) !== (repository.state.suspectSince === null);
    if (isWorthAWrite) repository.commit(state, changes);
    else repository.remember(state);
    return isWorthAWrite;
  }

  /** Probes all due regions and applies the results together. */
  async #probeDue(now: number): Promise<void> {
    if (this.#isProbing) return;
    const { repository } = this.#parts;
    const due = [...repository.state.regions.values()].filter((one) => this.#isDue(one, now));
    if (due.length === 0) return;
    this.#isProbing = true;
    try {
      const observations = await Promise.all(due.map((one) => this.#probe(one)));
      this.#apply(new Map(observations), Date.now());
    } catch (error) {
      console.error(
        JSON.stringify({ level: 'error', event: 'geo_probes_failed', text: String(error) }),
      );
    } finally {
      this.#isProbing = false;
    }
  }

  #isDue({ region, health }: RegionState, now: number): boolean {
    if (this.#parts.repository.nodes.countIn(region.region_id) === 0) return false;
    const isSettled = health.status === 'online' && health.probes.bad === 0;
    const every = this.#parts.config.health_check_interval_seconds * 1000;
    const since = this.#probesAt.get(region.region_id) ?? -Infinity;
    return now - since >= (isSettled ? every : Math.min(every, DOUBTFUL_PROBE_MS));
  }

  async #probe({ region: { region_id: id } }: RegionState): Promise<[string, Evidence[]]> {
    const { repository } = this.#parts;
    this.#probesAt.set(id, Date.now());
    const { sent, failed, probed } = await probeRound(repository.nodes.in(id), this.#prober());
    for (const { node, result } of probed) {
      if (result.kind === 'not-asked') continue;
      const ms = result.kind === 'answered' ? result.ms : undefined;
      repository.nodes.probed(node.node_id, ms, Date.now());
    }
    const fresh = repository.nodes.freshIn(id, Date.now());
    const nodes = repository.nodes.countIn(id);
    return [id, sent === 0 ? [] : [{ kind: 'probes', failed, sent, fresh, nodes }]];
  }

  #prober(): Prober {
    const { nodes } = this.#parts.repository;
    return {
      isHeard: (node) => node.hasHeartbeats && nodes.isActive(node.node_id, Date.now()),
      ask: (node) => this.#ask(node),
      random: Math.random,
      wait: (ms) => scheduler.wait(ms),
    };
  }

  async #ask(node: StoredNode): Promise<ProbeResult> {
    const base = this.#parts.targets.urlOf(node);
    if (base === undefined) return { kind: 'not-asked' };
    const started = Date.now();
    const send = this.#parts.fetchTo(base);
    const verdict = await probe((path, init) => send(base + path, init), DEFAULT_HEALTH);
    if (verdict.kind === 'failed') return { kind: 'failed' };
    return { kind: 'answered', ms: Date.now() - started };
  }
}

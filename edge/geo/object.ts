import type { Dashboard } from '../monitoring/contract/dashboard.ts';
import type { GeoEvent } from './contract/event.ts';
import type { FailoverEntry, FailoverInput } from './contract/failover.ts';
import type { ReplicationGroup } from './contract/latency.ts';
import type { NodeHeartbeat, NodeInput, NodeQuery } from './contract/node.ts';
import type {
  ActiveRegionChange,
  GeoStatus,
  RegionInput,
  RegionRecord,
  StatusChange,
} from './contract/region.ts';
import type { Env } from '../env.ts';
import { Outbox } from '../events/outbox.ts';
import { Notifier } from '../events/notifier.ts';
import { geoConfigOf } from './config.ts';
import type { FailoverRequest } from './failover-plan.ts';
import { failoverCount, gaugesOf } from './metrics.ts';
import { regionStoreOf } from './region-store-stub.ts';
import { GeoNodes, type NodeSeen, type HeartbeatSender } from './nodes.ts';
import { nodeKey } from './node-index.ts';
import { NodeTargets } from './probes.ts';
import type { Ownership } from '../http/ownership.ts';
import { outboundTo } from '../gateway/upstreams.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { type FailoverResult, GeoActive, GeoFailovers } from './failovers.ts';
import { GeoRepository } from './repository.ts';
import { LatencyMatrixCache, type EncodedMatrix } from './latency.ts';
import { GeoMonitor, CHECK_MS } from './monitor.ts';
import { GeoRegions } from './regions.ts';
import { GeoReplication } from './replication.ts';
import type {
  ActiveResult,
  EventsSince,
  HeartbeatResult,
  NodePage,
  NodeResult,
  RegionResult,
  RemoveRegionResult,
  Routing,
} from './state.ts';
import { GEO_MIGRATIONS, type LogPage } from './store.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** How often metrics are reported where nothing changes. */
const GAUGES_MS = 10_000;
/** The time limit for sealing the store of a region before the next candidate is tried. */
const SEAL_TIMEOUT_MS = 1_000;
const AFTER_FAULT_MS = 5_000;
const EVENTS = 'events';

/**
 * The regions and their nodes, and the active region: this object alone decides that.
 *
 * Storage is the only truth for decisions. Node activity is in memory: after a restart nodes have
 * the full time to be heard again. While there are nodes, the alarm checks them each second.
 */
export class Geo extends StoredObject {
  readonly #repository: GeoRepository;
  readonly #failovers: GeoFailovers;
  readonly #active: GeoActive;
  readonly #monitor: GeoMonitor;
  readonly #nodes: GeoNodes;
  readonly #regions: GeoRegions;
  readonly #replication: GeoReplication;
  readonly #notifier = new Notifier();
  readonly #latencies: LatencyMatrixCache;
  #gaugesAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, GEO_MIGRATIONS);
    const config = geoConfigOf(env);
    const outbox = new Outbox(ctx.storage.sql, env);
    const targets = new NodeTargets(env.TARGET_ALLOWLIST, env.ANNOUNCED_ALLOWLIST);
    const repository = new GeoRepository(ctx.storage, config, targets, (event) => {
      outbox.add(event);
      this.#notifier.wake(EVENTS);
    });
    this.#repository = repository;
    this.#failovers = new GeoFailovers(repository, (id, epoch) => this.#seal(id, epoch));
    this.#active = new GeoActive(repository, this.#failovers);
    this.#monitor = new GeoMonitor({
      config,
      repository,
      targets,
      fetchTo: (url) => outboundTo(env, url),
      failovers: this.#failovers,
    });
    this.#nodes = new GeoNodes(repository);
    this.#latencies = new LatencyMatrixCache(repository);
    this.#regions = new GeoRegions(repository, this.#failovers);
    this.#replication = new GeoReplication(env, repository, config.replication_group_size);
    void ctx.blockConcurrencyWhile(() => this.#arm());
  }

  status(): GeoStatus {
    return this.#repository.status();
  }

  /** The figures of the platform overview. */
  summary(): Pick<Dashboard, 'regions' | 'nodes'> {
    const { active_region, total_regions, online_regions } = this.status();
    return {
      regions: { total: total_regions, online: online_regions, active_region },
      nodes: this.#repository.countNodes(Date.now()),
    };
  }

  routing(): Routing {
    const { active, epoch, regions } = this.#repository.state;
    const statuses = [...regions].map(([id, { health }]) => [id, health.status] as const);
    return {
      active,
      epoch,
      nodes: this.#repository.nodes.size,
      regions: Object.fromEntries(statuses),
    };
  }

  regions(): readonly RegionRecord[] {
    const now = Date.now();
    return this.#repository.sorted().map((region) => this.#repository.record(region, now));
  }

  region(regionId: string): RegionResult {
    return this.#regions.find(regionId);
  }

  createRegion(input: RegionInput): RegionResult {
    return this.#regions.create(input);
  }

  async removeRegion(
    regionId: string,
    isForced: boolean,
    ifMatch: string | null,
  ): Promise<RemoveRegionResult> {
    const region = this.#repository.state.regions.get(regionId);
    const hadCopies = this.#repository.nodes.countIn(regionId) > 0;
    const result = this.#regions.remove(regionId, isForced, ifMatch);
    if (result.kind === 'done' && region && hadCopies) await this.#replication.clear(region);
    return result;
  }

  async setStatus(
    regionId: string,
    change: StatusChange,
    ifMatch: string | null,
  ): Promise<RegionResult> {
    const result = await this.#regions.setStatus(regionId, change, ifMatch);
    await this.#tellGauges();
    return result;
  }

  nodes(query: Omit<NodeQuery, 'cursor'>, before: number): NodePage {
    return this.#nodes.list(query, before);
  }

  async createNode(input: NodeInput, whose: Ownership): Promise<NodeResult> {
    const result = this.#nodes.create(input, whose);
    this.#replication.hurry();
    await this.#arm();
    return result;
  }

  removeNode(nodeId: string, team: string): boolean {
    return this.#nodes.remove(nodeKey(team, nodeId));
  }

  heartbeat(nodeId: string, heartbeat: NodeHeartbeat, by: HeartbeatSender): HeartbeatResult {
    return this.#nodes.heartbeat(nodeId, heartbeat, by);
  }

  /**
   * Applies reports of discovery, at most each second. @returns whether any node is in one of our
   * regions
   */
  async report(seen: readonly NodeSeen[]): Promise<boolean> {
    const isOurs = this.#nodes.report(seen);
    if (isOurs) await this.#arm();
    return isOurs;
  }

  plan(request: FailoverRequest): FailoverResult {
    return this.#failovers.plan(request);
  }

  async failOver(input: FailoverInput): Promise<FailoverResult> {
    const result = await this.#failovers.manual(input);
    await this.#afterFailover(result.kind === 'done' ? result.event : undefined);
    return result;
  }

  history(limit: number): LogPage<FailoverEntry> {
    return this.#repository.store.failovers(limit);
  }

  active(): ActiveResult | undefined {
    return this.#active.show();
  }

  async setActive(
    change: ActiveRegionChange,
    by: string,
    ifMatch: string | null,
  ): Promise<ActiveResult> {
    const { result, event } = await this.#active.set(change, by, ifMatch);
    if (event) await this.#afterFailover(event);
    return result;
  }

  latencies(): EncodedMatrix {
    return this.#latencies.at(Date.now());
  }

  async replicationGroup(regionId: string): Promise<ReplicationGroup | undefined> {
    const source = this.#repository.state.regions.get(regionId);
    return source && this.#replication.groupOf(source);
  }

  events(after: number, limit: number): LogPage<GeoEvent> {
    return this.#repository.store.events(after, limit);
  }

  /** The events after a number, as a long poll of at most `waitMs`. */
  async follow(seq: number, waitMs: number): Promise<EventsSince> {
    if (waitMs > 0 && this.events(seq, 1).items.length === 0) {
      await this.#notifier.wait(EVENTS, waitMs);
    }
    const events = this.events(seq, 100).items;
    return { events, seq: events.at(-1)?.seq ?? seq };
  }

  /** An alarm may fire late or twice: it checks the present state. It never fails. */
  override async alarm(): Promise<void> {
    try {
      await this.#check();
      await this.#arm(this.#monitor.nextCheckAt(Date.now()));
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.error(JSON.stringify({ level: 'error', event: 'geo_look_failed', text }));
      await this.ctx.storage.setAlarm(Date.now() + AFTER_FAULT_MS);
    }
  }

  async #check(): Promise<void> {
    const now = Date.now();
    this.#nodes.reap(now);
    const isChanged = this.#monitor.check(now);
    const { epoch } = this.#repository.state;
    const isTried = await this.#monitor.failOver(now);
    if (this.#repository.state.epoch !== epoch) {
      await this.#afterFailover(this.history(1).items[0]);
    } else if (isChanged || isTried || now >= this.#gaugesAt) {
      await this.#tellGauges();
    }
    void this.#replication.tick(now);
  }

  async #afterFailover(event: FailoverEntry | undefined): Promise<void> {
    this.#replication.hurry();
    await this.#tellGauges(event ? [failoverCount(event)] : []);
  }

  /** Where this fails, the next check reports. */
  async #tellGauges(more: Parameters<ReturnType<typeof monitoringOf>['record']>[0] = []) {
    const now = Date.now();
    this.#gaugesAt = now + GAUGES_MS;
    const samples = [
      ...gaugesOf(this.#repository.state, this.#repository.countNodes(now)),
      ...more,
    ];
    await monitoringOf(this.env)
      .record(samples)
      .catch(() => {});
  }

  async #seal(regionId: string, epoch: number): Promise<void> {
    const found = this.#repository.state.regions.get(regionId);
    if (!found) throw new Error(`there is no region ${regionId}`);
    const late = scheduler.wait(SEAL_TIMEOUT_MS).then(() => {
      throw new Error(`no answer within ${SEAL_TIMEOUT_MS} ms`);
    });
    const sealing = regionStoreOf(this.env, found.region).seal(regionId, epoch);
    const result = await Promise.race([sealing, late]);
    if (result.kind === 'stale') throw new Error(`it has seen epoch ${result.epoch}`);
  }

  /** No checks where there are no nodes, or where they are disabled. */
  async #arm(at = Date.now() + CHECK_MS): Promise<void> {
    if (this.#repository.nodes.size === 0 || !geoConfigOf(this.env).enabled) return;
    const armed = (await this.ctx.storage.getAlarm()) ?? Infinity;
    if (armed > at || armed < Date.now() - AFTER_FAULT_MS) await this.ctx.storage.setAlarm(at);
  }
}

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
import { Signals } from '../events/signals.ts';
import { geoConfigOf } from './config.ts';
import type { Asked } from './failover-plan.ts';
import { failoverCount, gaugesOf } from './gauges.ts';
import { regionStoreOf } from './region-store-stub.ts';
import type { NodeSeen } from './node-activity.ts';
import { nodeKey } from './node-book.ts';
import { NodeTargets } from './node-targets.ts';
import type { Ownership } from '../http/ownership.ts';
import { outboundTo } from '../gateway/outbound.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { GeoActive } from './active.ts';
import { GeoBook } from './store-state.ts';
import { type FailoverResult, GeoFailovers } from './failovers.ts';
import { GeoLatencies, type KeptMatrix } from './latencies.ts';
import { GeoMonitor, LOOK_MS } from './monitor.ts';
import { GeoNodes, type Speaking } from './nodes.ts';
import { GeoRegions } from './regions.ts';
import { GeoReplication } from './replication.ts';
import type {
  ActiveResult,
  Followed,
  HeartbeatResult,
  NodePage,
  NodeResult,
  RegionResult,
  RemoveRegionResult,
  Routing,
} from './results.ts';
import { GEO_MIGRATIONS } from './schema.ts';
import type { LogPage } from './store.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** How often monitoring is told how things are where nothing changed. */
const GAUGES_MS = 10_000;
/** What the store of a region may take to answer before the next region is tried. */
const SEAL_TIMEOUT_MS = 1_000;
const AFTER_FAULT_MS = 5_000;
const EVENTS = 'events';

/**
 * The regions and their nodes, and which region is active: this object alone decides that.
 *
 * Storage is the only truth for what was decided. Signs of life are in memory: after a restart nodes
 * are given as long as ever to be heard. While there are nodes, the alarm looks at them each second.
 */
export class Geo extends StoredObject {
  readonly #book: GeoBook;
  readonly #failovers: GeoFailovers;
  readonly #active: GeoActive;
  readonly #monitor: GeoMonitor;
  readonly #nodes: GeoNodes;
  readonly #regions: GeoRegions;
  readonly #replication: GeoReplication;
  readonly #signals = new Signals();
  readonly #latencies: GeoLatencies;
  #gaugesAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, GEO_MIGRATIONS);
    const config = geoConfigOf(env);
    const outbox = new Outbox(ctx.storage.sql, env);
    const targets = new NodeTargets(env.TARGET_ALLOWLIST, env.ANNOUNCED_ALLOWLIST);
    const book = new GeoBook(ctx.storage, config, targets, (event) => {
      outbox.add(event);
      this.#signals.wake(EVENTS);
    });
    this.#book = book;
    this.#failovers = new GeoFailovers(book, (id, epoch) => this.#seal(id, epoch));
    this.#active = new GeoActive(book, this.#failovers);
    this.#monitor = new GeoMonitor({
      config,
      book,
      targets,
      fetchTo: (url) => outboundTo(env, url),
      failovers: this.#failovers,
    });
    this.#nodes = new GeoNodes(book);
    this.#latencies = new GeoLatencies(book);
    this.#regions = new GeoRegions(book, this.#failovers);
    this.#replication = new GeoReplication(env, book, config.replication_group_size);
    void ctx.blockConcurrencyWhile(() => this.#arm());
  }

  status(): GeoStatus {
    return this.#book.status();
  }

  /** What the overview of the platform shows. */
  summary(): Pick<Dashboard, 'regions' | 'nodes'> {
    const { active_region, total_regions, online_regions } = this.status();
    return {
      regions: { total: total_regions, online: online_regions, active_region },
      nodes: this.#book.countNodes(Date.now()),
    };
  }

  routing(): Routing {
    const { active, epoch, regions } = this.#book.state;
    const statuses = [...regions].map(([id, { health }]) => [id, health.status] as const);
    return { active, epoch, nodes: this.#book.nodes.size, regions: Object.fromEntries(statuses) };
  }

  regions(): readonly RegionRecord[] {
    const now = Date.now();
    return this.#book.sorted().map((region) => this.#book.record(region, now));
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
    const region = this.#book.state.regions.get(regionId);
    const hadCopies = this.#book.nodes.countIn(regionId) > 0;
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

  heartbeat(nodeId: string, beat: NodeHeartbeat, by: Speaking): HeartbeatResult {
    return this.#nodes.heartbeat(nodeId, beat, by);
  }

  /** Takes in what discovery knows of nodes, each second at best. Whether any is in a region of ours. */
  async report(seen: readonly NodeSeen[]): Promise<boolean> {
    const isOurs = this.#nodes.report(seen);
    if (isOurs) await this.#arm();
    return isOurs;
  }

  plan(asked: Asked): FailoverResult {
    return this.#failovers.plan(asked);
  }

  async failOver(input: FailoverInput): Promise<FailoverResult> {
    const result = await this.#failovers.manual(input);
    await this.#afterFailover(result.kind === 'done' ? result.event : undefined);
    return result;
  }

  history(limit: number): LogPage<FailoverEntry> {
    return this.#book.store.failovers(limit);
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

  latencies(): KeptMatrix {
    return this.#latencies.at(Date.now());
  }

  async replicationGroup(regionId: string): Promise<ReplicationGroup | undefined> {
    const source = this.#book.state.regions.get(regionId);
    return source && this.#replication.groupOf(source);
  }

  events(after: number, limit: number): LogPage<GeoEvent> {
    return this.#book.store.events(after, limit);
  }

  /** The events after a number, held back until there is one or `waitMs` is over. */
  async follow(seq: number, waitMs: number): Promise<Followed> {
    if (waitMs > 0 && this.events(seq, 1).items.length === 0) {
      await this.#signals.wait(EVENTS, waitMs);
    }
    const events = this.events(seq, 100).items;
    return { events, seq: events.at(-1)?.seq ?? seq };
  }

  /** An alarm may fire late or twice: it looks at how things are now. It does not fail. */
  override async alarm(): Promise<void> {
    try {
      await this.#look();
      await this.#arm(this.#monitor.nextLookAt(Date.now()));
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.error(JSON.stringify({ level: 'error', event: 'geo_look_failed', text }));
      await this.ctx.storage.setAlarm(Date.now() + AFTER_FAULT_MS);
    }
  }

  async #look(): Promise<void> {
    const now = Date.now();
    this.#nodes.reap(now);
    const isChanged = this.#monitor.look(now);
    const { epoch } = this.#book.state;
    const isTried = await this.#monitor.failOver(now);
    if (this.#book.state.epoch !== epoch) {
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

  /** Where this fails, the next look tells it. */
  async #tellGauges(more: Parameters<ReturnType<typeof monitoringOf>['record']>[0] = []) {
    const now = Date.now();
    this.#gaugesAt = now + GAUGES_MS;
    const samples = [...gaugesOf(this.#book.state, this.#book.countNodes(now)), ...more];
    await monitoringOf(this.env)
      .record(samples)
      .catch(() => {});
  }

  async #seal(regionId: string, epoch: number): Promise<void> {
    const found = this.#book.state.regions.get(regionId);
    if (!found) throw new Error(`there is no region ${regionId}`);
    const late = scheduler.wait(SEAL_TIMEOUT_MS).then(() => {
      throw new Error(`no answer within ${SEAL_TIMEOUT_MS} ms`);
    });
    const sealing = regionStoreOf(this.env, found.region).seal(regionId, epoch);
    const result = await Promise.race([sealing, late]);
    if (result.kind === 'stale') throw new Error(`it has seen epoch ${result.epoch}`);
  }

  /** Nobody looks where there are no nodes, or where looking is switched off. */
  async #arm(at = Date.now() + LOOK_MS): Promise<void> {
    if (this.#book.nodes.size === 0 || !geoConfigOf(this.env).enabled) return;
    const armed = (await this.ctx.storage.getAlarm()) ?? Infinity;
    if (armed > at || armed < Date.now() - AFTER_FAULT_MS) await this.ctx.storage.setAlarm(at);
  }
}

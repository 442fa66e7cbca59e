import type { Login, PersistedConnection, Sender } from './mqtt/ports.ts';
import { areLive } from '../access/live-credentials.ts';
import { MAX_ROUTES } from '../brain/endpoints.ts';
import type { BrainRoute } from '../brain/contract/reply.ts';
import type { Outcome } from '../brain/contract/requester.ts';
import type { NodeInfo } from './contract/node.ts';
import { BrainRequests, type Question } from './brain-requests.ts';
import { authenticate, mayPublish, maySubscribe } from './mqtt-access.ts';
import { type Directory, directoryOf, teamObject } from './directory-stub.ts';
import { GeoReporter } from './geo-reports.ts';
import { samplesOf } from './metrics.ts';
import { Broker } from './mqtt/broker.ts';
import type { Message } from './contract/mqtt/packet.ts';
import { NodeRegistry } from './node-registry.ts';
import { attachmentOf, SocketLink } from './socket-link.ts';
import type { Env } from '../env.ts';
import { Outbox } from '../events/outbox.ts';
import { callerIn } from '../gateway/socket-quota.ts';
import { allows, type Caller } from '../http/caller.ts';
import { quotaRefusal, teamOf, type Used } from '../http/ownership.ts';
import { ulid } from '../http/ulid.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { DISCOVERY_MIGRATIONS, DiscoveryStore, SHARD_HEADER, type Shard } from './store.ts';
import { StoredObject } from '../storage/stored-object.ts';
import { MqttStore } from './mqtt-store.ts';

/** How often the clients' credentials are checked. */
const CHECK_EVERY_MS = 30_000;
/** How often this broker is reported as being in use. */
const COUNT_EVERY_MS = 3_600_000;
/** How long a change waits to be written with others. */
const FLUSH_MS = 500;
/** Alarms due within this time are merged. */
const ALARM_GRID_MS = 100;

const MAX_REGIONS = 100;

/**
 * A brain's part in one region: an MQTT broker over hibernating WebSockets, and the nodes heard
 * on it; all of it belongs to one team. An object named after a brain alone is its directory of
 * regions; one named after a team is the directory of its brokers.
 *
 * Storage is the only truth of what outlasts a connection; the state of a connection is attached
 * to it. A heartbeat writes nothing. Changes of nodes are written together every half second, as
 * a thousand may come at once: nodes lost in a crash are heard again anyway.
 */
export class Discovery extends StoredObject implements Directory {
  readonly #store: DiscoveryStore;
  readonly #links = new Map<WebSocket, SocketLink>();
  readonly #broker: Broker;
  readonly #nodes: NodeRegistry;
  readonly #geo: GeoReporter;
  readonly #retained: MqttStore;
  readonly #requests: BrainRequests;
  readonly #outbox: Outbox;
  #shard: Shard | undefined;
  /** Whether the directory has this region. */
  #isKnown: boolean;
  /** Whether the directory was updated since the object woke: older versions did not do so. */
  #isAnnounced = false;
  /** When the next alarm is due; undefined since the object woke, possibly by that alarm. */
  #armedFor: number | undefined;
  #checkedAt = Date.now();
  #countedAt = Date.now();
  #reportedAt = 0;
  /** When metrics are reported next; Infinity while there is nothing new. */
  #reportAt = Infinity;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, DISCOVERY_MIGRATIONS, { mayHold: { mqtt_retained: 0 } });
    this.#store = new DiscoveryStore(ctx.storage.sql);
    this.#outbox = new Outbox(ctx.storage.sql, env);
    this.#shard = this.#store.shard();
    this.#isKnown = this.#shard !== undefined;
    this.#nodes = new NodeRegistry(this.#store, this.#shard);
    this.#geo = new GeoReporter(env, this.#nodes);
    const wake = () => this.#wakeAt(Date.now() + FLUSH_MS);
    // Created before the broker, which may publish wills as soon as it is restored.
    this.#requests = new BrainRequests((message) => this.#broker.publish(message), wake);
    const store = new MqttStore(ctx.storage.sql, wake);
    this.#retained = store;
    this.#broker = new Broker(
      {
        store,
        now: Date.now,
        makeId: () => `auto-${ulid()}`,
        // Every connection of this broker is a WebSocket of this object.
        authenticate: (login, link) => this.#authenticate(login, link as SocketLink),
        mayPublish: (caller, clientId, message) =>
          mayPublish(caller, clientId, message) &&
          this.#nodes.mayPublish(caller, clientId, message),
        maySubscribe,
        onMessage: (message, sender) => this.#onMessage(message, sender),
        overQuota: (quota, used) =>
          quotaRefusal(this.#team, { quota, used, settings: env.QUOTAS })?.message,
        wakeAt: (time) => this.#wakeAt(time),
      },
      { stored: store.load(), links: this.#liveLinks() },
    );
  }

  /** Accepts a client's WebSocket. */
  override fetch(request: Request): Response {
    const name = request.headers.get(SHARD_HEADER) ?? '';
    const [team = '', namespace = '', region = ''] = name.split('/');
    this.#shard = { team, namespace, region };
    this.#nodes.shard = this.#shard;
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    const link = new SocketLink(server, { caller: callerIn(request.headers) });
    link.keep(undefined);
    this.#links.set(server, link);
    this.#broker.open(link);
    if (this.#armedFor === undefined) this.#arm();
    const headers = { 'sec-websocket-protocol': 'mqtt' };
    return new Response(null, { status: 101, headers, webSocket: client });
  }

  override webSocketMessage(socket: WebSocket, data: ArrayBuffer | string): void | Promise<void> {
    const link = this.#links.get(socket);
    if (!link) return undefined;
    if (this.#armedFor === undefined) this.#arm();
    if (typeof data !== 'string') return this.#broker.receive(link, new Uint8Array(data));
    this.#broker.refuse(link, 'a text came, expected bytes');
    return undefined;
  }

  override webSocketClose(socket: WebSocket): void {
    const link = this.#links.get(socket);
    if (!link) return;
    this.#links.delete(socket);
    link.close(1000, '');
    this.#broker.closed(link);
  }

  override webSocketError(socket: WebSocket): void {
    this.webSocketClose(socket);
  }

  /** An alarm may fire late or twice: it handles what is due and arms the next one. */
  override async alarm(): Promise<void> {
    this.#broker.tick();
    for (const { nodeId } of this.#nodes.sweep()) this.#requests.nodeLeft(nodeId);
    this.#flush();
    if (Date.now() >= this.#checkedAt + CHECK_EVERY_MS) await this.#checkCallers();
    this.#report();
    this.ctx.waitUntil(this.#geo.report(this.#shard));
    this.#arm();
  }

  /** The nodes of this shard, as they are now. */
  nodes(): readonly NodeInfo[] {
    return this.#nodes.infos();
  }

  /** Publishes a prompt for a node, and waits for its reply. */
  ask(question: Question): Promise<Outcome> {
    return this.#requests.ask(question);
  }

  /** The routes that prompts took, as reported by the PFCs of this region, the latest first. */
  routes(): readonly BrainRoute[] {
    this.#flush();
    return this.#store.routes();
  }

  /** The regions in which this brain has had clients. */
  regions(): readonly string[] {
    return this.#store.regions();
  }

  async addRegion(region: string): Promise<void> {
    await this.makeKnown('Discovery');
    if (this.#store.regions().length < MAX_REGIONS) this.#store.addRegion(region);
  }

  /**
   * Counts a broker of this team for an owner, or for nobody where no quota applies.
   *
   * @returns the usage where the quota is exhausted: then it is not counted
   */
  claimBroker(shard: Shard, owner: string | undefined): Used | undefined {
    if (owner === undefined) return undefined;
    const now = Date.now();
    const used = this.#store.brokersBeside(shard, owner, now);
    const demand = { quota: 'brokers', settings: this.env.QUOTAS } as const;
    if (used && quotaRefusal(shard.team, { ...demand, used })) return used;
    this.#store.countBroker(shard, owner, now);
    return undefined;
  }

  /** Renews a broker that is counted. */
  keepBroker(shard: Shard): void {
    this.#store.keepBroker(shard, Date.now());
  }

  /** The first authenticated client makes the region known; where that fails, the next one does. */
  async #makeKnown(shard: Shard): Promise<void> {
    this.#isAnnounced = true;
    try {
      await directoryOf(this.env, shard).addRegion(shard.region);
      this.#store.saveShard(shard);
      this.#isKnown = true;
    } catch (error) {
      this.#isAnnounced = false;
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'region_not_known', text }));
    }
  }

  get #team(): string {
    return this.#shard?.team ?? '';
  }

  #authenticate(login: Login, { owner }: SocketLink): ReturnType<typeof authenticate> {
    const found = authenticate(this.env, login, owner);
    if (found && this.#shard && !this.#isAnnounced)
      this.ctx.waitUntil(this.#makeKnown(this.#shard));
    return found instanceof Promise
      ? found.then((caller) => this.#ofTeam(caller))
      : this.#ofTeam(found);
  }

  /** Only callers of this team, and administrators, may use its broker. */
  #ofTeam(caller: Caller | undefined): Caller | undefined {
    const isOurs = caller && (teamOf(caller) === this.#team || allows(caller, 'admin'));
    return isOurs ? caller : undefined;
  }

  #liveLinks(): readonly (readonly [SocketLink, PersistedConnection])[] {
    return this.ctx.getWebSockets().flatMap((socket) => {
      const { owner, kept } = attachmentOf(socket) ?? {};
      if (!owner || !kept) return [];
      const link = new SocketLink(socket, owner);
      this.#links.set(socket, link);
      return [[link, kept] as const];
    });
  }

  #onMessage(message: Message, sender: Sender): void {
    if (this.#requests.receive(message, sender.clientId)) return;
    const { change, isDirty } = this.#nodes.receive(message, sender);
    if (change?.to === 'inactive') this.#requests.nodeLeft(change.nodeId);
    if (isDirty) this.#wakeAt(Date.now() + FLUSH_MS);
  }

  /** Writes everything collected, in one turn. */
  #flush(): void {
    this.#nodes.flush(this.#outbox);
    this.#store.saveRoutes(this.#requests.takeRoutes(), MAX_ROUTES);
    this.#retained.flush();
  }

  #nextDue(): number {
    const check = this.#broker.connected > 0 ? this.#checkedAt + CHECK_EVERY_MS : Infinity;
    return Math.min(
      this.#broker.nextDue(),
      this.#nodes.nextDue(),
      check,
      this.#reportAt,
      this.#geo.nextDue(this.#shard),
    );
  }

  /** Reports metrics, at most every METRICS_FLUSH_MS; a lost report is covered by the next one. */
  #report(): void {
    // A shard that no client has authenticated for is not reported, so there is nothing to wake
    // for.
    if (!this.#shard || !this.#isKnown) {
      this.#reportAt = Infinity;
      return;
    }
    const now = Date.now();
    this.#reportAt = this.#reportedAt + this.env.METRICS_FLUSH_MS;
    if (now < this.#reportAt) return;
    this.#reportedAt = now;
    this.#reportAt = Infinity;
    const samples = samplesOf({
      ...this.#shard,
      nodes: this.nodes(),
      connected: this.#broker.connected,
      counted: this.#broker.takeCounters(),
    });
    const recorded = monitoringOf(this.env).record(samples);
    this.ctx.waitUntil(recorded.then(ignore, ignore));
  }

  /** One alarm for everything. It is only moved to an earlier time: a heartbeat costs nothing. */
  #wakeAt(time: number): void {
    if (time >= (this.#armedFor ?? -Infinity)) return;
    this.#armedFor = Math.max(time, Date.now() + ALARM_GRID_MS);
    void this.ctx.storage.setAlarm(this.#armedFor);
  }

  #arm(): void {
    this.#armedFor = Infinity;
    this.#wakeAt(this.#nextDue());
  }

  /** Renews the count of a broker with clients, which would expire after a day. */
  #keepCounted(now: number): void {
    if (!this.#shard || now < this.#countedAt + COUNT_EVERY_MS) return;
    this.#countedAt = now;
    const kept = teamObject(this.env, this.#team).keepBroker(this.#shard);
    this.ctx.waitUntil(kept.then(ignore, ignore));
  }

  async #checkCallers(): Promise<void> {
    this.#checkedAt = Date.now();
    this.#keepCounted(this.#checkedAt);
    const callers = [...new Map(this.#broker.callers().map((one) => [idOf(one), one])).values()];
    const live = await areLive(this.env, callers);
    const ended = new Set(callers.filter((_, i) => !live[i]).map(idOf));
    this.#broker.endCallers((caller) => !ended.has(idOf(caller)));
  }
}

const ignore = () => {};

const idOf = (caller: Caller): string => JSON.stringify(caller);

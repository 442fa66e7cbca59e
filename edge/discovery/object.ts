import { accessOf } from '../access/access-stub.ts';
import { MAX_ROUTES } from '../brain/endpoints.ts';
import type { BrainRoute } from '../brain/contract/reply.ts';
import type { Outcome } from '../brain/contract/requester.ts';
import type { NodeInfo } from './contract/node.ts';
import { type NodeChange, NodeTable } from './contract/node-table.ts';
import { nodeTopicOf } from './contract/topics.ts';
import { BrainDoor, type Question } from './brain-door.ts';
import { authenticate } from './authenticate.ts';
import { type Directory, directoryOf, teamObject } from './directory-stub.ts';
import { GeoReports } from './geo-reports.ts';
import { samplesOf } from './gauges.ts';
import { mayPublish, maySubscribe } from './mqtt/authorise.ts';
import { Broker } from './mqtt/broker.ts';
import type { Login, Sender } from './mqtt/broker-state.ts';
import type { KeptConnection } from './mqtt/connection.ts';
import type { Message } from './contract/mqtt/packet.ts';
import { nodeStatus } from './node-events.ts';
import { NodeSpeakers } from './node-speakers.ts';
import { attachmentOf, SocketLink } from './socket-link.ts';
import type { Env } from '../env.ts';
import { type Happening, Outbox } from '../events/outbox.ts';
import { callerIn } from '../gateway/socket-holder.ts';
import { allows, type Caller } from '../http/caller.ts';
import { quotaRefusal, teamOf, type Used } from '../http/ownership.ts';
import { ulid } from '../http/ulid.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { DISCOVERY_MIGRATIONS } from './schema.ts';
import { DiscoveryStore, type Shard } from './store.ts';
import { StoredObject } from '../storage/stored-object.ts';
import { MqttStore } from './mqtt-store.ts';

/** How often it is asked whether the clients' credentials still hold. */
const CHECK_EVERY_MS = 30_000;
/** How often it is said that this broker is in use. */
const COUNT_EVERY_MS = 3_600_000;
/** How long a change waits to be written with others. */
const FLUSH_MS = 500;
/** Alarms that are due almost at once are one. */
const ALARM_GRID_MS = 100;

const MAX_REGIONS = 100;

/** Tells the object which broker it is, as `<team>/<namespace>/<region>`. */
export const SHARD_HEADER = 'x-spikegrid-shard';

/**
 * A brain's part in one region: a broker of MQTT over hibernating WebSockets, and the nodes that are
 * heard on it; all of it is one team's. An object named after a brain alone is its directory and knows
 * the regions; one named after a team knows which brokers it has.
 *
 * Storage is the only truth of what outlasts a connection; what a connection needs lies beside it. A
 * heartbeat writes nothing. A node that comes, goes or changes its status is written with the others of
 * half a second, as a thousand may come at once: who is lost with the object is heard again anyway.
 */
export class Discovery extends StoredObject implements Directory {
  readonly #store: DiscoveryStore;
  readonly #links = new Map<WebSocket, SocketLink>();
  readonly #broker: Broker;
  readonly #nodes: NodeTable;
  readonly #speakers: NodeSpeakers;
  readonly #geo: GeoReports;
  readonly #retained: MqttStore;
  readonly #door: BrainDoor;
  /** Nodes to be written, and what is to be told of them. */
  readonly #changed = new Set<string>();
  readonly #outbox: Outbox;
  readonly #happened: Happening[] = [];
  #shard: Shard | undefined;
  /** Whether the directory has this region. */
  #isKnown: boolean;
  /** Whether the directory was told of it since the object woke: what an older version stored was not noted. */
  #isTold = false;
  /** When the next alarm is due; undefined since the object woke, as that may be because of it. */
  #armedFor: number | undefined;
  #checkedAt = Date.now();
  #countedAt = Date.now();
  #reportedAt = 0;
  /** When monitoring is told next; Infinity while there is nothing new. */
  #reportAt = Infinity;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, DISCOVERY_MIGRATIONS, { mayHold: { mqtt_retained: 0 } });
    this.#store = new DiscoveryStore(ctx.storage.sql);
    this.#outbox = new Outbox(ctx.storage.sql, env);
    this.#shard = this.#store.shard();
    this.#isKnown = this.#shard !== undefined;
    const kept = this.#store.nodesAtWake(Date.now());
    const states = kept.map(({ state }) => state);
    this.#nodes = new NodeTable({ regionId: this.#shard?.region ?? '', kept: states });
    this.#speakers = new NodeSpeakers(
      kept.map(({ state, speaker }) => [state.nodeId, speaker]),
      (nodeId) => this.#nodes.statusOf(nodeId, Date.now()),
    );
    this.#geo = new GeoReports(env, this.#nodes, this.#speakers);
    const wake = () => this.#wakeAt(Date.now() + FLUSH_MS);
    // It is there before the broker, which may publish wills of before as soon as it is.
    this.#door = new BrainDoor((message) => this.#broker.publish(message), wake);
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
          mayPublish(caller, clientId, message) && this.#maySpeak(caller, clientId, message),
        maySubscribe,
        onMessage: (message, sender) => this.#onMessage(message, sender),
        overQuota: (quota, used) =>
          quotaRefusal(this.#team, { quota, used, settings: env.QUOTAS })?.message,
        wakeAt: (time) => this.#wakeAt(time),
      },
      { stored: store.load(), links: this.#liveLinks() },
    );
  }

  /** Takes a WebSocket of a client. */
  override fetch(request: Request): Response {
    const name = request.headers.get(SHARD_HEADER) ?? '';
    const [team = '', namespace = '', region = ''] = name.split('/');
    this.#shard = { team, namespace, region };
    this.#nodes.regionId = region;
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

  /** An alarm may fire late or twice: what is due is looked up, and the next one armed. */
  override async alarm(): Promise<void> {
    this.#broker.tick();
    for (const change of this.#nodes.sweep(Date.now())) {
      this.#note(change);
      this.#door.nodeLeft(change.nodeId);
      if (change.to === 'forgotten') this.#speakers.forget(change.nodeId);
    }
    this.#flush();
    if (Date.now() >= this.#checkedAt + CHECK_EVERY_MS) await this.#checkCallers();
    this.#report();
    this.ctx.waitUntil(this.#geo.tell(this.#shard));
    this.#arm();
  }

  /** The nodes that are heard here, as they are now. */
  nodes(): readonly NodeInfo[] {
    return this.#nodes.infos(Date.now()).map((info) => this.#speakers.shown(info));
  }

  /** Publishes a prompt for a node, and waits for what it answers. */
  ask(question: Question): Promise<Outcome> {
    return this.#door.ask(question);
  }

  /** The ways prompts took, as the PFCs of this region told them; the latest first. */
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
   * Counts a broker of this team for an owner, or for nobody where no quota binds him. What there is
   * beside it, where that is too much: then it is not counted.
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

  /** A broker that is counted goes on being used. */
  keepBroker(shard: Shard): void {
    this.#store.keepBroker(shard, Date.now());
  }

  /** The first client that may be here makes the region known; where that fails, the next one does. */
  async #makeKnown(shard: Shard): Promise<void> {
    this.#isTold = true;
    try {
      await directoryOf(this.env, shard).addRegion(shard.region);
      this.#store.saveShard(shard);
      this.#isKnown = true;
    } catch (error) {
      this.#isTold = false;
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'region_not_known', text }));
    }
  }

  get #team(): string {
    return this.#shard?.team ?? '';
  }

  #authenticate(login: Login, { owner }: SocketLink): ReturnType<typeof authenticate> {
    const found = authenticate(this.env, login, owner);
    if (found && this.#shard && !this.#isTold) this.ctx.waitUntil(this.#makeKnown(this.#shard));
    return found instanceof Promise
      ? found.then((caller) => this.#ofTeam(caller))
      : this.#ofTeam(found);
  }

  /** Whoever opened the WebSocket: nobody of another team comes in on it, but administrators. */
  #ofTeam(caller: Caller | undefined): Caller | undefined {
    const isOurs = caller && (teamOf(caller) === this.#team || allows(caller, 'admin'));
    return isOurs ? caller : undefined;
  }

  #maySpeak(caller: Caller, clientId: string, { topic }: Message): boolean {
    return nodeTopicOf(topic) === undefined || this.#speakers.maySpeak(caller, clientId);
  }

  #liveLinks(): readonly (readonly [SocketLink, KeptConnection])[] {
    return this.ctx.getWebSockets().flatMap((socket) => {
      const { owner, kept } = attachmentOf(socket) ?? {};
      if (!owner || !kept) return [];
      const link = new SocketLink(socket, owner);
      this.#links.set(socket, link);
      return [[link, kept] as const];
    });
  }

  #onMessage(message: Message, sender: Sender): void {
    const { clientId } = sender;
    if (this.#door.receive(message, clientId)) return;
    const now = Date.now();
    const change = this.#nodes.receive(message.topic, message.payload, now);
    const isOfNode = this.#nodes.state(clientId) && nodeTopicOf(message.topic) !== undefined;
    if (isOfNode && this.#speakers.spoke(sender)) {
      this.#changed.add(clientId);
      this.#wakeAt(now + FLUSH_MS);
    }
    if (!change) return;
    if (change.to === 'inactive') this.#door.nodeLeft(change.nodeId);
    this.#note(change);
    this.#wakeAt(Date.now() + FLUSH_MS);
  }

  #note(change: NodeChange): void {
    const { nodeId, from, to } = change;
    this.#changed.add(nodeId);
    if (from === to || !this.#shard) return;
    this.#happened.push(nodeStatus(change, this.#nodes.state(nodeId), this.#shard));
  }

  /** Writes what has waited, in one turn. The alarm that does it looks at all nodes too. */
  #flush(): void {
    for (const nodeId of this.#changed) {
      const state = this.#nodes.state(nodeId);
      if (state) this.#store.saveNode({ state, speaker: this.#speakers.of(nodeId) });
      else this.#store.removeNode(nodeId);
    }
    this.#changed.clear();
    for (const happening of this.#happened.splice(0)) this.#outbox.add(happening);
    this.#store.saveRoutes(this.#door.takeRoutes(), MAX_ROUTES);
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

  /** Tells monitoring how things are, at most every METRICS_FLUSH_MS; what is lost, the next one tells. */
  #report(): void {
    // Nobody can be told of a shard that no client has proved: there is nothing to wake for.
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
    const told = monitoringOf(this.env).record(samples);
    this.ctx.waitUntil(told.then(ignore, ignore));
  }

  /** One alarm for all that is due. It is moved only to be earlier: a heartbeat costs nothing. */
  #wakeAt(time: number): void {
    if (time >= (this.#armedFor ?? -Infinity)) return;
    this.#armedFor = Math.max(time, Date.now() + ALARM_GRID_MS);
    void this.ctx.storage.setAlarm(this.#armedFor);
  }

  #arm(): void {
    this.#armedFor = Infinity;
    this.#wakeAt(this.#nextDue());
  }

  /** A broker that has clients counts for longer than a day. */
  #keepCounted(now: number): void {
    if (!this.#shard || now < this.#countedAt + COUNT_EVERY_MS) return;
    this.#countedAt = now;
    const kept = teamObject(this.env, this.#team).keepBroker(this.#shard);
    this.ctx.waitUntil(kept.then(ignore, ignore));
  }

  /** Where the Access object is silent, only their time says, which the broker looks at. */
  async #checkCallers(): Promise<void> {
    this.#checkedAt = Date.now();
    this.#keepCounted(this.#checkedAt);
    const callers = [...new Map(this.#broker.callers().map((one) => [idOf(one), one])).values()];
    try {
      const live = await accessOf(this.env).areLive(callers);
      const ended = new Set(callers.filter((_, i) => !live[i]).map(idOf));
      this.#broker.endCallers((caller) => !ended.has(idOf(caller)));
    } catch (error) {
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'clients_not_checked', text }));
    }
  }
}

const ignore = () => {};

const idOf = (caller: Caller): string => JSON.stringify(caller);

import { areLive } from '../access/live-credentials.ts';
import type { NewEvent } from '../events/contract/platform-event.ts';
import { LOG_PING, LOG_PONG, LOG_PROTOCOL } from './contract/log-frames.ts';
import type { LogMetrics, NewLogMessage } from './contract/log-message.ts';
import type { Env } from '../env.ts';
import { callerIn, fullAnswer } from '../gateway/socket-quota.ts';
import { messageOf, type Publisher, type Unnumbered } from './line.ts';
import { parseRedisAddress } from './redis/resp.ts';
import { RedisRelay } from './redis/relay.ts';
import { streamQueryIn } from './stream-query.ts';
import { type EventQuery, type EventRange, EventHub } from '../events/hub-events.ts';
import { LogBuffer } from './buffer.ts';
import { LogClients } from './clients.ts';
import { LogCounters } from './counters.ts';
import { LOG_HUB_MIGRATIONS } from './schema.ts';
import { type LogPage, LogStore, type SearchQuery } from './store.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** The interval of writes, and of checks for clients that do not acknowledge. */
const TICK_MS = 200;
/** How often the callers' credentials are checked again. */
const CHECK_EVERY_MS = 5_000;
/** How often the object wakes to receive messages of other platforms. */
const AWAKE_EVERY_MS = 30_000;

/** Messages are sent in parts that fit into a client's queue. */
const PART = 64;
/**
 * The longest time a publisher waits for clients that keep up, and the interval of checking them.
 */
const HOLD_MS = 50;
const LOOK_MS = 5;

interface PublishResult {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly delivered: number;
  readonly dropped: number;
}

interface HubState {
  readonly clients: number;
  /** The number of messages waiting to be written. */
  readonly waiting: number;
  readonly redis: 'off' | 'connected' | 'away' | 'misconfigured';
}

/**
 * The log of the distributed brain and the events of the platform: numbers, sends and stores what
 * is published. Events are written before they are accepted. Other state that has to survive
 * hibernation is in the store and in the sockets; a crash loses messages published within TICK_MS,
 * which is reported as a gap.
 */
export class LogHub extends StoredObject {
  readonly #store: LogStore;
  readonly #buffer: LogBuffer;
  readonly #counters: LogCounters;
  readonly #events: EventHub;
  readonly #clients: LogClients;
  readonly #relay: RedisRelay | 'off' | 'misconfigured';
  #tick: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, LOG_HUB_MIGRATIONS);
    this.#store = new LogStore(ctx.storage.sql);
    const transact = (write: () => void) => ctx.storage.transactionSync(write);
    this.#buffer = new LogBuffer(this.#store, transact);
    this.#counters = new LogCounters(this.#store);
    const { storage } = ctx;
    this.#events = new EventHub({ storage, env, buffer: this.#buffer, store: this.#store });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LOG_PING, LOG_PONG));
    const options = {
      buffer: this.#buffer,
      counters: this.#counters,
      ackWithinMs: env.DISTRIBUTED_WS_SEND_TIMEOUT * 1000,
      wake: () => this.#tickSoon(),
    };
    this.#clients = new LogClients(options, ctx.getWebSockets());
    this.#relay = this.#openRelay(env.DISTRIBUTED_WS_REDIS ?? '', env.DISTRIBUTED_WS_REDIS_QUEUE);
  }

  protected override derive(): void {
    this.#store.indexAll();
  }

  /** Opens a connection for a caller authenticated by the gateway. */
  override async fetch({ headers }: Request): Promise<Response> {
    const caller = callerIn(headers);
    const full = fullAnswer(caller, this.#clients.usedBy(caller), this.env.QUOTAS);
    if (full) return full;
    const { 0: outer, 1: socket } = new WebSocketPair();
    this.ctx.acceptWebSocket(socket);
    this.#clients.open(socket, caller, streamQueryIn(headers));
    this.#tickSoon();
    await this.#arm();
    return new Response(null, { status: 101, webSocket: outer, headers: protocolFor(headers) });
  }

  /**
   * Publishes messages in order, on behalf of a publisher. It waits briefly where clients that keep
   * up would lose messages otherwise, and never for those that do not.
   */
  async publish(said: readonly NewLogMessage[], by: Publisher): Promise<PublishResult> {
    const now = Date.now();
    const messages = said.map((message) => messageOf(message, by, now));
    if (this.#relay instanceof RedisRelay) this.#relay.publish(messages);
    const parts: PublishResult[] = [];
    for (let start = 0; start < messages.length; start += PART) {
      await this.#room(now + HOLD_MS);
      parts.push(this.#broadcast(messages.slice(start, start + PART), Date.now()));
    }
    return parts.reduce((sum, { last, delivered, dropped }) => ({
      ...sum,
      last,
      delivered: sum.delivered + delivered,
      dropped: sum.dropped + dropped,
    }));
  }

  /** Accepts events, ignoring duplicates, and sends them to all matching clients. */
  async tell(events: readonly NewEvent[]): Promise<void> {
    const now = Date.now();
    const lines = this.#events.take(events, now);
    if (lines.length === 0) return;
    this.#write(now);
    this.#clients.broadcast(lines, now);
    this.#tickSoon();
  }

  /** A page of the stored events. */
  events(query: EventQuery): EventRange {
    return this.#events.page(query);
  }

  /** The events after a number, as a long poll of at most `waitMs`. */
  followEvents(query: EventQuery, waitMs: number): Promise<EventRange> {
    return this.#events.follow(query, waitMs);
  }

  /**
   * A page of the stored messages, the latest first; `before` is the `next` of the previous page.
   */
  search(query: SearchQuery, before: number): LogPage {
    this.#write(Date.now());
    return this.#store.search(query, before);
  }

  metrics(): LogMetrics {
    const { last_update, ...counts } = this.#counters.values;
    return { ...counts, connected_clients: this.#clients.size, last_update };
  }

  /**
   * The state for the gateway's health. Calling it also lets the object receive messages of other
   * platforms.
   */
  async state(): Promise<HubState> {
    await this.#arm();
    const redis = typeof this.#relay === 'string' ? this.#relay : this.#relay.state;
    return { clients: this.#clients.size, waiting: this.#buffer.waiting, redis };
  }

  override webSocketMessage(socket: WebSocket, said: string | ArrayBuffer): void {
    this.#clients.hear(socket, said, Date.now());
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#clients.forget(socket);
    // 1005 stands for no code, and 1006 for a broken connection: neither may be sent.
    if (code === 1005 || code === 1006) socket.close();
    else socket.close(code);
  }

  override webSocketError(socket: WebSocket): void {
    this.#clients.forget(socket);
  }

  /** An alarm may fire late or twice: it only checks credentials. */
  override async alarm(): Promise<void> {
    const callers = this.#clients.callers();
    const live = await areLive(this.env, callers);
    this.#clients.endThoseWhoMayNot(callers, live);
    await this.#arm();
  }

  /** Waits until clients that keep up have credit, or the deadline. */
  async #room(deadline: number): Promise<void> {
    while (this.#clients.isCrowded(Date.now()) && Date.now() < deadline) {
      await scheduler.wait(LOOK_MS);
    }
  }

  #openRelay(setting: string, maxWaiting: number): RedisRelay | 'off' | 'misconfigured' {
    if (setting === '') return 'off';
    const listener = {
      received: (messages: readonly Unnumbered[]) => void this.#broadcast(messages, Date.now()),
      lost: (count: number) => {
        this.#counters.count('persist_drops', count);
        this.#tickSoon();
      },
    };
    try {
      return new RedisRelay(parseRedisAddress(setting), listener, maxWaiting);
    } catch (error) {
      const text = String(error);
      console.error(JSON.stringify({ level: 'error', event: 'log_relay_misconfigured', text }));
      return 'misconfigured';
    }
  }

  #broadcast(messages: readonly Unnumbered[], now: number): PublishResult {
    const lines = this.#buffer.add(messages);
    const counts = this.#clients.broadcast(lines, now);
    this.#tickSoon();
    const { id, seq: first } = lines[0]?.log ?? { id: '', seq: 0 };
    return { id, first, last: this.#buffer.last, ...counts };
  }

  #tickSoon(): void {
    if (this.#tick === undefined) this.#tick = setTimeout(() => this.#onTick(), TICK_MS);
  }

  /** Ticks while there is something to do; after that the object may hibernate. */
  #onTick(): void {
    this.#tick = undefined;
    const now = Date.now();
    const isQuiet = this.#buffer.isWritten;
    this.#clients.endTheSlow(now);
    this.#write(now);
    if (isQuiet) this.#buffer.rest();
    this.#clients.save();
    const isDone = isQuiet && !this.#clients.isWaited;
    if (!isDone) this.#tickSoon();
  }

  #write(now: number): void {
    this.#counters.count('persist_drops', this.#buffer.flush(now));
    this.#counters.save();
  }

  /** Arms the alarm for checks of credentials, and for messages of other platforms. */
  async #arm(): Promise<void> {
    const mayEnd = this.#clients.callers().some((caller) => 'id' in caller);
    const isRelaying = this.#relay instanceof RedisRelay;
    if (!mayEnd && !isRelaying) return;
    const next = Date.now() + (mayEnd ? CHECK_EVERY_MS : AWAKE_EVERY_MS);
    const armed = await this.ctx.storage.getAlarm();
    if (armed === null || armed > next) await this.ctx.storage.setAlarm(next);
  }
}

/** Accepts the subprotocol where the client offers it. */
function protocolFor(headers: Headers): Record<string, string> {
  const offered = (headers.get('sec-websocket-protocol') ?? '').split(',');
  const isOurs = offered.some((name) => name.trim() === LOG_PROTOCOL);
  return isOurs ? { 'sec-websocket-protocol': LOG_PROTOCOL } : {};
}

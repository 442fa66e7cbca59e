import { accessOf } from '../access/access-stub.ts';
import type { NewEvent } from '../events/contract/platform-event.ts';
import { LOG_PING, LOG_PONG, LOG_PROTOCOL } from './contract/log-frames.ts';
import type { LogMetrics, NewLogMessage } from './contract/log-message.ts';
import type { Env } from '../env.ts';
import { callerIn, fullAnswer } from '../gateway/socket-holder.ts';
import { hasEnded } from '../http/caller.ts';
import type { EventHub } from '../events/outbox.ts';
import { messageOf, type Publisher, type Unnumbered } from './line.ts';
import { parseRedisAddress } from './redis/redis-address.ts';
import { RedisRelay } from './redis/redis-relay.ts';
import { streamQueryIn } from './stream-query.ts';
import { type EventQuery, type EventStretch, HubEvents } from '../events/hub-events.ts';
import { LogBook } from './buffer.ts';
import { LogClients } from './clients.ts';
import { LogCounters } from './counters.ts';
import { LOG_HUB_MIGRATIONS } from './schema.ts';
import { type LogPage, LogStore, type SearchQuery } from './store.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** Messages wait so long to be written together; as often it is looked for clients that do not acknowledge. */
const TICK_MS = 200;
/** How often the callers' credentials are looked at again. */
const CHECK_EVERY_MS = 5_000;
/** The object does not fall asleep where it has to hear of other platforms. */
const AWAKE_EVERY_MS = 30_000;

/** Messages go out in parts that the queue of a client has room for. */
const PART = 64;
/** A publisher waits at most so long for clients that keep up, and it is looked so often whether they do. */
const HOLD_MS = 50;
const LOOK_MS = 5;

export interface PublishResult {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly delivered: number;
  readonly dropped: number;
}

export interface HubState {
  readonly clients: number;
  /** Messages that wait to be written. */
  readonly waiting: number;
  readonly redis: 'off' | 'connected' | 'away' | 'misconfigured';
}

/**
 * The log of the distributed brain and the events of the platform: numbers what is published, sends
 * it to all who follow, and keeps it. Events are written before they are taken. What else has to outlast the object's sleep lies in the store and in the sockets; a crash
 * loses messages published within TICK_MS, and says so with a gap.
 */
export class LogHub extends StoredObject implements EventHub {
  readonly #store: LogStore;
  readonly #book: LogBook;
  readonly #counters: LogCounters;
  readonly #events: HubEvents;
  readonly #clients: LogClients;
  readonly #relay: RedisRelay | 'off' | 'misconfigured';
  #tick: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, LOG_HUB_MIGRATIONS);
    this.#store = new LogStore(ctx.storage.sql);
    const transact = (write: () => void) => ctx.storage.transactionSync(write);
    this.#book = new LogBook(this.#store, transact);
    this.#counters = new LogCounters(this.#store);
    const { storage } = ctx;
    this.#events = new HubEvents({ storage, env, book: this.#book, store: this.#store });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LOG_PING, LOG_PONG));
    const options = {
      book: this.#book,
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

  /** Opens a connection for a caller whom the gateway found out. */
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
   * Publishes messages in their order; `by` says whose they are. It waits a moment
   * where clients that keep up would lose messages otherwise, and never for those that do not.
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

  /** Takes events in, also those that it was told before, and sends them to all who want them. */
  async tell(events: readonly NewEvent[]): Promise<void> {
    const now = Date.now();
    const lines = this.#events.take(events, now);
    if (lines.length === 0) return;
    this.#write(now);
    this.#clients.broadcast(lines, now);
    this.#tickSoon();
  }

  /** A page of the kept events. */
  events(query: EventQuery): EventStretch {
    return this.#events.page(query);
  }

  /** The events after a number, held back until there is one or `waitMs` is over. */
  followEvents(query: EventQuery, waitMs: number): Promise<EventStretch> {
    return this.#events.follow(query, waitMs);
  }

  /** A page of the kept messages, the latest first; `before` is the `next` of the page before. */
  search(query: SearchQuery, before: number): LogPage {
    this.#write(Date.now());
    return this.#store.search(query, before);
  }

  metrics(): LogMetrics {
    const { last_update, ...counts } = this.#counters.values;
    return { ...counts, connected_clients: this.#clients.size, last_update };
  }

  /** How it is, for the health of the gateway. Being asked also lets it hear of other platforms. */
  async state(): Promise<HubState> {
    await this.#arm();
    const redis = typeof this.#relay === 'string' ? this.#relay : this.#relay.state;
    return { clients: this.#clients.size, waiting: this.#book.waiting, redis };
  }

  override webSocketMessage(socket: WebSocket, said: string | ArrayBuffer): void {
    this.#clients.hear(socket, said, Date.now());
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    this.#clients.forget(socket);
    // 1005 stands for no code, and 1006 for a connection that broke: nobody may send them.
    if (code === 1005 || code === 1006) socket.close();
    else socket.close(code);
  }

  override webSocketError(socket: WebSocket): void {
    this.#clients.forget(socket);
  }

  /** An alarm may fire late or twice: it looks at the credentials, and at nothing else. */
  override async alarm(): Promise<void> {
    const callers = this.#clients.callers();
    const live = await accessOf(this.env)
      .areLive(callers)
      // Where the Access object is silent, only their time says.
      .catch(() => callers.map((caller) => !hasEnded(caller, Date.now())));
    this.#clients.endThoseWhoMayNot(callers, live);
    await this.#arm();
  }

  /** Until those who keep up have room, at most until a moment. */
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
    const lines = this.#book.add(messages);
    const counts = this.#clients.broadcast(lines, now);
    this.#tickSoon();
    const { id, seq: first } = lines[0]?.log ?? { id: '', seq: 0 };
    return { id, first, last: this.#book.last, ...counts };
  }

  #tickSoon(): void {
    if (this.#tick === undefined) this.#tick = setTimeout(() => this.#onTick(), TICK_MS);
  }

  /** Ticks as long as there is something to do; after that the object may fall asleep. */
  #onTick(): void {
    this.#tick = undefined;
    const now = Date.now();
    const isQuiet = this.#book.isWritten;
    this.#clients.endTheSlow(now);
    this.#write(now);
    if (isQuiet) this.#book.rest();
    this.#clients.save();
    const isDone = isQuiet && !this.#clients.isWaited;
    if (!isDone) this.#tickSoon();
  }

  #write(now: number): void {
    this.#counters.count('persist_drops', this.#book.flush(now));
    this.#counters.save();
  }

  /** Wakes in time for whoever's credentials may end, and for the messages of other platforms. */
  async #arm(): Promise<void> {
    const mayEnd = this.#clients.callers().some((caller) => 'id' in caller);
    const isRelaying = this.#relay instanceof RedisRelay;
    if (!mayEnd && !isRelaying) return;
    const next = Date.now() + (mayEnd ? CHECK_EVERY_MS : AWAKE_EVERY_MS);
    const armed = await this.ctx.storage.getAlarm();
    if (armed === null || armed > next) await this.ctx.storage.setAlarm(next);
  }
}

/** Answers the subprotocol where the client offers it. */
function protocolFor(headers: Headers): Record<string, string> {
  const offered = (headers.get('sec-websocket-protocol') ?? '').split(',');
  const isOurs = offered.some((name) => name.trim() === LOG_PROTOCOL);
  return isOurs ? { 'sec-websocket-protocol': LOG_PROTOCOL } : {};
}

import type { LogBye, LogHello } from './contract/log-frames.ts';
import type { LogStreamQuery } from './contract/log-query.ts';
import type { Caller } from '../http/caller.ts';
import { holderOf, Tally, teamOf, type Used } from '../http/ownership.ts';
import { joinOnce, LogClient, parseClientMessage } from './client.ts';
import { type Line, matches } from './line.ts';
import { filterOf, startOf } from './stream-query.ts';
import type { LogBuffer } from './buffer.ts';
import type { LogCounters } from './counters.ts';

/** Messages within this time share a frame to each client. */
const DELIVER_MS = 20;
const PING_S = 25;

/** The delay before a client may reconnect, by the reason of closing. */
const RETRY_AFTER_S: Readonly<Record<LogBye['reason'], number>> = {
  send_timeout: 1,
  restart: 1,
  credentials_ended: 0,
  misbehaved: 60,
};

interface LogSubscribersOptions {
  readonly buffer: LogBuffer;
  readonly counters: LogCounters;
  /** The time limit for acknowledgements. */
  readonly ackWithinMs: number;
  /** Requests a tick soon. */
  readonly wake: () => void;
}

/** All clients of the log stream. */
export class LogClients {
  readonly #options: LogSubscribersOptions;
  readonly #clients = new Map<WebSocket, LogClient>();
  /** Connections by team and owner. */
  readonly #teams = new Map<string, Tally>();
  #delivery: ReturnType<typeof setTimeout> | undefined;
  #deliveredAt = 0;

  /** @param sockets those that survived hibernation */
  constructor(options: LogSubscribersOptions, sockets: readonly WebSocket[]) {
    this.#options = options;
    for (const socket of sockets) {
      if (socket.readyState !== WebSocket.OPEN) continue;
      const client = LogClient.restore(socket);
      this.#add(socket, client);
      this.#catchUp(client, Date.now());
      client.deliver();
    }
  }

  get size(): number {
    return this.#clients.size;
  }

  /**
   * The number of connections of a caller (a key's sessions count with the key) and of its team.
   */
  usedBy(caller: Caller): Used {
    return this.#tallyOf(caller).usedBy(holderOf(caller));
  }

  #tallyOf(caller: Caller): Tally {
    const team = teamOf(caller);
    const known = this.#teams.get(team) ?? new Tally();
    this.#teams.set(team, known);
    return known;
  }

  #add(socket: WebSocket, client: LogClient): void {
    const { caller } = client.subscriber;
    this.#clients.set(socket, client);
    this.#tallyOf(caller).add(holderOf(caller));
  }

  callers(): readonly Caller[] {
    return Array.from(this.#clients.values(), ({ subscriber }) => subscriber.caller);
  }

  /** Whether a client that keeps up is about to lose messages. */
  isCrowded(now: number): boolean {
    return [...this.#clients.values()].some(({ flow }) => flow.isCrowded(now));
  }

  /** Whether any client has unacknowledged messages. */
  get isWaited(): boolean {
    return [...this.#clients.values()].some(({ flow }) => flow.waitingSince !== undefined);
  }

  open(socket: WebSocket, caller: Caller, query: LogStreamQuery): void {
    const { buffer, counters, ackWithinMs } = this.#options;
    const subscriber = {
      caller,
      filter: filterOf(query, caller),
      isBatched: query.batch === 'true',
    };
    const client = LogClient.open(socket, subscriber, startOf(query, buffer));
    this.#add(socket, client);
    const hello: LogHello = {
      type: 'hello',
      stream_id: buffer.streamId,
      seq: buffer.last,
      ping_s: PING_S,
      ack_within_ms: ackWithinMs,
    };
    client.say(hello);
    this.#catchUp(client, Date.now());
    client.deliver();
    client.save();
    counters.changed();
  }

  /**
   * Sends messages to all matching clients. @returns how many were sent or queued, and how many
   * were lost
   */
  broadcast(lines: readonly Line[], now: number) {
    let delivered = 0;
    let dropped = 0;
    for (const client of this.#clients.values()) {
      // A client that is behind finds them in the buffer.
      if (!client.flow.isLive) continue;
      for (const line of lines) {
        if (!matches(line, client.subscriber.filter)) continue;
        const { send, lost } = client.flow.publish(line, now);
        client.push(send);
        delivered += 1;
        dropped += lost;
      }
    }
    this.#options.counters.count('broadcast_drops', dropped);
    this.#deliverSoon(now);
    return { delivered, dropped };
  }

  /** Handles a message of a client. */
  hear(socket: WebSocket, said: string | ArrayBuffer, now: number): void {
    const client = this.#clients.get(socket);
    if (!client) return;
    if (!client.allowsMessage(now)) return this.#end(client, 'misbehaved');
    const message = parseClientMessage(said);
    if (message.type === 'ack') this.#acknowledge(client, message.seq, now);
    else client.say(message.type === 'ping' ? { type: 'pong' } : message);
    if (message.type === 'error' && !client.toleratesFault())
      return this.#end(client, 'misbehaved');
    client.deliver();
  }

  forget(socket: WebSocket): void {
    const client = this.#clients.get(socket);
    if (client) {
      this.#clients.delete(socket);
      this.#options.counters.changed();
      const { caller } = client.subscriber;
      this.#tallyOf(caller).remove(holderOf(caller));
    }
    this.#options.wake();
  }

  /** Closes clients that have not acknowledged in time. */
  endTheSlow(now: number): void {
    const since = now - this.#options.ackWithinMs;
    for (const client of this.#clients.values()) {
      if ((client.flow.waitingSince ?? now) >= since) continue;
      this.#options.counters.count('send_timeouts', 1);
      this.#end(client, 'send_timeout');
    }
  }

  /**
   * Closes clients whose credentials are no longer valid; `live` has one entry for each of
   * `callers`.
   */
  endThoseWhoMayNot(callers: readonly Caller[], live: readonly boolean[]): void {
    const ended = new Set(callers.filter((_, i) => !live[i]));
    for (const client of this.#clients.values()) {
      if (ended.has(client.subscriber.caller)) this.#end(client, 'credentials_ended');
    }
  }

  /** Attaches to the sockets what has to survive hibernation. */
  save(): void {
    for (const client of this.#clients.values()) client.save();
  }

  /** Immediately after a pause; messages in quick succession are batched. */
  #deliverSoon(now: number): void {
    if (this.#delivery) return;
    const waitMs = this.#deliveredAt + DELIVER_MS - now;
    if (waitMs <= 0) return this.#deliver();
    this.#delivery = setTimeout(() => this.#deliver(), Math.min(waitMs, DELIVER_MS));
  }

  #deliver(): void {
    this.#delivery = undefined;
    this.#deliveredAt = Date.now();
    const join = joinOnce();
    for (const client of this.#clients.values()) client.deliver(join);
  }

  #acknowledge(client: LogClient, seq: number, now: number): void {
    const send = client.flow.acknowledge(seq, now);
    if (!send) {
      const detail = `got ${seq}, expected at most ${client.flow.position}, which was sent last`;
      client.say({ type: 'error', code: 'invalid_ack', detail });
      return;
    }
    client.push(send);
    this.#catchUp(client, now);
    this.#options.wake();
  }

  /** Sends a client that is behind messages of the buffer, as far as there is credit. */
  #catchUp(client: LogClient, now: number): void {
    const { flow, subscriber } = client;
    if (!flow.isLive) this.#options.wake();
    while (!flow.isLive && flow.room > 0) {
      const batch = this.#options.buffer.read(flow.position, subscriber.filter, flow.room);
      client.touch();
      if (batch.kind === 'hole') {
        flow.skip({ type: 'gap', ...batch.hole });
        continue;
      }
      for (const line of batch.lines) {
        const send = flow.replay(line, now);
        if (!send) return;
        client.push(send);
      }
      flow.passOver(batch.upTo);
      if (!batch.isEnd) continue;
      client.push(flow.declare());
      flow.caughtUp();
    }
  }

  #end(client: LogClient, reason: LogBye['reason']): void {
    this.forget(client.socket);
    client.end(reason, RETRY_AFTER_S[reason]);
  }
}

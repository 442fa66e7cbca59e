import {
  BROKER_LIMITS,
  type BrokerLimits,
  type Link,
  type PersistedConnection,
  type Ports,
  type Stored,
} from './ports.ts';
import { type Caller, hasEnded } from '../../http/caller.ts';
import { Tally } from '../../http/ownership.ts';
import { type BrokerCounters, type BrokerState } from './broker-state.ts';
import { accept, refuse } from './connecting.ts';
import { Connection } from './session.ts';
import { decodePacket, UnsupportedVersion } from './decode.ts';
import { detach, dueAt, endSession, publishWill, restore } from './session-lifecycle.ts';
import type {
  ClientPacket,
  ConnectPacket,
  DisconnectPacket,
  Message,
} from '../contract/mqtt/packet.ts';
import { malformed, MqttFault, protocolError, REASON } from '../contract/mqtt/reason.ts';
import { type Accepted, acknowledge, publish } from './receiving.ts';
import { Retained } from './retained.ts';
import { route } from './routing.ts';
import { subscribe, unsubscribe } from './subscribing.ts';
import { TopicTree } from './topic.ts';

/** A broker of MQTT 3.1.1 and 5, pure behind its ports. `new Broker` with what was stored resumes. */
export class Broker {
  readonly #state: BrokerState;

  constructor(
    ports: Ports,
    {
      stored,
      links = [],
      limits = BROKER_LIMITS,
    }: {
      readonly stored: Stored;
      readonly links?: readonly (readonly [Link, PersistedConnection])[];
      readonly limits?: BrokerLimits;
    },
  ) {
    this.#state = {
      ports,
      limits,
      sessions: new Map(),
      held: new Tally(),
      connections: new Map(),
      tree: new TopicTree(),
      retained: new Retained(ports.store, limits, stored.retained),
      counters: { dropped: 0, published: 0 },
    };
    restore(this.#state, links, stored);
  }

  /** The counters since the last call. */
  takeCounters(): BrokerCounters {
    const { counters } = this.#state;
    const taken = { ...counters };
    counters.dropped = 0;
    counters.published = 0;
    return taken;
  }

  /** The number of connected clients. */
  get connected(): number {
    return this.#state.connections.size;
  }

  /** Adds a connection; its client has to send CONNECT. */
  open(link: Link): void {
    const { limits, connections, ports } = this.#state;
    const now = ports.now();
    const connection = new Connection(link, { maxBytes: limits.connectBytes, now });
    connections.set(link, connection);
    ports.wakeAt(now + limits.connectMs);
  }

  /** Handles bytes of a connection; a promise only where authentication is asynchronous. */
  receive(link: Link, chunk: Uint8Array): Promise<void> | undefined {
    const connection = this.#state.connections.get(link);
    if (!connection) return undefined;
    connection.lastHeardAt = this.#state.ports.now();
    connection.unansweredBytes = 0;
    let asking: Promise<void> | undefined;
    this.#guarded(connection, () => {
      connection.splitter.push(chunk, (first, body) => {
        if (connection.isOpen) asking = this.#take(connection, first, body) ?? asking;
      });
      connection.keepRest();
    });
    return asking;
  }

  /** Closes a connection whose data is no packet at all, such as text. */
  refuse(link: Link, why: string): void {
    const connection = this.#state.connections.get(link);
    if (connection) this.#fail(connection, malformed(why));
  }

  /** Handles the end of a connection, whatever its cause. */
  closed(link: Link): void {
    const connection = this.#state.connections.get(link);
    if (!connection) return;
    connection.isOpen = false;
    detach(this.#state, connection);
  }

  /** Publishes a message of the server to all its subscribers. */
  publish(message: Message): void {
    route(this.#state, message, '');
  }

  /** Handles what is due: silent clients, delayed wills, expired sessions. */
  tick(): void {
    const { connections, sessions, ports } = this.#state;
    const now = ports.now();
    for (const connection of connections.values()) {
      const fault = this.#overdue(connection, now);
      if (fault) this.#fail(connection, fault);
    }
    for (const session of sessions.values()) {
      if (session.connection) continue;
      if ((session.endsAt ?? Infinity) <= now) endSession(this.#state, session);
      else if ((session.willAt ?? Infinity) <= now) {
        publishWill(this.#state, session);
        session.save();
      }
    }
  }

  /** When `tick` has something to do next, if nothing happens until then. Epoch milliseconds. */
  nextDue(): number {
    const { connections, sessions, limits } = this.#state;
    let next = Infinity;
    for (const { opened, openedAt, silentUntil } of connections.values()) {
      const until = opened
        ? Math.min(silentUntil, endOf(opened.caller))
        : openedAt + limits.connectMs;
      next = Math.min(next, until);
    }
    for (const session of sessions.values()) {
      if (!session.connection) next = Math.min(next, dueAt(session));
    }
    return next;
  }

  /** Ends the connections of callers whose credentials are no longer valid. */
  endCallers(isLive: (caller: Caller) => boolean): void {
    for (const connection of this.#state.connections.values()) {
      const { opened } = connection;
      if (opened && !isLive(opened.caller)) this.#fail(connection, credentialsEnded());
    }
  }

  /** The callers of all connections. */
  callers(): readonly Caller[] {
    return [...this.#state.connections.values()].flatMap(({ opened }) => opened?.caller ?? []);
  }

  #overdue(connection: Connection, now: number): MqttFault | undefined {
    const { opened, openedAt, silentUntil, waiting } = connection;
    if (!opened) {
      const isLate = !waiting && now >= openedAt + this.#state.limits.connectMs;
      return isLate ? new MqttFault(REASON.notAuthorized, 'there was no CONNECT') : undefined;
    }
    if (now >= silentUntil) {
      return new MqttFault(REASON.keepAliveTimeout, `nothing was heard for ${opened.keepAliveS} s`);
    }
    return hasEnded(opened.caller, now) ? credentialsEnded() : undefined;
  }

  #take(connection: Connection, first: number, body: Uint8Array): Promise<void> | undefined {
    const { ports, limits } = this.#state;
    const policy = { perSecond: limits.packetsPerSecond, burst: limits.packetBurst };
    if (!connection.take(policy, ports.now())) {
      throw new MqttFault(
        REASON.messageRateTooHigh,
        `more than ${policy.perSecond} packets a second`,
      );
    }
    if (connection.waiting) {
      if (connection.waiting.length * body.length > limits.packetBytes) {
        throw new MqttFault(REASON.quotaExceeded, 'too much came before the CONNACK');
      }
      connection.waiting.push({ first, body: body.slice() });
      return undefined;
    }
    const packet = decodePacket(first, body, connection.version);
    const { session, opened } = connection;
    if (session && opened) {
      this.#answer({ connection, session, opened }, packet);
      return undefined;
    }
    if (packet.type === 'connect') return this.#connect(connection, packet);
    throw protocolError(`the first packet is ${packet.type.toUpperCase()}, expected CONNECT`);
  }

  #connect(connection: Connection, packet: ConnectPacket): Promise<void> | undefined {
    const { ports } = this.#state;
    const { username, password } = packet;
    const found = ports.authenticate({ username, password }, connection.link);
    if (!(found instanceof Promise)) {
      accept(this.#state, connection, { packet, caller: found });
      this.#tidy(connection);
      return undefined;
    }
    connection.waiting = [];
    return found.then((caller) => this.#goOn(connection, { packet, caller }));
  }

  /** Authentication has finished: packets received meanwhile are handled now. */
  #goOn(
    connection: Connection,
    login: { packet: ConnectPacket; caller: Caller | undefined },
  ): void {
    const waiting = connection.waiting ?? [];
    connection.waiting = undefined;
    if (!connection.isOpen) return;
    this.#guarded(connection, () => {
      accept(this.#state, connection, login);
      for (const { first, body } of waiting) {
        if (connection.isOpen) void this.#take(connection, first, body);
      }
    });
  }

  #answer(accepted: Accepted, packet: ClientPacket): void {
    const { connection } = accepted;
    switch (packet.type) {
      case 'publish':
        publish(this.#state, accepted, packet);
        return;
      case 'pingreq':
        connection.answerPing();
        return;
      case 'subscribe':
        subscribe(this.#state, connection, packet);
        return;
      case 'unsubscribe':
        unsubscribe(this.#state, connection, packet);
        return;
      case 'disconnect':
        this.#disconnect(accepted, packet);
        return;
      case 'connect':
        throw protocolError('there was a CONNECT already');
      case 'auth':
        throw protocolError('there was no authentication method to go on with');
      default:
        acknowledge(this.#state, accepted, packet);
    }
  }

  /** A clean disconnect removes the will, unless the client states otherwise (MQTT-3.14.4-3). */
  #disconnect({ connection, session }: Accepted, packet: DisconnectPacket): void {
    const { reason, sessionExpiryS } = packet;
    if (sessionExpiryS !== undefined) {
      if (session.expiryS === 0 && sessionExpiryS > 0) {
        throw protocolError('a session without expiry cannot be given one at its end');
      }
      session.expiryS = Math.min(sessionExpiryS, this.#state.limits.sessionExpiryS);
    }
    if (reason === REASON.success) session.will = undefined;
    connection.close();
    detach(this.#state, connection);
  }

  #guarded(connection: Connection, work: () => void): void {
    try {
      work();
      this.#tidy(connection);
    } catch (error) {
      if (!(error instanceof MqttFault)) throw error;
      if (error instanceof UnsupportedVersion) {
        refuse(connection, { version: error.level > 4 ? 5 : 4 }, error.reason);
      }
      this.#fail(connection, error);
    }
  }

  #fail(connection: Connection, fault: MqttFault): void {
    connection.fail(fault);
    this.#tidy(connection);
  }

  /** Detaches a connection that was closed meanwhile. */
  #tidy(connection: Connection): void {
    if (!connection.isOpen) detach(this.#state, connection);
  }
}

const credentialsEnded = () => new MqttFault(REASON.notAuthorized, 'the credentials have ended');

const endOf = (caller: Caller): number =>
  'until' in caller && caller.until !== null ? caller.until : Infinity;

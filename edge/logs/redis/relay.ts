import { ulid } from '../../http/ulid.ts';
import { backoffMs } from '../contract/backoff.ts';
import type { Unnumbered } from '../line.ts';
import { openRedis, type RedisConnection } from './connection.ts';
import { RelayInbox, type Relayed } from './relay-inbox.ts';
import { type RedisAddress, RedisRefusal, type Reply } from './resp.ts';

const CHANNEL = 'spikegrid:logs';
const BACKOFF = { firstMs: 250, mostMs: 15_000 };

interface RelayListener {
  /** Messages published at another platform. */
  received(messages: readonly Unnumbered[]): void;
  /** This many of our messages were not accepted, or possibly not. */
  lost(count: number): void;
}

/**
 * Exchanges messages with other platforms through a Redis channel. One connection publishes, the
 * other subscribes; each reconnects by itself. An unconfirmed message is never sent again, so that
 * none is delivered twice: it counts as lost.
 */
export class RedisRelay {
  readonly #address: RedisAddress;
  readonly #listener: RelayListener;
  readonly #maxWaiting: number;
  readonly #origin = ulid();
  readonly #inbox = new RelayInbox(this.#origin);
  #count = 0;
  #waiting: (readonly Unnumbered[])[] = [];
  /** The number of messages in each unconfirmed command. */
  #underWay: number[] = [];
  #publisher: RedisConnection | undefined;
  #isFollowing = false;

  /**
   * @param maxWaiting the maximum number of messages queued while disconnected; the oldest are
   * dropped
   */
  constructor(address: RedisAddress, listener: RelayListener, maxWaiting: number) {
    this.#address = address;
    this.#listener = listener;
    this.#maxWaiting = maxWaiting;
    void this.#stay('publisher', (reply) => this.#confirmed(reply), {
      opened: (connection) => this.#publishWith(connection),
      ended: () => this.#publisherEnded(),
    });
    void this.#stay('follower', (reply) => this.#heard(reply), {
      opened: (connection) => connection.send(['SUBSCRIBE', CHANNEL]),
      ended: () => {
        this.#isFollowing = false;
      },
    });
  }

  /** Whether both connections are up. */
  get state(): 'connected' | 'away' {
    return this.#publisher !== undefined && this.#isFollowing ? 'connected' : 'away';
  }

  publish(messages: readonly Unnumbered[]): void {
    this.#waiting.push(messages);
    this.#flush();
    const waiting = this.#waiting.flat();
    const excess = waiting.length - this.#maxWaiting;
    if (excess <= 0) return;
    this.#waiting = [waiting.slice(excess)];
    this.#listener.lost(excess);
  }

  #flush(): void {
    if (!this.#publisher) return;
    for (const messages of this.#waiting) {
      this.#count += 1;
      const relayed: Relayed = { origin: this.#origin, count: this.#count, logs: [...messages] };
      this.#underWay.push(messages.length);
      this.#publisher.send(['PUBLISH', CHANNEL, JSON.stringify(relayed)]);
    }
    this.#waiting = [];
  }

  #publishWith(connection: RedisConnection): void {
    this.#publisher = connection;
    this.#flush();
  }

  #confirmed(reply: Reply): void {
    const count = this.#underWay.shift() ?? 0;
    if (reply instanceof RedisRefusal) {
      this.#listener.lost(count);
      report('log_relay_refused', reply.message);
    }
  }

  #publisherEnded(): void {
    this.#publisher = undefined;
    const unknown = this.#underWay.reduce((sum, count) => sum + count, 0);
    this.#underWay = [];
    if (unknown > 0) this.#listener.lost(unknown);
  }

  #heard(reply: Reply): void {
    if (!Array.isArray(reply)) return;
    const [kind, , text] = reply as readonly Reply[];
    if (kind === 'subscribe') this.#isFollowing = true;
    if (kind !== 'message' || typeof text !== 'string') return;
    try {
      const messages = this.#inbox.take(text);
      if (messages.length > 0) this.#listener.received(messages);
    } catch (error) {
      report('log_relay_misheard', String(error));
    }
  }

  /** Maintains a connection for as long as the object lives. */
  async #stay(
    name: string,
    listen: (reply: Reply) => void,
    listener: { opened(connection: RedisConnection): void; ended(): void },
  ): Promise<never> {
    for (let failures = 0; ; failures += 1) {
      try {
        const connection = await openRedis(this.#address, listen);
        failures = 0;
        listener.opened(connection);
        report('log_relay_ended', `${name}: ${await connection.ended}`);
        listener.ended();
      } catch (error) {
        // Logged once per outage.
        if (failures === 0) report('log_relay_unreachable', `${name}: ${String(error)}`);
      }
      await scheduler.wait(backoffMs(failures + 1, BACKOFF));
    }
  }
}

const report = (event: string, text: string): void =>
  console.warn(JSON.stringify({ level: 'warn', event, text }));

import {
  BROKER_LIMITS,
  type BrokerLimits,
  type BrokerQuota,
  type Link,
  type Login,
  type PersistedConnection,
} from '../../edge/discovery/mqtt/ports.ts';
import { generate, type IConnectPacket, type Packet, parser } from 'mqtt-packet';
import { mayPublish, maySubscribe } from '../../edge/discovery/mqtt-access.ts';
import { Broker } from '../../edge/discovery/mqtt/broker.ts';
import type { Message } from '../../edge/discovery/contract/mqtt/packet.ts';
import type { Caller } from '../../edge/http/caller.ts';
import { quotaRefusal, type Used } from '../../edge/http/ownership.ts';
import { DISCOVERY_MIGRATIONS } from '../../edge/discovery/store.ts';
import { MqttStore } from '../../edge/discovery/mqtt-store.ts';
import { openSql } from './sqlite.ts';

const ANYBODY: Caller = { kind: 'local', team: 'default', scopes: ['admin'] };

export interface WorldOptions {
  readonly limits?: Partial<BrokerLimits>;
  readonly quotas?: unknown;
  readonly authenticate?: (login: Login) => Caller | undefined | Promise<Caller | undefined>;
}

/** A broker on a clock that is set, over a real SQLite, with clients that speak through mqtt-packet. */
export class MqttWorld {
  now = 1_000_000;
  readonly heard: Message[] = [];
  readonly #sql = openSql(DISCOVERY_MIGRATIONS);
  readonly #options: WorldOptions;
  readonly #links = new Set<TestLink>();
  #store: MqttStore;
  #broker: Broker;
  #ids = 0;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
    this.#store = new MqttStore(this.#sql);
    this.#broker = this.#start([]);
  }

  get broker(): Broker {
    return this.#broker;
  }

  /** A network connection on which nothing was said. */
  open(version: 4 | 5 = 5): TestClient {
    const link = new TestLink(() => this.#links.delete(link));
    this.#links.add(link);
    this.#broker.open(link);
    return new TestClient(
      link,
      version,
      (bytes) => this.#broker.receive(link, bytes),
      () => {
        this.#links.delete(link);
        this.#broker.closed(link);
      },
    );
  }

  /** A client whose CONNECT was answered. */
  connect(options: Partial<IConnectPacket> = {}): TestClient {
    const { protocolVersion = 5 } = options;
    const client = this.open(protocolVersion as 4 | 5);
    client.send({ cmd: 'connect', clientId: 'client', clean: true, ...options, protocolVersion });
    return client;
  }

  /** As an alarm would: what waits is written with it. */
  advance(ms: number): void {
    this.now += ms;
    this.#broker.tick();
    this.#store.flush();
  }

  /** Takes the broker out of memory, while all connections live on. */
  evict(): void {
    this.#store.flush();
    const kept = [...this.#links].flatMap((link) => (link.kept ? [link] : []));
    this.#broker = this.#start(kept);
  }

  /** Takes it down with all its connections, and with what waits to be written. */
  crash(): void {
    for (const link of this.#links) link.isOpen = false;
    this.#links.clear();
    this.#broker = this.#start([]);
  }

  rows(table: string): number {
    return this.#sql.exec(`SELECT * FROM ${table}`).toArray().length;
  }

  #start(links: readonly TestLink[]): Broker {
    const store = new MqttStore(this.#sql);
    this.#store = store;
    const { limits, authenticate = () => ANYBODY } = this.#options;
    const ports = {
      ...{ store, authenticate, mayPublish, maySubscribe },
      now: () => this.now,
      makeId: () => `made-${++this.#ids}`,
      onMessage: (message: Message) => void this.heard.push(message),
      overQuota: (quota: BrokerQuota, used: Used) =>
        quotaRefusal('default', { quota, used, settings: this.#options.quotas })?.message,
      wakeAt: () => {},
    };
    return new Broker(ports, {
      stored: store.load(),
      links: links.map((link) => [link, structuredClone(link.kept!)] as const),
      limits: { ...BROKER_LIMITS, ...limits },
    });
  }
}

class TestLink implements Link {
  isOpen = true;
  kept: PersistedConnection | undefined;
  closedWith: readonly [code: number, reason: string] | undefined;
  onBytes: (bytes: Uint8Array) => void = () => {};
  readonly #onClose: () => void;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  send(bytes: Uint8Array): void {
    if (this.isOpen) this.onBytes(bytes);
  }

  close(code: number, reason: string): void {
    this.isOpen = false;
    this.closedWith = [code, reason];
    this.#onClose();
  }

  keep(kept: PersistedConnection | undefined): void {
    this.kept = structuredClone(kept);
  }
}

/** The other end of a connection. */
export class TestClient {
  /** Packets that were not taken yet. */
  packets: Packet[] = [];
  readonly #link: TestLink;
  readonly #version: 4 | 5;
  readonly #receive: (bytes: Uint8Array) => unknown;
  readonly #hangUp: () => void;

  constructor(
    link: TestLink,
    version: 4 | 5,
    receive: (bytes: Uint8Array) => unknown,
    hangUp: () => void,
  ) {
    this.#link = link;
    this.#version = version;
    this.#receive = receive;
    this.#hangUp = hangUp;
    const read = parser({ protocolVersion: version });
    read.on('packet', (packet) => this.packets.push(packet));
    read.on('error', (error) => {
      throw error;
    });
    link.onBytes = (bytes) => void read.parse(Buffer.from(bytes));
  }

  get isOpen(): boolean {
    return this.#link.isOpen;
  }

  get closedWith(): readonly [code: number, reason: string] | undefined {
    return this.#link.closedWith;
  }

  /** A promise where the broker has to ask who this is. */
  send(packet: Packet): unknown {
    return this.raw(generate(packet, { protocolVersion: this.#version }));
  }

  raw(bytes: Uint8Array | readonly number[]): unknown {
    return this.#receive(Uint8Array.from(bytes));
  }

  /** The network breaks, without a DISCONNECT. */
  drop(): void {
    this.#link.isOpen = false;
    this.#hangUp();
  }

  /** Packets received since the last call. */
  take(): readonly Packet[] {
    const taken = this.packets;
    this.packets = [];
    return taken;
  }

  publish(topic: string, text = '', more: Partial<Packet> = {}): void {
    const plain = { cmd: 'publish', topic, payload: text, qos: 0, dup: false, retain: false };
    this.send({ ...plain, ...more } as Packet);
  }

  subscribe(filter: string, qos: 0 | 1 | 2 = 0, more: Partial<Packet> = {}): void {
    const subscriptions = [{ topic: filter, qos }];
    this.send({ cmd: 'subscribe', messageId: 1, subscriptions, ...more } as Packet);
  }

  /** The messages that came since the last time, as topic and text. */
  messages(): readonly (readonly [topic: string, text: string])[] {
    return this.take().flatMap((packet) =>
      packet.cmd === 'publish' ? [[packet.topic, String(packet.payload)] as const] : [],
    );
  }
}

/** A world with a reader of a filter, and a writer. */
export function couple(filter: string, qos: 0 | 1 | 2 = 0, options: object = {}) {
  const world = new MqttWorld();
  const reader = world.connect({ clientId: 'reader', ...options });
  const writer = world.connect({ clientId: 'writer' });
  reader.subscribe(filter, qos);
  for (const client of [reader, writer]) client.take();
  return { world, reader, writer };
}

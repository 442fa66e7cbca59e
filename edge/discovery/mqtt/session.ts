import type {
  BrokerStore,
  Link,
  PersistedConnection,
  Sender,
  SessionRow,
  Subscription,
} from './ports.ts';
import { allows, type Caller } from '../../http/caller.ts';
import { type Bucket, type BucketPolicy, takeToken } from '../../http/token-bucket.ts';
import { encodeDisconnect, PINGRESP, type TopicAlias } from '../contract/mqtt/codec.ts';
import type { ProtocolVersion, Will } from '../contract/mqtt/packet.ts';
import { type MqttFault, REASON } from '../contract/mqtt/reason.ts';
import { PacketSplitter } from '../contract/mqtt/splitter.ts';
import { type Delivery, Outbound } from './outbound.ts';

/** What a client said of itself when it connected. */
export type Opened = Pick<
  PersistedConnection,
  'caller' | 'version' | 'keepAliveS' | 'receiveMaximum' | 'maximumPacketSize' | 'topicAliasMaximum'
>;

/** A message as one client is sent it. */
export interface EncodedMessage {
  readonly bytes: Uint8Array;
  readonly topic: string;
  readonly alias: TopicAlias | undefined;
}

const KEPT_REST_BYTES = 600;
/** A client may be silent for one and a half times its keep alive (MQTT-3.1.2-22). */
const GRACE = 1.5;

/** Codes of RFC 6455, and our own for credentials that ended. */
const CLOSED = { normal: 1000, protocol: 1002, policy: 1008, tooLarge: 1009 } as const;

/** One client's connection, from its first byte on. */
export class Connection {
  readonly link: Link;
  readonly splitter: PacketSplitter;
  readonly openedAt: number;
  /** Set once its CONNECT was accepted. */
  opened: Opened | undefined;
  session: Session | undefined;
  /** Packets that came while it was looked up who sends them. */
  waiting: { readonly first: number; readonly body: Uint8Array }[] | undefined;
  isOpen = true;
  lastHeardAt: number;
  /** Bytes of quality of service 0 sent since. */
  unansweredBytes = 0;
  /** Where its node's heartbeats go: the topic of nearly all that it publishes. */
  heartbeatTopic = '';
  /** By topic. After an eviction they are told anew, which the standard lets a sender do. */
  readonly #aliases = new Map<string, number>();
  #bucket: Bucket | undefined;
  #keepsRest = false;

  constructor(
    link: Link,
    { maxBytes, now, rest }: { maxBytes: number; now: number; rest?: Uint8Array },
  ) {
    this.link = link;
    this.openedAt = now;
    this.lastHeardAt = now;
    this.splitter = new PacketSplitter(maxBytes, rest);
  }

  get version(): ProtocolVersion {
    return this.opened?.version ?? 4;
  }

  /** When it counts as broken unless something is heard of it; Infinity: never. */
  get silentUntil(): number {
    const { keepAliveS = 0 } = this.opened ?? {};
    return keepAliveS === 0 ? Infinity : this.lastHeardAt + keepAliveS * 1000 * GRACE;
  }

  /** Counts a packet. @returns false for one too many */
  take(policy: BucketPolicy, now: number): boolean {
    const { isAllowed, bucket } = takeToken(this.#bucket, policy, now);
    this.#bucket = bucket;
    return isAllowed;
  }

  /** @returns whether it was sent: a client gets no packet larger than it takes (MQTT-3.1.2-24) */
  send(bytes: Uint8Array): boolean {
    if (!this.isOpen || bytes.length > (this.opened?.maximumPacketSize ?? Infinity)) return false;
    this.link.send(bytes);
    return true;
  }

  /** The alias that a topic goes by, or is to go by from now on; undefined where it has none (MQTT-3.1.2-26, 3.1.2-27). */
  aliasOf(topic: string): TopicAlias | undefined {
    const known = this.#aliases.get(topic);
    if (known !== undefined) return { value: known, isNew: false };
    const value = this.#aliases.size + 1;
    return value <= (this.opened?.topicAliasMaximum ?? 0) ? { value, isNew: true } : undefined;
  }

  /** Sends a message; its alias holds once its topic is on its way. */
  sendMessage({ bytes, topic, alias }: EncodedMessage): void {
    if (this.send(bytes) && alias) this.#aliases.set(topic, alias.value);
  }

  answerPing(): void {
    this.send(PINGRESP);
  }

  /** Ends it: an MQTT 5 client is told why (MQTT-4.13.2-1), others see it close. */
  fail({ reason, message }: Pick<MqttFault, 'reason' | 'message'>): void {
    if (!this.isOpen) return;
    if (this.opened?.version === 5) this.send(encodeDisconnect(reason, message.slice(0, 200)));
    this.close(closeCodeOf(reason), message);
  }

  close(code: number = CLOSED.normal, reason = ''): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.link.keep(undefined);
    this.link.close(code, reason.slice(0, 100));
  }

  /** Keeps beside the link what it needs to go on. */
  keep(): void {
    if (!this.opened || !this.session || !this.isOpen) return;
    const { rest } = this.splitter;
    this.#keepsRest = rest.length > 0;
    const { clientId, expiryS, will, keepsWillAside } = this.session;
    this.link.keep({
      ...this.opened,
      clientId,
      expiryS,
      will: keepsWillAside ? will : undefined,
      openedAt: this.openedAt,
      rest: rest.length === 0 ? undefined : rest.length > KEPT_REST_BYTES ? 'lost' : rest.slice(),
    });
  }

  /** After each chunk: half a packet is kept, and no longer once it is whole. */
  keepRest(): void {
    if (this.#keepsRest || !this.splitter.isBetweenPackets) this.keep();
  }
}

export function closeCodeOf(reason: number): number {
  switch (reason) {
    case REASON.packetTooLarge:
      return CLOSED.tooLarge;
    case REASON.malformedPacket:
    case REASON.protocolError:
      return CLOSED.protocol;
    case REASON.sessionTakenOver:
    case REASON.keepAliveTimeout:
      return CLOSED.normal;
    default:
      return CLOSED.policy;
  }
}

/** A will of more than this is stored, as a connection itself cannot keep it. */
const KEPT_WILL_BYTES = 600;

/** What a session has from the time before. */
export interface PersistedSession {
  readonly subscriptions: readonly Subscription[];
  readonly deliveries: readonly Delivery[];
  readonly received: readonly number[];
}

/** What the broker knows of a client beyond one connection (section 4.1). */
export class Session implements Sender {
  readonly clientId: string;
  readonly owner: string;
  isBound = true;
  isEvidence = false;
  readonly subscriptions = new Map<string, Subscription>();
  readonly outbound: Outbound;
  /** Packet ids of quality of service 2 that were received and are not released. */
  readonly received: Set<number>;
  connection: Connection | undefined;
  /** How long it outlives its connection. */
  expiryS = 0;
  will: Will | undefined;
  /** Epoch milliseconds, while nobody is connected. */
  willAt: number | undefined;
  endsAt: number | undefined;
  readonly #store: BrokerStore;
  /** Whether anything of it is stored. */
  #isStored: boolean;
  #hasRow = false;

  constructor(
    store: BrokerStore,
    { clientId, owner }: Pick<SessionRow, 'clientId' | 'owner'>,
    kept?: PersistedSession,
  ) {
    this.#store = store;
    this.clientId = clientId;
    this.owner = owner;
    this.received = new Set(kept?.received);
    this.#isStored = kept !== undefined;
    this.outbound = new Outbound(
      {
        save: (delivery) => this.#note(() => store.saveDelivery(clientId, delivery)),
        remove: ({ seq }) => store.removeDelivery(clientId, seq),
      },
      kept?.deliveries,
    );
  }

  /** As it was stored. */
  static restored(store: BrokerStore, row: SessionRow, kept: PersistedSession): Session {
    const session = new Session(store, row, kept);
    const { expiryS, will, willAt, endsAt, isBound = true, isEvidence = false } = row;
    Object.assign(session, { expiryS, will, willAt, endsAt, isBound, isEvidence });
    session.#hasRow = true;
    return session;
  }

  /** Who connects is the one who speaks from now on. */
  takeCaller(caller: Caller): void {
    this.isBound = !allows(caller, 'admin');
    this.isEvidence = allows(caller, 'geo:node');
  }

  subscribe(subscription: Subscription): void {
    this.subscriptions.set(subscription.filter, subscription);
    this.#note(() => this.#store.saveSubscription(this.clientId, subscription));
  }

  unsubscribe(filter: string): void {
    this.subscriptions.delete(filter);
    this.#store.removeSubscription(this.clientId, filter);
  }

  receive(packetId: number): void {
    this.received.add(packetId);
    this.#note(() => this.#store.saveReceived(this.clientId, packetId));
  }

  /** Whether the packet id was known. */
  release(packetId: number): boolean {
    const isKnown = this.received.delete(packetId);
    if (isKnown) this.#store.removeReceived(this.clientId, packetId);
    return isKnown;
  }

  /** Whether a connection can keep its will itself, and it needs no row for it. */
  get keepsWillAside(): boolean {
    return this.expiryS === 0 && (!this.will || sizeOf(this.will) <= KEPT_WILL_BYTES);
  }

  /** Stores what is to be stored of it now. A session that ends with its connection costs no write. */
  save(): void {
    const isPending = this.willAt !== undefined;
    if (this.keepsWillAside && !isPending && !this.#hasRow) return;
    const { clientId, owner, isBound, isEvidence, expiryS, will, willAt, endsAt } = this;
    this.#hasRow = true;
    const row = { clientId, owner, isBound, isEvidence, expiryS, will, willAt, endsAt };
    this.#note(() => this.#store.saveSession(row));
  }

  remove(): void {
    if (this.#isStored) this.#store.removeSession(this.clientId);
    this.#isStored = false;
    this.#hasRow = false;
  }

  #note(write: () => void): void {
    this.#isStored = true;
    write();
  }
}

function sizeOf({ message: { topic, payload, properties } }: Will): number {
  const { correlationData, ...rest } = properties ?? {};
  const carried = (correlationData?.length ?? 0) + JSON.stringify(rest).length;
  return payload.length + topic.length * 3 + carried;
}

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

/** The parameters of an accepted CONNECT. */
export type Opened = Pick<
  PersistedConnection,
  'caller' | 'version' | 'keepAliveS' | 'receiveMaximum' | 'maximumPacketSize' | 'topicAliasMaximum'
>;

/** A message encoded for one client. */
export interface EncodedMessage {
  readonly bytes: Uint8Array;
  readonly topic: string;
  readonly alias: TopicAlias | undefined;
}

const KEPT_REST_BYTES = 600;
/** A client may be silent for one and a half times its keep alive (MQTT-3.1.2-22). */
const GRACE = 1.5;

/** Close codes of RFC 6455. */
const CLOSED = { normal: 1000, protocol: 1002, policy: 1008, tooLarge: 1009 } as const;

/** One client's connection, from its first byte on. */
export class Connection {
  readonly link: Link;
  readonly splitter: PacketSplitter;
  readonly openedAt: number;
  /** Set once its CONNECT was accepted. */
  opened: Opened | undefined;
  session: Session | undefined;
  /** Packets received during authentication. */
  waiting: { readonly first: number; readonly body: Uint8Array }[] | undefined;
  isOpen = true;
  lastHeardAt: number;
  /** Bytes of quality of service 0 sent since. */
  unansweredBytes = 0;
  /** The topic of its node's heartbeats, which are nearly all that it publishes. */
  heartbeatTopic = '';
  /** By topic. After an eviction they are assigned anew, which the standard allows. */
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

  /** When the connection counts as broken unless something is heard; Infinity for never. */
  get silentUntil(): number {
    const { keepAliveS = 0 } = this.opened ?? {};
    return keepAliveS === 0 ? Infinity : this.lastHeardAt + keepAliveS * 1000 * GRACE;
  }

  /** Counts a packet. @returns false where the rate limit is exceeded */
  take(policy: BucketPolicy, now: number): boolean {
    const { isAllowed, bucket } = takeToken(this.#bucket, policy, now);
    this.#bucket = bucket;
    return isAllowed;
  }

  /** @returns whether it was sent: no packet may exceed the client's maximum (MQTT-3.1.2-24) */
  send(bytes: Uint8Array): boolean {
    if (!this.isOpen || bytes.length > (this.opened?.maximumPacketSize ?? Infinity)) return false;
    this.link.send(bytes);
    return true;
  }

  /**
   * The alias of a topic, assigned where there is room; undefined where there is none
   * (MQTT-3.1.2-26, 3.1.2-27).
   */
  aliasOf(topic: string): TopicAlias | undefined {
    const known = this.#aliases.get(topic);
    if (known !== undefined) return { value: known, isNew: false };
    const value = this.#aliases.size + 1;
    return value <= (this.opened?.topicAliasMaximum ?? 0) ? { value, isNew: true } : undefined;
  }

  /** Sends a message; a new alias holds once its topic was sent. */
  sendMessage({ bytes, topic, alias }: EncodedMessage): void {
    if (this.send(bytes) && alias) this.#aliases.set(topic, alias.value);
  }

  answerPing(): void {
    this.send(PINGRESP);
  }

  /**
   * Ends the connection: an MQTT 5 client learns the reason (MQTT-4.13.2-1), others see it close.
   */
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

  /** Attaches to the link what is needed to resume. */
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

  /** After each chunk: an incomplete packet is attached, and removed once it is complete. */
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

/** A larger will is stored, as it does not fit into a connection's attachment. */
const KEPT_WILL_BYTES = 600;

/** The stored state of a session. */
export interface PersistedSession {
  readonly subscriptions: readonly Subscription[];
  readonly deliveries: readonly Delivery[];
  readonly received: readonly number[];
}

/** State of a client that outlives a single connection (section 4.1). */
export class Session implements Sender {
  readonly clientId: string;
  readonly owner: string;
  isBound = true;
  isEvidence = false;
  readonly subscriptions = new Map<string, Subscription>();
  readonly outbound: Outbound;
  /** Packet ids of quality of service 2 that are not released yet. */
  readonly received: Set<number>;
  connection: Connection | undefined;
  /** How long it outlives its connection. */
  expiryS = 0;
  will: Will | undefined;
  /** Epoch milliseconds, while disconnected. */
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

  /** A session from the store. */
  static restored(store: BrokerStore, row: SessionRow, kept: PersistedSession): Session {
    const session = new Session(store, row, kept);
    const { expiryS, will, willAt, endsAt, isBound = true, isEvidence = false } = row;
    Object.assign(session, { expiryS, will, willAt, endsAt, isBound, isEvidence });
    session.#hasRow = true;
    return session;
  }

  /** The permissions of the latest caller apply from now on. */
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

  /** @returns whether the packet id was known */
  release(packetId: number): boolean {
    const isKnown = this.received.delete(packetId);
    if (isKnown) this.#store.removeReceived(this.clientId, packetId);
    return isKnown;
  }

  /** Whether the connection's attachment can hold the will, so that no row is needed. */
  get keepsWillAside(): boolean {
    return this.expiryS === 0 && (!this.will || sizeOf(this.will) <= KEPT_WILL_BYTES);
  }

  /** Stores the session where needed. One that ends with its connection costs no write. */
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

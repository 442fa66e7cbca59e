import type { QuotaName } from '../../contract/team.ts';
import type { Caller } from '../../http/caller.ts';
import type { Used } from '../../http/ownership.ts';
import type {
  Message,
  ProtocolVersion,
  SubscriptionRequest,
  Will,
} from '../contract/mqtt/packet.ts';
import type { Delivery } from './outbound.ts';
import type { TopicFilter } from './topic.ts';

/** A network connection, as the broker sees it. */
export interface Link {
  send(bytes: Uint8Array): void;
  close(code: number, reason: string): void;
  /** Keeps something beside the connection, for when the broker is taken out of memory. */
  keep(kept: PersistedConnection | undefined): void;
}

/** What a connection needs to go on after the broker was taken out of memory. */
export interface PersistedConnection {
  readonly clientId: string;
  readonly caller: Caller;
  readonly version: ProtocolVersion;
  readonly keepAliveS: number;
  readonly expiryS: number;
  /** Of the client's. */
  readonly receiveMaximum: number;
  readonly maximumPacketSize: number;
  /** How many aliases of topics it is sent; what was kept by an earlier release does not say. */
  readonly topicAliasMaximum?: number | undefined;
  readonly will: Will | undefined;
  readonly openedAt: number;
  /** The begin of a packet; `lost` where it is too long to be kept. */
  readonly rest: Uint8Array | 'lost' | undefined;
}

/** A message with who published it. */
export interface RetainedMessage extends Message {
  readonly owner: string;
}

/** Where retained messages are kept, so that they outlast the memory. */
export interface RetainedStore {
  saveRetained(message: RetainedMessage): void;
  removeRetained(topic: string): void;
}

/** What a broker lets its clients do; what they all hold together must fit into one object's memory. */
export interface BrokerLimits {
  /** Of a packet with its header, once a client is known. */
  readonly packetBytes: number;
  /** Of what comes before that. */
  readonly connectBytes: number;
  /** How long a client may take until its CONNECT is there. */
  readonly connectMs: number;
  /** Connections and stored sessions, each. */
  readonly clients: number;
  readonly clientIdLength: number;
  readonly subscriptionsPerClient: number;
  /** Messages of quality of service 2 from one client that are not released yet. */
  readonly receiveMaximum: number;
  /** Messages to one client that are neither acknowledged nor of quality of service 0. */
  readonly queuedPerClient: number;
  /** Their payloads together. */
  readonly queuedBytesPerClient: number;
  readonly retained: number;
  readonly retainedBytes: number;
  /** The longest a session outlives its connection. */
  readonly sessionExpiryS: number;
  /** Topics of which a client is sent an alias at most, however many more it takes. */
  readonly topicAliases: number;
  /** What MQTT 5 clients are told that would be silent for longer. */
  readonly keepAliveS: number;
  /** Messages of quality of service 0 to a client since anything was last heard of it. */
  readonly unansweredBytes: number;
  readonly packetsPerSecond: number;
  readonly packetBurst: number;
}

const MIB = 1024 * 1024;

export const BROKER_LIMITS: BrokerLimits = {
  packetBytes: MIB,
  connectBytes: 32 * 1024,
  connectMs: 5_000,
  clients: 10_000,
  clientIdLength: 128,
  subscriptionsPerClient: 100,
  receiveMaximum: 64,
  queuedPerClient: 1000,
  queuedBytesPerClient: 2 * MIB,
  retained: 10_000,
  retainedBytes: 16 * MIB,
  sessionExpiryS: 24 * 3600,
  topicAliases: 32,
  keepAliveS: 60,
  unansweredBytes: 8 * MIB,
  packetsPerSecond: 200,
  packetBurst: 1000,
};

/** What a session knows of the caller who connected last; what it says later on, such as its will, is his. */
export interface Sender {
  readonly clientId: string;
  /** Whose it is: nobody else takes it over. */
  readonly owner: string;
  /** Whether quotas bind him. */
  readonly isBound: boolean;
  /** Whether what he says as a node counts as evidence of its region's health. */
  readonly isEvidence: boolean;
}

/** What is stored of a session besides its subscriptions and messages. */
export interface SessionRow extends Omit<Sender, 'isBound' | 'isEvidence'> {
  /** Rows of before there were quotas do not say these two. */
  readonly isBound?: boolean | undefined;
  readonly isEvidence?: boolean | undefined;
  readonly expiryS: number;
  readonly will: Will | undefined;
  /** Epoch milliseconds: when the will is due, and when the session ends; while nobody is connected. */
  readonly willAt: number | undefined;
  readonly endsAt: number | undefined;
}

export interface Subscription extends SubscriptionRequest {
  readonly identifier: number | undefined;
}

/** The only truth of all that outlasts a connection. */
export interface BrokerStore extends RetainedStore {
  saveSession(row: SessionRow): void;
  /** Removes a session with all that is stored of it. */
  removeSession(clientId: string): void;
  saveSubscription(clientId: string, subscription: Subscription): void;
  removeSubscription(clientId: string, filter: string): void;
  saveDelivery(clientId: string, delivery: Delivery): void;
  removeDelivery(clientId: string, seq: number): void;
  /** A packet id of quality of service 2 that was received and is not released. */
  saveReceived(clientId: string, packetId: number): void;
  removeReceived(clientId: string, packetId: number): void;
}

/** What was stored, by client id where it is a session's. */
export interface Stored {
  readonly sessions: readonly SessionRow[];
  readonly subscriptions: ReadonlyMap<string, readonly Subscription[]>;
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>;
  readonly received: ReadonlyMap<string, readonly number[]>;
  readonly retained: readonly RetainedMessage[];
}

export interface Login {
  readonly username: string | undefined;
  readonly password: Uint8Array | undefined;
}

/** What a broker lets owners have some of. */
export type BrokerQuota = Extract<QuotaName, 'mqtt_sessions' | 'retained_messages'>;

/** What the broker needs of the world around it. */
export interface Ports {
  readonly store: BrokerStore;
  /** Epoch milliseconds. */
  now(): number;
  /** A client id nobody has. */
  makeId(): string;
  /** Who a CONNECT comes from; undefined where it does not say, or not rightly. */
  authenticate(login: Login, link: Link): Caller | undefined | Promise<Caller | undefined>;
  mayPublish(caller: Caller, clientId: string, message: Message): boolean;
  maySubscribe(caller: Caller, filter: TopicFilter): boolean;
  /** Told of each message that is published, before its subscribers. */
  onMessage(message: Message, sender: Sender): void;
  /** What is to be said to an owner who asks for more than he may have; undefined where he may. */
  overQuota(quota: BrokerQuota, used: Used): string | undefined;
  /** Asks for `tick` at this time, or soon after it. */
  wakeAt(time: number): void;
}

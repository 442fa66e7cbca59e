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
  /** Attaches state to the connection that survives the broker's eviction. */
  keep(kept: PersistedConnection | undefined): void;
}

/** The state of a connection that survives the broker's eviction. */
export interface PersistedConnection {
  readonly clientId: string;
  readonly caller: Caller;
  readonly version: ProtocolVersion;
  readonly keepAliveS: number;
  readonly expiryS: number;
  /** The client's. */
  readonly receiveMaximum: number;
  readonly maximumPacketSize: number;
  /** The maximum number of topic aliases; undefined where an earlier release attached the state. */
  readonly topicAliasMaximum?: number | undefined;
  readonly will: Will | undefined;
  readonly openedAt: number;
  /** The beginning of an incomplete packet; `lost` where it is too long to be attached. */
  readonly rest: Uint8Array | 'lost' | undefined;
}

/** A message with its publisher's owner. */
export interface RetainedMessage extends Message {
  readonly owner: string;
}

/** Stores retained messages, so that they survive eviction. */
export interface RetainedStore {
  saveRetained(message: RetainedMessage): void;
  removeRetained(topic: string): void;
}

/**
 * The limits of a broker's clients; what they all use together must fit into one object's memory.
 */
export interface BrokerLimits {
  /** The maximum size of a packet with its header, after CONNECT. */
  readonly packetBytes: number;
  /** The same before it. */
  readonly connectBytes: number;
  /** The time limit for CONNECT. */
  readonly connectMs: number;
  /** The maximum number of connections, and of stored sessions. */
  readonly clients: number;
  readonly clientIdLength: number;
  readonly subscriptionsPerClient: number;
  /** Unreleased messages of quality of service 2 from one client. */
  readonly receiveMaximum: number;
  /** Unacknowledged messages to one client, without quality of service 0. */
  readonly queuedPerClient: number;
  /** The total size of their payloads. */
  readonly queuedBytesPerClient: number;
  readonly retained: number;
  readonly retainedBytes: number;
  /** The longest time a session outlives its connection. */
  readonly sessionExpiryS: number;
  /** The maximum number of topic aliases per client, however many more it accepts. */
  readonly topicAliases: number;
  /** The longest keep alive of an MQTT 5 client. */
  readonly keepAliveS: number;
  /** Bytes of quality of service 0 to a client since anything was last heard from it. */
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

/** The owner of a session's messages, including those sent later, such as its will. */
export interface Sender {
  readonly clientId: string;
  /** Only this owner may take over the session. */
  readonly owner: string;
  /** Whether quotas apply to it. */
  readonly isBound: boolean;
  /** Whether its messages as a node count as evidence of its region's health. */
  readonly isEvidence: boolean;
}

/** The stored state of a session, except its subscriptions and messages. */
export interface SessionRow extends Omit<Sender, 'isBound' | 'isEvidence'> {
  /** Missing in rows from before there were quotas. */
  readonly isBound?: boolean | undefined;
  readonly isEvidence?: boolean | undefined;
  readonly expiryS: number;
  readonly will: Will | undefined;
  /**
   * Epoch milliseconds, while disconnected: when the will is published, and when the session ends.
   */
  readonly willAt: number | undefined;
  readonly endsAt: number | undefined;
}

export interface Subscription extends SubscriptionRequest {
  readonly identifier: number | undefined;
}

/** The only truth of what outlasts a connection. */
export interface BrokerStore extends RetainedStore {
  saveSession(row: SessionRow): void;
  /** Removes a session with everything stored about it. */
  removeSession(clientId: string): void;
  saveSubscription(clientId: string, subscription: Subscription): void;
  removeSubscription(clientId: string, filter: string): void;
  saveDelivery(clientId: string, delivery: Delivery): void;
  removeDelivery(clientId: string, seq: number): void;
  /** The packet id of a message of quality of service 2 that is not released yet. */
  saveReceived(clientId: string, packetId: number): void;
  removeReceived(clientId: string, packetId: number): void;
}

/** The stored state, by client id where it belongs to a session. */
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

/** The broker's resources with quotas. */
export type BrokerQuota = Extract<QuotaName, 'mqtt_sessions' | 'retained_messages'>;

/** The broker's environment. */
export interface Ports {
  readonly store: BrokerStore;
  /** Epoch milliseconds. */
  now(): number;
  /** A new, unique client id. */
  makeId(): string;
  /** The caller of a CONNECT; undefined where authentication fails. */
  authenticate(login: Login, link: Link): Caller | undefined | Promise<Caller | undefined>;
  mayPublish(caller: Caller, clientId: string, message: Message): boolean;
  maySubscribe(caller: Caller, filter: TopicFilter): boolean;
  /** Called for each published message, before its subscribers. */
  onMessage(message: Message, sender: Sender): void;
  /** The refusal of more than the quota, as a text; undefined where it is allowed. */
  overQuota(quota: BrokerQuota, used: Used): string | undefined;
  /** Asks for `tick` at this time, or soon after it. */
  wakeAt(time: number): void;
}

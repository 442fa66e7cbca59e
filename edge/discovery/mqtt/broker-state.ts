import type { QuotaName } from '../../contract/team.ts';
import type { Caller } from '../../http/caller.ts';
import type { Tally, Used } from '../../http/ownership.ts';
import type { Connection, Link } from './connection.ts';
import type { BrokerLimits } from './limits.ts';
import type { Delivery } from './outbound.ts';
import type { Message, SubscriptionRequest, Will } from '../contract/mqtt/packet.ts';
import type { Retained, RetainedMessage, RetainedStore } from './retained.ts';
import type { Session } from './session.ts';
import type { TopicFilter } from './topic.ts';
import type { TopicTree } from './topic-tree.ts';

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

/** One subscriber, or all members of a group that share the messages of a filter. */
export type Subscriber =
  | { readonly kind: 'one'; readonly session: Session; readonly subscription: Subscription }
  | ShareGroup;

export interface ShareGroup {
  readonly kind: 'group';
  readonly members: Map<string, { readonly session: Session; readonly subscription: Subscription }>;
  /** Whose turn it is. */
  turn: number;
}

export interface BrokerCounters {
  /** Messages for which a queue had no room, or a client did not show that it reads. */
  dropped: number;
  published: number;
}

/** All that a broker holds in memory; made anew of what is stored, and of what connections keep. */
export interface BrokerState {
  readonly ports: Ports;
  readonly limits: BrokerLimits;
  readonly sessions: Map<string, Session>;
  /** How many sessions each owner has. */
  readonly held: Tally;
  readonly connections: Map<Link, Connection>;
  readonly tree: TopicTree<Subscriber>;
  readonly retained: Retained;
  readonly counters: BrokerCounters;
}

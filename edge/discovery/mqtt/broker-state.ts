import type { Tally } from '../../http/ownership.ts';
import type { BrokerLimits, Link, Ports, Subscription } from './ports.ts';
import type { Retained } from './retained.ts';
import type { Connection, Session } from './session.ts';
import type { TopicTree } from './topic.ts';

/** One subscriber, or the members of a group with a shared subscription. */
export type Subscriber =
  | { readonly kind: 'one'; readonly session: Session; readonly subscription: Subscription }
  | ShareGroup;

export interface ShareGroup {
  readonly kind: 'group';
  readonly members: Map<string, { readonly session: Session; readonly subscription: Subscription }>;
  /** The index of the member whose turn it is. */
  turn: number;
}

export interface BrokerCounters {
  /** Messages lost to a full queue, or to a client that does not show that it reads. */
  dropped: number;
  published: number;
}

/** The broker's state in memory, rebuilt from the store and from the attachments of connections. */
export interface BrokerState {
  readonly ports: Ports;
  readonly limits: BrokerLimits;
  readonly sessions: Map<string, Session>;
  /** The number of sessions of each owner. */
  readonly held: Tally;
  readonly connections: Map<Link, Connection>;
  readonly tree: TopicTree<Subscriber>;
  readonly retained: Retained;
  readonly counters: BrokerCounters;
}

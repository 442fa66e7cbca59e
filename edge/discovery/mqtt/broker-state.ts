import type { Tally } from '../../http/ownership.ts';
import type { BrokerLimits, Link, Ports, Subscription } from './ports.ts';
import type { Retained } from './retained.ts';
import type { Connection, Session } from './session.ts';
import type { TopicTree } from './topic.ts';

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

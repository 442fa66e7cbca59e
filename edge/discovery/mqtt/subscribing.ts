import type { Subscription } from './ports.ts';
import type { BrokerState, Subscriber } from './broker-state.ts';
import type { Connection, Session } from './session.ts';
import { encodeSuback, encodeUnsuback } from '../contract/mqtt/codec.ts';
import type { Qos, SubscribePacket, UnsubscribePacket } from '../contract/mqtt/packet.ts';
import { protocolError, REASON } from '../contract/mqtt/reason.ts';
import { deliver, groupKeyOf, keyOf, subscriberOf } from './routing.ts';
import { parseFilter, type TopicFilter } from './topic.ts';

/** A granted filter, with the retained messages to send. */
interface Granted {
  readonly filter: TopicFilter;
  readonly subscription: Subscription;
  readonly isNew: boolean;
}

/** SUBSCRIBE: each filter is granted or refused individually, in order (MQTT-3.8.4-6). */
export function subscribe(
  state: BrokerState,
  connection: Connection,
  packet: SubscribePacket,
): void {
  const { session, version } = connection;
  if (!session) return;
  const granted: Granted[] = [];
  const reasons = packet.requests.map((request) => {
    const subscription = { ...request, identifier: packet.identifier };
    const outcome = grant(state, connection, subscription);
    if (typeof outcome === 'number') return outcome;
    granted.push(outcome);
    return subscription.qos;
  });
  connection.send(encodeSuback(packet.packetId, reasons, version));
  for (const one of granted) sendRetained(state, session, one);
}

function grant(
  state: BrokerState,
  { session, opened }: Connection,
  subscription: Subscription,
): Granted | number {
  if (!session || !opened) return REASON.unspecified;
  const filter = parseFilter(subscription.filter);
  if (!filter) return REASON.topicFilterInvalid;
  if (filter.share !== undefined && subscription.noLocal) {
    throw protocolError('a shared subscription cannot leave out what its client published');
  }
  if (!state.ports.maySubscribe(opened.caller, filter)) return REASON.notAuthorized;
  const isNew = !session.subscriptions.has(subscription.filter);
  if (isNew && session.subscriptions.size >= state.limits.subscriptionsPerClient) {
    return REASON.quotaExceeded;
  }
  session.subscribe(subscription);
  attachSubscription(state, session, { filter, subscription });
  return { filter, subscription, isNew };
}

interface AttachedSubscription {
  readonly filter: TopicFilter;
  readonly subscription: Subscription;
}

/** Adds a subscription to the topic tree, replacing one of the same filter (MQTT-3.8.4-3). */
export function attachSubscription(
  { tree }: BrokerState,
  session: Session,
  { filter: { share, levels }, subscription }: AttachedSubscription,
): void {
  if (share === undefined) {
    tree.set(levels, keyOf(session.clientId), subscriberOf(session, subscription));
    return;
  }
  const known = tree.get(levels, groupKeyOf(share));
  const group: Subscriber =
    known?.kind === 'group' ? known : { kind: 'group', members: new Map(), turn: 0 };
  group.members.set(session.clientId, { session, subscription });
  tree.set(levels, groupKeyOf(share), group);
}

/** Removes a session's subscription from the topic tree. */
export function detachSubscription(
  { tree }: BrokerState,
  { clientId }: Session,
  text: string,
): void {
  const filter = parseFilter(text);
  if (!filter) return;
  const { share, levels } = filter;
  if (share === undefined) {
    tree.delete(levels, keyOf(clientId));
    return;
  }
  const group = tree.get(levels, groupKeyOf(share));
  if (group?.kind !== 'group') return;
  group.members.delete(clientId);
  if (group.members.size === 0) tree.delete(levels, groupKeyOf(share));
}

/** A shared subscription receives no retained messages (section 4.8.2). */
function sendRetained(state: BrokerState, session: Session, granted: Granted): void {
  const { filter, subscription, isNew } = granted;
  const { retainHandling, identifier, qos: most } = subscription;
  const isWanted = retainHandling === 0 || (retainHandling === 1 && isNew);
  if (filter.share !== undefined || !isWanted) return;
  for (const message of state.retained.matching(filter, state.ports.now())) {
    const qos = Math.min(message.qos, most) as Qos;
    const properties =
      identifier === undefined
        ? message.properties
        : { ...message.properties, subscriptionIdentifiers: [identifier] };
    deliver(state, session, { ...message, qos, retain: true, ...(properties && { properties }) });
  }
}

/** UNSUBSCRIBE: messages already in flight still arrive (MQTT-3.10.4-3). */
export function unsubscribe(
  state: BrokerState,
  connection: Connection,
  { packetId, filters }: UnsubscribePacket,
): void {
  const { session, version } = connection;
  if (!session) return;
  const reasons = filters.map((text) => {
    if (!session.subscriptions.has(text)) {
      return parseFilter(text) ? REASON.noSubscriptionExisted : REASON.topicFilterInvalid;
    }
    detachSubscription(state, session, text);
    session.unsubscribe(text);
    return REASON.success;
  });
  connection.send(encodeUnsuback(packetId, reasons, version));
}

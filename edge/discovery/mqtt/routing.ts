import type { Subscription } from './ports.ts';
import type { BrokerState, ShareGroup, Subscriber } from './broker-state.ts';
import { type Delivering, encodePublish } from '../contract/mqtt/codec.ts';
import type { Message, MessageProperties, Qos } from '../contract/mqtt/packet.ts';
import type { Connection, EncodedMessage, Session } from './session.ts';
import { levelsOf } from './topic.ts';

/**
 * A message for one client: of several matching subscriptions, the highest quality of service
 * (MQTT-3.3.5-1).
 */
interface Hit {
  readonly session: Session;
  qos: Qos;
  retain: boolean;
  identifiers: number[];
}

/**
 * Delivers a message to every subscribed client, once each.
 *
 * @param publisher its client id, for subscriptions without the client's own messages
 */
export function route(state: BrokerState, message: Message, publisher: string): void {
  state.counters.published += 1;
  const found = state.tree.match(levelsOf(message.topic));
  if (found.length === 0) return;
  const hits = new Map<string, Hit>();
  for (const subscriber of found) {
    const chosen = subscriber.kind === 'one' ? subscriber : memberOf(subscriber);
    if (chosen) addHit(hits, chosen, { message, publisher });
  }
  const encoded: Encoded = { message, texts: new Map() };
  for (const hit of hits.values()) deliverHit(state, hit, encoded);
}

interface Published {
  readonly message: Message;
  readonly publisher: string;
}

type Chosen = Pick<Extract<Subscriber, { kind: 'one' }>, 'session' | 'subscription'>;

function addHit(hits: Map<string, Hit>, chosen: Chosen, { message, publisher }: Published): void {
  const { session, subscription } = chosen;
  const { qos: granted, noLocal, retainAsPublished, identifier } = subscription;
  if (noLocal && session.clientId === publisher) return;
  const qos = Math.min(message.qos, granted) as Qos;
  const retain = retainAsPublished && message.retain;
  const identifiers = identifier === undefined ? [] : [identifier];
  const known = hits.get(session.clientId);
  if (!known) {
    hits.set(session.clientId, { session, qos, retain, identifiers });
    return;
  }
  known.qos = Math.max(known.qos, qos) as Qos;
  known.retain ||= retain;
  known.identifiers.push(...identifiers);
}

/** Members take turns, connected ones first. */
function memberOf(group: ShareGroup): Chosen | undefined {
  const members = [...group.members.values()];
  const connected = members.filter(({ session }) => session.connection);
  const among = connected.length > 0 ? connected : members;
  group.turn += 1;
  return among[group.turn % among.length];
}

/** A message as bytes, encoded once for all clients that receive the same. */
interface Encoded {
  readonly message: Message;
  readonly texts: Map<string, Uint8Array>;
}

function deliverHit(state: BrokerState, hit: Hit, encoded: Encoded): void {
  const { session, qos, retain, identifiers } = hit;
  const isPlain = qos === 0 && identifiers.length === 0;
  if (isPlain) sendPlain(state, session, { encoded, retain });
  else deliver(state, session, withIdentifiers({ ...encoded.message, qos, retain }, identifiers));
}

interface Plain {
  readonly encoded: Encoded;
  readonly retain: boolean;
}

function sendPlain(state: BrokerState, session: Session, { encoded, retain }: Plain): void {
  const { connection } = session;
  if (!connection) return;
  const { version, opened } = connection;
  const { message, texts } = encoded;
  const how: Sending = { qos: 0, retain, now: state.ports.now() };
  if (opened?.topicAliasMaximum) {
    sendUnlessDeaf(state, connection, encodeFor(connection, message, how));
    return;
  }
  const key = `${version}${retain ? 'r' : ''}`;
  const bytes = texts.get(key) ?? encodePublish(message, { ...how, version });
  texts.set(key, bytes);
  sendUnlessDeaf(state, connection, { bytes, topic: message.topic, alias: undefined });
}

type Sending = Omit<Delivering, 'version' | 'alias'>;

/**
 * Encodes a message for one client: with a topic alias, unless that makes it too large for the
 * client.
 */
function encodeFor(connection: Connection, message: Message, how: Sending): EncodedMessage {
  const { version, opened } = connection;
  const { topic } = message;
  const alias = connection.aliasOf(topic);
  const bytes = encodePublish(message, { ...how, version, alias });
  const isTooLarge =
    alias?.isNew === true && bytes.length > (opened?.maximumPacketSize ?? Infinity);
  if (!isTooLarge) return { bytes, topic, alias };
  return { bytes: encodePublish(message, { ...how, version }), topic, alias: undefined };
}

/**
 * The runtime does not report how much is buffered. So a silent client is sent a bounded amount,
 * and the excess is dropped, as quality of service 0 allows.
 */
function sendUnlessDeaf(state: BrokerState, connection: Connection, encoded: EncodedMessage): void {
  const { bytes } = encoded;
  if (connection.unansweredBytes + bytes.length > state.limits.unansweredBytes) {
    state.counters.dropped += 1;
    return;
  }
  connection.unansweredBytes += bytes.length;
  connection.sendMessage(encoded);
}

function withIdentifiers(message: Message, identifiers: readonly number[]): Message {
  if (identifiers.length === 0) return message;
  const properties: MessageProperties = {
    ...message.properties,
    subscriptionIdentifiers: identifiers,
  };
  return { ...message, properties };
}

/** Delivers a message to one client with the quality of service and flags it has. */
export function deliver(state: BrokerState, session: Session, message: Message): void {
  const { limits, counters, ports } = state;
  if (message.qos === 0) {
    const { connection } = session;
    if (!connection) return;
    const { retain } = message;
    const how: Sending = { qos: 0, retain, now: ports.now() };
    sendUnlessDeaf(state, connection, encodeFor(connection, message, how));
    return;
  }
  const isFull =
    session.outbound.size >= limits.queuedPerClient ||
    session.outbound.bytes + message.payload.length > limits.queuedBytesPerClient;
  if (isFull) {
    counters.dropped += 1;
    return;
  }
  session.outbound.push({ ...message, payload: message.payload.slice() }, mayGo(session));
  sendNext(state, session);
}

const mayGo = ({ connection, outbound }: Session): boolean =>
  connection?.opened !== undefined &&
  outbound.size === outbound.inFlight &&
  outbound.inFlight < connection.opened.receiveMaximum;

/** Sends queued messages, up to the client's receive maximum (MQTT-3.3.4-9). */
export function sendNext(state: BrokerState, session: Session): void {
  const { connection, outbound } = session;
  if (!connection?.opened) return;
  const { receiveMaximum, maximumPacketSize } = connection.opened;
  const now = state.ports.now();
  while (outbound.inFlight < receiveMaximum) {
    const delivery = outbound.next(now);
    if (!delivery) return;
    const encoded = encodeDelivery(state, connection, { ...delivery, dup: false });
    // Too large for the client: treated as delivered (MQTT-3.1.2-25).
    if (encoded.bytes.length > maximumPacketSize) outbound.drop(delivery.packetId);
    else connection.sendMessage(encoded);
  }
}

interface Resent {
  readonly message: Message;
  readonly packetId: number;
  readonly dup: boolean;
}

export function encodeDelivery(
  { ports }: BrokerState,
  connection: Connection,
  { message, packetId, dup }: Resent,
): EncodedMessage {
  const { qos, retain } = message;
  return encodeFor(connection, message, { qos, retain, dup, packetId, now: ports.now() });
}

/** The key of a subscription in the topic tree. */
export const keyOf = (clientId: string): string => `client ${clientId}`;
export const groupKeyOf = (share: string): string => `share ${share}`;

/** The subscription of one client in the topic tree. */
export const subscriberOf = (session: Session, subscription: Subscription): Subscriber => ({
  kind: 'one',
  session,
  subscription,
});

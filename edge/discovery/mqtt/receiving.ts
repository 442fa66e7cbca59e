import type { Sender } from './ports.ts';
import type { BrokerState } from './broker-state.ts';
import type { Connection, Opened, Session } from './session.ts';
import { encodeAck } from '../contract/mqtt/codec.ts';
import type { AckPacket, Message, PublishPacket } from '../contract/mqtt/packet.ts';
import { FAILURE, MqttFault, REASON, type Reason } from '../contract/mqtt/reason.ts';
import { route, sendNext } from './routing.ts';
import { isTopicName } from './topic.ts';

/** A connection whose CONNECT was accepted. */
export interface Accepted {
  readonly connection: Connection;
  readonly session: Session;
  readonly opened: Opened;
}

/** PUBLISH: checked, retained where asked, routed and acknowledged (section 4.3). */
export function publish(state: BrokerState, accepted: Accepted, packet: PublishPacket): void {
  const { connection, session } = accepted;
  const { qos, packetId } = packet;
  const { version } = connection;
  if (qos === 2 && session.received.has(packetId)) {
    // A duplicate: it was routed already (MQTT-4.3.3-10).
    connection.send(encodeAck('pubrec', packetId, { version }));
    return;
  }
  const message = messageOf(state, packet, connection);
  const { reason, text } = acceptMessage(state, accepted, message);
  if (qos === 0) return;
  if (reason >= FAILURE) {
    const type = qos === 1 ? 'puback' : 'pubrec';
    const isSent = connection.send(
      encodeAck(type, packetId, { version, reason, reasonString: text }),
    );
    // The reason string must not make the packet larger than the client accepts (MQTT-3.4.2-2,
    // MQTT-3.5.2-2).
    if (!isSent) connection.send(encodeAck(type, packetId, { version, reason }));
    return;
  }
  if (qos === 1) {
    connection.send(encodeAck('puback', packetId, { version }));
    return;
  }
  if (session.received.size >= state.limits.receiveMaximum) {
    throw new MqttFault(
      REASON.receiveMaximumExceeded,
      `${session.received.size + 1} messages are not released, expected at most ${state.limits.receiveMaximum}`,
    );
  }
  session.receive(packetId);
  connection.send(encodeAck('pubrec', packetId, { version }));
}

/** @throws MqttFault for an invalid topic, and for aliases */
function messageOf(
  { ports }: BrokerState,
  { topic, qos, retain, payload, properties }: PublishPacket,
  { heartbeatTopic }: Connection,
): Message {
  if (properties?.topicAlias !== undefined) {
    throw new MqttFault(
      REASON.topicAliasInvalid,
      `the topic alias is ${properties.topicAlias}, and none are taken`,
    );
  }
  // Nearly every message is a heartbeat, whose topic was checked at CONNECT.
  if (topic !== heartbeatTopic && !isTopicName(topic)) {
    throw new MqttFault(REASON.topicNameInvalid, `nobody can publish to ${JSON.stringify(topic)}`);
  }
  if (!properties) return { topic, payload, qos, retain };
  const { messageExpiryInterval: expiryS, topicAlias: _, ...carried } = properties;
  const expires = expiryS === undefined ? {} : { expiresAt: ports.now() + expiryS * 1000 };
  return { topic, payload, qos, retain, properties: carried, ...expires };
}

/** The result of a PUBLISH. */
interface Verdict {
  readonly reason: Reason;
  /** For people. */
  readonly text?: string;
}

/**
 * Routes a message. @throws MqttFault notAuthorized or quotaExceeded where no acknowledgement can
 * report it
 */
function acceptMessage(state: BrokerState, accepted: Accepted, message: Message): Verdict {
  const { connection, session, opened } = accepted;
  const isSilent = message.qos === 0 || connection.version === 4;
  const { ports } = state;
  const { clientId } = session;
  if (!ports.mayPublish(opened.caller, clientId, message)) {
    const what = `${clientId} may not publish this to ${message.topic}`;
    if (isSilent) throw new MqttFault(REASON.notAuthorized, what);
    return { reason: REASON.notAuthorized };
  }
  // A message that cannot be retained is not routed either, so that its publisher can retry.
  const retained = message.retain ? keepRetained(state, session, message) : 'kept';
  if (retained === 'full') return { reason: REASON.quotaExceeded };
  if (retained !== 'kept') {
    if (isSilent) throw new MqttFault(REASON.quotaExceeded, retained.why);
    return { reason: REASON.quotaExceeded, text: retained.why };
  }
  spread(state, message, session);
  return { reason: REASON.success };
}

/** Retains a message, unless the broker is full or its publisher's quota exhausted. */
export function keepRetained(
  { retained, ports }: BrokerState,
  { owner, isBound }: Sender,
  message: Message,
): 'kept' | 'full' | { readonly why: string } {
  const used = isBound ? retained.usedWith(message, owner) : undefined;
  const why = used && ports.overQuota('retained_messages', used);
  if (why !== undefined) return { why };
  return retained.put({ ...message, owner }) ? 'kept' : 'full';
}

/** Passes a message to the server and to all subscribers. */
export function spread(state: BrokerState, message: Message, sender: Sender): void {
  state.ports.onMessage(message, sender);
  route(state, message, sender.clientId);
}

/** PUBACK, PUBREC and PUBCOMP of delivered messages; PUBREL of received ones. */
export function acknowledge(state: BrokerState, accepted: Accepted, packet: AckPacket): void {
  const { connection, session } = accepted;
  const { packetId, reason } = packet;
  const { version } = connection;
  switch (packet.type) {
    case 'puback':
      session.outbound.acknowledge(packetId);
      break;
    case 'pubrec': {
      const next = session.outbound.receive(packetId, reason >= FAILURE);
      if (next === 'ended') break;
      const result = next === 'release' ? REASON.success : REASON.packetIdentifierNotFound;
      if (reason < FAILURE)
        connection.send(encodeAck('pubrel', packetId, { version, reason: result }));
      break;
    }
    case 'pubcomp':
      session.outbound.complete(packetId);
      break;
    case 'pubrel': {
      const result = session.release(packetId) ? REASON.success : REASON.packetIdentifierNotFound;
      connection.send(encodeAck('pubcomp', packetId, { version, reason: result }));
      return;
    }
  }
  sendNext(state, session);
}

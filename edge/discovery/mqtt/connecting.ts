import { allows, type Caller } from '../../http/caller.ts';
import { holderOf } from '../../http/ownership.ts';
import { heartbeatTopic } from '../contract/topics.ts';
import type { BrokerState } from './broker-state.ts';
import { type Connection, type Opened, Session } from './session.ts';
import { encodeAck, encodeConnack } from '../contract/mqtt/codec.ts';
import type { ConnectPacket, Properties } from '../contract/mqtt/packet.ts';
import { MqttFault, REASON, type Reason } from '../contract/mqtt/reason.ts';
import { endSession, publishWill } from './session-lifecycle.ts';
import { encodeDelivery, sendNext } from './routing.ts';
import { isTopicName } from './topic.ts';

const NO_LIMIT = 0xffff_ffff;
const MAX_IN_FLIGHT = 0xffff;
/** The in-flight limit for a client of 3.1.1, which cannot state one. */
const IN_FLIGHT_3 = 100;

/**
 * Handles an authenticated CONNECT: opens or resumes a session, and ends another connection of the
 * same client (MQTT-3.1.4-3).
 */
export function accept(
  state: BrokerState,
  connection: Connection,
  { packet, caller }: { packet: ConnectPacket; caller: Caller | undefined },
): void {
  const { version } = packet;
  const clientId = packet.clientId || state.ports.makeId();
  if (!caller) {
    refuse(
      connection,
      packet,
      packet.password ? REASON.badUserNameOrPassword : REASON.notAuthorized,
    );
    return;
  }
  const refusal = refusalOf(state, { packet, caller, clientId });
  if (refusal !== undefined) {
    refuse(connection, packet, refusal);
    return;
  }
  const tooMany = state.sessions.has(clientId) ? undefined : quotaTextOf(state, caller);
  if (tooMany !== undefined) {
    refuse(connection, packet, REASON.quotaExceeded, tooMany);
    return;
  }
  connection.opened = openedOf(state, packet, caller);
  connection.splitter.maxBytes = state.limits.packetBytes;
  connection.heartbeatTopic = isTopicName(clientId) ? heartbeatTopic(clientId) : '';
  const { session, sessionPresent } = sessionOf(state, { packet, caller, clientId });
  session.takeCaller(caller);
  join(state, connection, { session, packet });
  connection.send(
    encodeConnack(
      {
        sessionPresent,
        reason: REASON.success,
        properties: connackPropertiesOf(state, packet, session),
      },
      version,
    ),
  );
  resume(state, session, connection.opened);
}

function openedOf({ limits }: BrokerState, packet: ConnectPacket, caller: Caller): Opened {
  const { version, keepAliveS: wished, properties } = packet;
  return {
    caller,
    version,
    keepAliveS: version === 5 ? keepAliveOf(wished, limits.keepAliveS) : wished,
    receiveMaximum: properties.receiveMaximum ?? (version === 5 ? MAX_IN_FLIGHT : IN_FLIGHT_3),
    maximumPacketSize: properties.maximumPacketSize ?? NO_LIMIT,
    topicAliasMaximum: Math.min(properties.topicAliasMaximum ?? 0, limits.topicAliases),
  };
}

/** The refusal of one session more than the quota; undefined where it is allowed. */
function quotaTextOf({ ports, held }: BrokerState, caller: Caller): string | undefined {
  if (allows(caller, 'admin')) return undefined;
  return ports.overQuota('mqtt_sessions', held.usedBy(holderOf(caller)));
}

interface Asking {
  readonly packet: ConnectPacket;
  readonly caller: Caller;
  readonly clientId: string;
}

function refusalOf(state: BrokerState, asking: Asking): Reason | undefined {
  const { packet, caller, clientId } = asking;
  const { limits, sessions } = state;
  const { version, cleanStart, properties } = packet;
  if (properties.authenticationMethod !== undefined) return REASON.badAuthenticationMethod;
  // MQTT-3.1.3-8: without a client id of its own, a client cannot resume its session.
  const isNameless = version === 4 && packet.clientId === '' && !cleanStart;
  if (isNameless || clientId.length > limits.clientIdLength) return REASON.clientIdNotValid;
  const known = sessions.get(clientId);
  if (known && known.owner !== holderOf(caller)) return REASON.notAuthorized;
  if (!known && sessions.size >= limits.clients) return REASON.quotaExceeded;
  return willRefusalOf(state, asking);
}

function willRefusalOf({ ports }: BrokerState, asking: Asking): Reason | undefined {
  const { packet, caller, clientId } = asking;
  const { message } = packet.will ?? {};
  if (!message) return undefined;
  if (!isTopicName(message.topic)) return REASON.topicNameInvalid;
  return ports.mayPublish(caller, clientId, message) ? undefined : REASON.notAuthorized;
}

/** Sends a refusal, then ends the connection (MQTT-3.2.2-7). */
export function refuse(
  connection: Connection,
  { version, properties: asked }: Pick<ConnectPacket, 'version'> & Partial<ConnectPacket>,
  reason: Reason,
  text?: string,
): void {
  const plain = encodeConnack({ sessionPresent: false, reason }, version);
  const properties = text === undefined ? {} : { reasonString: text };
  const connack = encodeConnack({ sessionPresent: false, reason, properties }, version);
  // The reason string must not make the packet larger than the client accepts (MQTT-3.2.2-19).
  connection.send(connack.length > (asked?.maximumPacketSize ?? NO_LIMIT) ? plain : connack);
  const why = text ?? `the CONNECT was refused with reason ${reason}`;
  connection.fail(new MqttFault(reason, why));
}

/** The keep alive is limited: the value sent in place of 0 applies (MQTT-3.1.2-21). */
const keepAliveOf = (wished: number, most: number): number =>
  wished === 0 || wished > most ? most : wished;

function sessionOf(state: BrokerState, { packet, caller, clientId }: Asking) {
  const known = state.sessions.get(clientId);
  known?.connection?.fail(
    new MqttFault(REASON.sessionTakenOver, `${clientId} has connected once more`),
  );
  if (known) detachForTakeOver(state, known, packet.cleanStart);
  const existing = state.sessions.get(clientId);
  if (existing) return { session: existing, sessionPresent: true };
  const session = new Session(state.ports.store, { clientId, owner: holderOf(caller) });
  state.sessions.set(clientId, session);
  state.held.add(session.owner);
  return { session, sessionPresent: false };
}

/** Ends or keeps the session whose connection was just taken over, before it is used again. */
function detachForTakeOver(state: BrokerState, session: Session, cleanStart: boolean): void {
  const wasConnected = session.connection !== undefined;
  if (session.connection) state.connections.delete(session.connection.link);
  session.connection = undefined;
  const ends = cleanStart || (wasConnected && session.expiryS === 0);
  // A delayed will is not published where the session resumes (section 3.1.3.2.2).
  if (ends) endSession(state, session);
  else if (wasConnected && (session.will?.delayS ?? 0) === 0) publishWill(state, session);
}

interface Joining {
  readonly session: Session;
  readonly packet: ConnectPacket;
}

function join(state: BrokerState, connection: Connection, { session, packet }: Joining): void {
  const { version, cleanStart, properties, will } = packet;
  const most = state.limits.sessionExpiryS;
  const asked = version === 5 ? (properties.sessionExpiryInterval ?? 0) : cleanStart ? 0 : most;
  session.expiryS = Math.min(asked, most);
  session.will = will && { ...will, message: { ...will.message } };
  session.willAt = undefined;
  session.endsAt = undefined;
  session.connection = connection;
  connection.session = session;
  session.save();
  connection.keep();
  if (connection.silentUntil < Infinity) state.ports.wakeAt(connection.silentUntil);
}

/**
 * The properties of CONNACK that differ from the client's request, or from the standard's defaults.
 */
function connackPropertiesOf(
  { limits }: BrokerState,
  packet: ConnectPacket,
  session: Session,
): Properties {
  const { keepAliveS: wished, clientId, properties } = packet;
  const asked = properties.sessionExpiryInterval ?? 0;
  const keepAliveS = keepAliveOf(wished, limits.keepAliveS);
  return {
    ...(asked !== session.expiryS && { sessionExpiryInterval: session.expiryS }),
    receiveMaximum: limits.receiveMaximum,
    maximumPacketSize: limits.packetBytes,
    ...(clientId === '' && { assignedClientIdentifier: session.clientId }),
    ...(keepAliveS !== wished && { serverKeepAlive: keepAliveS }),
  };
}

/** Resends what was not acknowledged, in order, then sends what was queued (MQTT-4.4.0-1). */
function resume(
  state: BrokerState,
  session: Session,
  { version, maximumPacketSize }: Opened,
): void {
  const { connection, outbound } = session;
  for (const delivery of outbound.all()) {
    const { phase, packetId } = delivery;
    if (phase === 'released') connection?.send(encodeAck('pubrel', packetId, { version }));
    if (phase !== 'sent') continue;
    if (!connection) return;
    const encoded = encodeDelivery(state, connection, { ...delivery, dup: true });
    if (encoded.bytes.length > maximumPacketSize) outbound.drop(packetId);
    else connection.sendMessage(encoded);
  }
  sendNext(state, session);
}

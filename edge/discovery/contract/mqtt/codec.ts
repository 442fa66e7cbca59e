import { Reader, Writer } from './bytes.ts';
import type {
  AckPacket,
  AckType,
  Connack,
  Message,
  Properties,
  ProtocolVersion,
  PublishPacket,
  Qos,
} from './packet.ts';
import { readProperties, writeProperties } from './properties.ts';
import { malformed, protocolError, REASON, type Reason, returnCodeOf } from './reason.ts';

/** The first byte of each packet that the broker sends. */
const FIRST = {
  connack: 0x20,
  publish: 0x30,
  puback: 0x40,
  pubrec: 0x50,
  pubrel: 0x62,
  pubcomp: 0x70,
  suback: 0x90,
  unsuback: 0xb0,
  disconnect: 0xe0,
} as const;

export const PINGRESP = Uint8Array.of(0xd0, 0);

export function encodeConnack(
  { sessionPresent, reason, properties }: Connack,
  version: ProtocolVersion,
): Uint8Array {
  const writer = new Writer().byte(sessionPresent ? 1 : 0);
  writer.byte(version === 5 ? reason : returnCodeOf(reason));
  if (version === 5) writeProperties(writer, properties);
  return writer.packet(FIRST.connack);
}

/** A number that stands for a topic on one connection (section 3.3.2.3.4). */
export interface TopicAlias {
  readonly value: number;
  /** Whether the topic is sent too, as the receiver does not know the alias yet. */
  readonly isNew: boolean;
}

/** The form of a message for one subscriber. */
export interface Delivering {
  readonly version: ProtocolVersion;
  readonly qos: Qos;
  readonly retain: boolean;
  readonly dup?: boolean;
  readonly packetId?: number;
  readonly alias?: TopicAlias | undefined;
  /** Epoch milliseconds, for the remaining expiry interval (MQTT-3.3.2-6). */
  readonly now: number;
}

export function encodePublish(message: Message, delivering: Delivering): Uint8Array {
  const { version, qos, retain, dup, packetId = 0, alias, now } = delivering;
  const writer = new Writer().text(alias?.isNew === false ? '' : message.topic);
  if (qos > 0) writer.uint16(packetId);
  const aliased = alias && { topicAlias: alias.value };
  if (version === 5) writeProperties(writer, { ...propertiesOf(message, now), ...aliased });
  writer.raw(message.payload);
  return writer.packet(FIRST.publish | (dup ? 8 : 0) | (qos << 1) | (retain ? 1 : 0));
}

function propertiesOf({ properties, expiresAt }: Message, now: number): Properties {
  if (expiresAt === undefined) return properties ?? {};
  const left = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  return { messageExpiryInterval: left, ...properties };
}

export function encodeAck(
  type: AckType,
  packetId: number,
  {
    version,
    reason = REASON.success,
    reasonString,
  }: { version: ProtocolVersion; reason?: Reason; reasonString?: string | undefined },
): Uint8Array {
  const writer = new Writer().uint16(packetId);
  if (version === 5 && reason !== REASON.success) {
    writer.byte(reason);
    writeProperties(writer, reasonString === undefined ? {} : { reasonString });
  }
  return writer.packet(FIRST[type]);
}

/** @param reasons one for each filter: the granted quality of service, or a failure */
export function encodeSuback(
  packetId: number,
  reasons: readonly number[],
  version: ProtocolVersion,
): Uint8Array {
  const writer = new Writer().uint16(packetId);
  if (version === 5) writeProperties(writer);
  // 3.1.1 knows one kind of refusal.
  for (const reason of reasons) writer.byte(version === 5 ? reason : Math.min(reason, 0x80));
  return writer.packet(FIRST.suback);
}

export function encodeUnsuback(
  packetId: number,
  reasons: readonly number[],
  version: ProtocolVersion,
): Uint8Array {
  const writer = new Writer().uint16(packetId);
  if (version === 5) {
    writeProperties(writer);
    for (const reason of reasons) writer.byte(reason);
  }
  return writer.packet(FIRST.unsuback);
}

/** MQTT 5 only: a server of 3.1.1 just closes. */
export function encodeDisconnect(reason: Reason, reasonString?: string): Uint8Array {
  const writer = new Writer().byte(reason);
  writeProperties(writer, reasonString === undefined ? {} : { reasonString });
  return writer.packet(FIRST.disconnect);
}

/**
 * Decodes a PUBLISH of a client or of a broker.
 *
 * @param first its first byte
 * @param body what follows its length
 * @throws MqttFault malformedPacket or protocolError
 */
export function decodePublish(
  first: number,
  body: Uint8Array,
  version: ProtocolVersion,
): PublishPacket {
  const qos = ((first >> 1) & 3) as Qos | 3;
  const dup = (first & 8) !== 0;
  if (qos === 3) throw malformed('the quality of service of a PUBLISH is 3');
  if (dup && qos === 0)
    throw malformed('a PUBLISH of quality of service 0 is marked as sent again');
  const reader = new Reader(body);
  const topic = reader.text();
  const packetId = qos === 0 ? 0 : readPacketId(reader);
  const properties = version === 5 ? readProperties(reader, 'publish') : undefined;
  const retain = (first & 1) !== 0;
  return {
    type: 'publish',
    qos,
    dup,
    retain,
    topic,
    packetId,
    properties,
    payload: reader.rest(),
  };
}

export function readPacketId(reader: Reader): number {
  const id = reader.uint16();
  if (id === 0) throw protocolError('the packet identifier is 0');
  return id;
}

/** Decodes the acknowledgement of a PUBLISH. @throws MqttFault malformedPacket or protocolError */
export function decodeAck(type: AckType, body: Uint8Array, version: ProtocolVersion): AckPacket {
  const reader = new Reader(body);
  const packetId = readPacketId(reader);
  let reason = 0;
  if (version === 5 && !reader.isDone) {
    reason = reader.byte();
    if (!reader.isDone) readProperties(reader, 'ack');
  }
  checkEnd(reader, type);
  return { type, packetId, reason };
}

export function checkEnd(reader: Reader, type: string): void {
  if (!reader.isDone) throw malformed(`bytes follow the last field of ${type.toUpperCase()}`);
}

import type { AckPacket, AckType, ProtocolVersion, PublishPacket, Qos } from './packet.ts';
import { readProperties } from './properties.ts';
import { Reader } from './reader.ts';
import { malformed, protocolError } from './reason.ts';

/**
 * Reads a PUBLISH, of a client or of a broker.
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

/** Reads what answers a PUBLISH. @throws MqttFault malformedPacket or protocolError */
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

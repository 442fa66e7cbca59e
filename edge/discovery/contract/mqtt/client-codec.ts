import { checkEnd, decodeAck, decodePublish, readPacketId } from './codec.ts';
import type { AckPacket, Message, Properties, PublishPacket, Qos, Will } from './packet.ts';
import { readProperties, writeProperties } from './properties.ts';
import { Reader, Writer } from './bytes.ts';
import { malformed } from './reason.ts';

/**
 * The packets of an MQTT 5 client other than PUBLISH and PUBACK, and those a broker sends to it.
 */

const FIRST = { connect: 0x10, subscribe: 0x82 } as const;
const TYPE = {
  connack: 2,
  publish: 3,
  puback: 4,
  suback: 9,
  pingresp: 13,
  disconnect: 14,
} as const;
const FLAG = { cleanStart: 0x02, will: 0x04, willRetain: 0x20, password: 0x40, username: 0x80 };
const VERSION = 5;

export const PINGREQ = Uint8Array.of(0xc0, 0);

/** The content of a CONNECT that starts a new session. */
interface Introduction {
  readonly clientId: string;
  readonly keepAliveS: number;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly will?: Pick<Will, 'message'> | undefined;
}

/** Writes a CONNECT (section 3.1). */
export function encodeConnect(introduction: Introduction): Uint8Array {
  const { clientId, keepAliveS, username, password, will } = introduction;
  const writer = new Writer().text('MQTT').byte(VERSION).byte(flagsOf(introduction));
  writeProperties(writer.uint16(keepAliveS));
  writer.text(clientId);
  if (will) {
    writeProperties(writer, will.message.properties);
    writer.text(will.message.topic).binary(will.message.payload);
  }
  for (const text of [username, password]) {
    if (text !== undefined) writer.text(text);
  }
  return writer.packet(FIRST.connect);
}

function flagsOf({ username, password, will }: Introduction): number {
  return (
    FLAG.cleanStart |
    (will ? willFlagsOf(will.message) : 0) |
    (username === undefined ? 0 : FLAG.username) |
    (password === undefined ? 0 : FLAG.password)
  );
}

const willFlagsOf = ({ qos, retain }: Message): number =>
  FLAG.will | (qos << 3) | (retain ? FLAG.willRetain : 0);

/** Writes a SUBSCRIBE to one filter (section 3.8). */
export function encodeSubscribe(packetId: number, filter: string, qos: Qos): Uint8Array {
  const writer = new Writer().uint16(packetId);
  writeProperties(writer);
  return writer.text(filter).byte(qos).packet(FIRST.subscribe);
}

/** A packet that a broker sends to a client of quality of service 0 and 1. */
export type BrokerPacket =
  | PublishPacket
  | AckPacket
  | {
      readonly type: 'connack';
      readonly reason: number;
      readonly properties: Properties;
    }
  | { readonly type: 'suback'; readonly packetId: number; readonly reasons: readonly number[] }
  | { readonly type: 'pingresp' }
  | { readonly type: 'disconnect'; readonly reason: number; readonly properties: Properties };

/**
 * Decodes a packet of an MQTT 5 broker.
 *
 * @param first its first byte
 * @param body what follows its length
 * @throws MqttFault malformedPacket or protocolError
 */
export function decodeBrokerPacket(first: number, body: Uint8Array): BrokerPacket {
  const type = first >> 4;
  if (type === TYPE.publish) return decodePublish(first, body, VERSION);
  if ((first & 0xf) !== 0) {
    throw malformed(`the flags of a packet of type ${type} are ${first & 0xf}, not 0`);
  }
  switch (type) {
    case TYPE.connack:
      return decodeConnack(body);
    case TYPE.puback:
      return decodeAck('puback', body, VERSION);
    case TYPE.suback:
      return decodeSuback(body);
    case TYPE.pingresp:
      return { type: 'pingresp' };
    case TYPE.disconnect:
      return decodeDisconnect(body);
    default:
      throw malformed(`a packet of type ${type} was not expected of a broker`);
  }
}

function decodeConnack(body: Uint8Array): BrokerPacket {
  const reader = new Reader(body);
  const flags = reader.byte();
  if (flags > 1) throw malformed(`the flags of CONNACK are ${flags}, expected 0 or 1`);
  const reason = reader.byte();
  // A broker that does not support MQTT 5 responds in the form of 3.1.1.
  const properties = reader.isDone ? {} : readProperties(reader, 'connack');
  checkEnd(reader, 'connack');
  return { type: 'connack', reason, properties };
}

function decodeSuback(body: Uint8Array): BrokerPacket {
  const reader = new Reader(body);
  const packetId = readPacketId(reader);
  readProperties(reader, 'ack');
  return { type: 'suback', packetId, reasons: [...reader.rest()] };
}

function decodeDisconnect(body: Uint8Array): BrokerPacket {
  const reader = new Reader(body);
  const reason = reader.isDone ? 0 : reader.byte();
  const properties = reader.isDone ? {} : readProperties(reader, 'disconnect');
  checkEnd(reader, 'disconnect');
  return { type: 'disconnect', reason, properties };
}

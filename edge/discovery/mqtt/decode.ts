import {
  checkEnd,
  decodeAck,
  decodePublish,
  readPacketId,
} from '../contract/mqtt/decode-message.ts';
import type {
  AckType,
  ClientPacket,
  DisconnectPacket,
  ProtocolVersion,
  PublishPacket,
  Qos,
  SubscribePacket,
  SubscriptionRequest,
  UnsubscribePacket,
} from '../contract/mqtt/packet.ts';
import { readProperties } from '../contract/mqtt/properties.ts';
import { Reader } from '../contract/mqtt/reader.ts';
import { malformed, protocolError } from '../contract/mqtt/reason.ts';
import { decodeConnect } from './decode-connect.ts';

const TYPE = {
  connect: 1,
  publish: 3,
  puback: 4,
  pubrec: 5,
  pubrel: 6,
  pubcomp: 7,
  subscribe: 8,
  unsubscribe: 10,
  pingreq: 12,
  disconnect: 14,
  auth: 15,
} as const;

/** Types whose lower four bits are 0010 (table 2-2); of all others but PUBLISH they are 0000. */
const FLAGGED: ReadonlySet<number> = new Set([TYPE.pubrel, TYPE.subscribe, TYPE.unsubscribe]);

/**
 * Reads a packet of a client.
 *
 * @param first its first byte
 * @param body what follows its length
 * @param version what the connection was opened with; a CONNECT says it itself
 * @throws MqttFault malformedPacket or protocolError
 */
export function decodePacket(
  first: number,
  body: Uint8Array,
  version: ProtocolVersion,
): ClientPacket {
  const type = first >> 4;
  if (type === TYPE.publish) return decodeOwnPublish(first, body, version);
  const expected = FLAGGED.has(type) ? 2 : 0;
  if ((first & 0xf) !== expected) {
    throw malformed(`the flags of a packet of type ${type} are ${first & 0xf}, not ${expected}`);
  }
  const decode = DECODERS[type];
  if (decode) return decode(body, version);
  throw malformed(`a client sends no packet of type ${type}`);
}

/** A client's PUBLISH. */
function decodeOwnPublish(
  first: number,
  body: Uint8Array,
  version: ProtocolVersion,
): PublishPacket {
  const packet = decodePublish(first, body, version);
  if (!packet.properties?.subscriptionIdentifiers) return packet;
  throw protocolError('a client sends no subscription identifier with a PUBLISH');
}

function decodeSubscribe(body: Uint8Array, version: ProtocolVersion): SubscribePacket {
  const reader = new Reader(body);
  const packetId = readPacketId(reader);
  const identifiers =
    version === 5 ? readProperties(reader, 'subscribe').subscriptionIdentifiers : undefined;
  if (identifiers && identifiers.length > 1) {
    throw protocolError('a SUBSCRIBE has more than one subscription identifier');
  }
  const requests: SubscriptionRequest[] = [];
  while (!reader.isDone) requests.push(readRequest(reader, version));
  if (requests.length === 0) throw protocolError('a SUBSCRIBE names no topic filter');
  return { type: 'subscribe', packetId, identifier: identifiers?.[0], requests };
}

function readRequest(reader: Reader, version: ProtocolVersion): SubscriptionRequest {
  const filter = reader.text();
  const options = reader.byte();
  if (options & (version === 5 ? 0xc0 : 0xfc)) {
    throw malformed(`the reserved bits of subscription options ${options} are set`);
  }
  const qos = (options & 3) as Qos | 3;
  const retainHandling = ((options >> 4) & 3) as 0 | 1 | 2 | 3;
  if (qos === 3) throw malformed('a subscription asks for quality of service 3');
  if (retainHandling === 3) throw protocolError('the retain handling of a subscription is 3');
  return {
    filter,
    qos,
    noLocal: (options & 4) !== 0,
    retainAsPublished: (options & 8) !== 0,
    retainHandling,
  };
}

function decodeUnsubscribe(body: Uint8Array, version: ProtocolVersion): UnsubscribePacket {
  const reader = new Reader(body);
  const packetId = readPacketId(reader);
  if (version === 5) readProperties(reader, 'unsubscribe');
  const filters: string[] = [];
  while (!reader.isDone) filters.push(reader.text());
  if (filters.length === 0) throw protocolError('an UNSUBSCRIBE names no topic filter');
  return { type: 'unsubscribe', packetId, filters };
}

function decodeDisconnect(body: Uint8Array, version: ProtocolVersion): DisconnectPacket {
  const reader = new Reader(body);
  let reason = 0;
  let sessionExpiryS: number | undefined;
  if (version === 5 && !reader.isDone) {
    reason = reader.byte();
    if (!reader.isDone) {
      sessionExpiryS = readProperties(reader, 'disconnect').sessionExpiryInterval;
    }
  }
  checkEnd(reader, 'disconnect');
  return { type: 'disconnect', reason, sessionExpiryS };
}

function decodePingreq(body: Uint8Array): ClientPacket {
  if (body.length > 0) throw malformed(`PINGREQ has ${body.length} bytes, expected none`);
  return { type: 'pingreq' };
}

function decodeAuth(_: Uint8Array, version: ProtocolVersion): ClientPacket {
  if (version === 5) return { type: 'auth' };
  throw malformed('there is no AUTH in MQTT 3.1.1');
}

type Decode = (body: Uint8Array, version: ProtocolVersion) => ClientPacket;

const ackDecoder =
  (type: AckType): Decode =>
  (body, version) =>
    decodeAck(type, body, version);

/** By type, all but PUBLISH, whose first byte says more. */
const DECODERS: Readonly<Record<number, Decode>> = {
  [TYPE.connect]: decodeConnect,
  [TYPE.puback]: ackDecoder('puback'),
  [TYPE.pubrec]: ackDecoder('pubrec'),
  [TYPE.pubrel]: ackDecoder('pubrel'),
  [TYPE.pubcomp]: ackDecoder('pubcomp'),
  [TYPE.subscribe]: decodeSubscribe,
  [TYPE.unsubscribe]: decodeUnsubscribe,
  [TYPE.pingreq]: decodePingreq,
  [TYPE.disconnect]: decodeDisconnect,
  [TYPE.auth]: decodeAuth,
};

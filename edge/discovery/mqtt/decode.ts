import { Reader } from '../contract/mqtt/bytes.ts';
import { checkEnd, decodeAck, decodePublish, readPacketId } from '../contract/mqtt/codec.ts';
import type {
  AckType,
  ClientPacket,
  ConnectPacket,
  DisconnectPacket,
  ProtocolVersion,
  PublishPacket,
  Qos,
  SubscribePacket,
  SubscriptionRequest,
  UnsubscribePacket,
  Will,
} from '../contract/mqtt/packet.ts';
import { readProperties } from '../contract/mqtt/properties.ts';
import { malformed, MqttFault, protocolError, REASON } from '../contract/mqtt/reason.ts';

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

/** Types whose lower four bits are 0010 (table 2-2); those of all others but PUBLISH are 0000. */
const FLAGGED: ReadonlySet<number> = new Set([TYPE.pubrel, TYPE.subscribe, TYPE.unsubscribe]);

/**
 * Decodes a packet of a client.
 *
 * @param first its first byte
 * @param body what follows its length
 * @param version the version of the connection; a CONNECT states its own
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

/** By type, all but PUBLISH, whose first byte has flags. */
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

const FLAG = {
  reserved: 0x01,
  cleanStart: 0x02,
  will: 0x04,
  willRetain: 0x20,
  password: 0x40,
  username: 0x80,
} as const;

/** An unsupported version; `level` is the one the client stated. */
export class UnsupportedVersion extends MqttFault {
  readonly level: number;

  constructor(level: number) {
    super(
      REASON.unsupportedProtocolVersion,
      `the protocol level is ${level}, expected 4 (MQTT 3.1.1) or 5`,
    );
    this.level = level;
  }
}

/**
 * Decodes a CONNECT. @throws MqttFault malformedPacket, protocolError, unsupportedProtocolVersion
 */
function decodeConnect(body: Uint8Array): ConnectPacket {
  const reader = new Reader(body);
  const version = readVersion(reader);
  const flags = reader.byte();
  checkFlags(flags, version);
  const keepAliveS = reader.uint16();
  const properties = version === 5 ? readProperties(reader, 'connect') : {};
  if (properties.authenticationData && properties.authenticationMethod === undefined) {
    throw protocolError('there is authentication data without a method');
  }
  const clientId = reader.text();
  const will = flags & FLAG.will ? readWill(reader, flags, version) : undefined;
  const login = readLogin(reader, flags);
  if (!reader.isDone) throw malformed('bytes follow the last field of CONNECT');
  return {
    type: 'connect',
    version,
    cleanStart: (flags & FLAG.cleanStart) !== 0,
    keepAliveS,
    clientId,
    ...(will && { will }),
    ...login,
    properties,
  };
}

function readLogin(reader: Reader, flags: number): Pick<ConnectPacket, 'username' | 'password'> {
  const username = flags & FLAG.username ? { username: reader.text() } : {};
  const password = flags & FLAG.password ? { password: reader.binary().slice() } : {};
  return { ...username, ...password };
}

function readVersion(reader: Reader): ProtocolVersion {
  const name = reader.text();
  const level = reader.byte();
  if (name === 'MQTT' && (level === 4 || level === 5)) return level;
  if (name === 'MQTT' || name === 'MQIsdp') throw new UnsupportedVersion(level);
  throw malformed(`the protocol is named ${JSON.stringify(name.slice(0, 20))}, expected "MQTT"`);
}

function checkFlags(flags: number, version: ProtocolVersion): void {
  if (flags & FLAG.reserved) throw malformed('the reserved flag of CONNECT is set');
  const willQos = (flags >> 3) & 3;
  if (willQos === 3) throw malformed('the quality of service of the will is 3');
  if (!(flags & FLAG.will) && (willQos > 0 || flags & FLAG.willRetain)) {
    throw malformed('there are flags of a will and no will');
  }
  if (version === 4 && flags & FLAG.password && !(flags & FLAG.username)) {
    throw malformed('there is a password without a user name');
  }
}

function readWill(reader: Reader, flags: number, version: ProtocolVersion): Will {
  const properties = version === 5 ? readProperties(reader, 'will') : {};
  const { willDelayInterval, messageExpiryInterval, ...carried } = properties;
  const topic = reader.text();
  const payload = reader.binary().slice();
  const qos = ((flags >> 3) & 3) as Qos;
  const retain = (flags & FLAG.willRetain) !== 0;
  return {
    message: { topic, payload, qos, retain, properties: carried },
    delayS: willDelayInterval ?? 0,
    ...(messageExpiryInterval !== undefined && { expiryS: messageExpiryInterval }),
  };
}

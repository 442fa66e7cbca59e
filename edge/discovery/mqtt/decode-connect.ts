import type { ConnectPacket, ProtocolVersion, Qos, Will } from '../contract/mqtt/packet.ts';
import { readProperties } from '../contract/mqtt/properties.ts';
import { Reader } from '../contract/mqtt/reader.ts';
import { malformed, MqttFault, protocolError, REASON } from '../contract/mqtt/reason.ts';

const FLAG = {
  reserved: 0x01,
  cleanStart: 0x02,
  will: 0x04,
  willRetain: 0x20,
  password: 0x40,
  username: 0x80,
} as const;

/** A version nobody speaks here; `level` is what the client said of it. */
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

/** Reads a CONNECT. @throws MqttFault malformedPacket, protocolError, unsupportedProtocolVersion */
export function decodeConnect(body: Uint8Array): ConnectPacket {
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

import type { Properties } from './packet.ts';
import { type Reader, Writer } from './bytes.ts';
import { malformed, protocolError } from './reason.ts';

/** The place of properties: a packet, or the will within CONNECT. */
type Place =
  | 'connect'
  | 'will'
  | 'connack'
  | 'publish'
  | 'ack'
  | 'subscribe'
  | 'unsubscribe'
  | 'disconnect';

type Name = keyof Properties;
type Kind = 'byte' | 'flag' | 'uint16' | 'uint32' | 'varint' | 'text' | 'binary' | 'pair';

interface Row {
  readonly id: number;
  readonly kind: Kind;
  readonly places: readonly Place[];
  /** 0 is a protocol error. */
  readonly isPositive?: true;
}

const MESSAGE: readonly Place[] = ['publish', 'will'];
const EVERYWHERE: readonly Place[] = [
  ...MESSAGE,
  ...(['connect', 'connack', 'ack', 'subscribe', 'unsubscribe', 'disconnect'] as const),
];

/** Table 2-4 of MQTT 5. */
const TABLE: Readonly<Record<Name, Row>> = {
  payloadFormatIndicator: { id: 1, kind: 'flag', places: MESSAGE },
  messageExpiryInterval: { id: 2, kind: 'uint32', places: MESSAGE },
  contentType: { id: 3, kind: 'text', places: MESSAGE },
  responseTopic: { id: 8, kind: 'text', places: MESSAGE },
  correlationData: { id: 9, kind: 'binary', places: MESSAGE },
  subscriptionIdentifiers: {
    id: 11,
    kind: 'varint',
    places: ['publish', 'subscribe'],
    isPositive: true,
  },
  sessionExpiryInterval: { id: 17, kind: 'uint32', places: ['connect', 'connack', 'disconnect'] },
  assignedClientIdentifier: { id: 18, kind: 'text', places: ['connack'] },
  serverKeepAlive: { id: 19, kind: 'uint16', places: ['connack'] },
  authenticationMethod: { id: 21, kind: 'text', places: ['connect', 'connack'] },
  authenticationData: { id: 22, kind: 'binary', places: ['connect', 'connack'] },
  requestProblemInformation: { id: 23, kind: 'flag', places: ['connect'] },
  willDelayInterval: { id: 24, kind: 'uint32', places: ['will'] },
  requestResponseInformation: { id: 25, kind: 'flag', places: ['connect'] },
  responseInformation: { id: 26, kind: 'text', places: ['connack'] },
  serverReference: { id: 28, kind: 'text', places: ['connack', 'disconnect'] },
  reasonString: { id: 31, kind: 'text', places: ['connack', 'ack', 'disconnect'] },
  receiveMaximum: { id: 33, kind: 'uint16', places: ['connect', 'connack'], isPositive: true },
  topicAliasMaximum: { id: 34, kind: 'uint16', places: ['connect', 'connack'] },
  topicAlias: { id: 35, kind: 'uint16', places: ['publish'] },
  maximumQos: { id: 36, kind: 'flag', places: ['connack'] },
  retainAvailable: { id: 37, kind: 'flag', places: ['connack'] },
  userProperties: { id: 38, kind: 'pair', places: EVERYWHERE },
  maximumPacketSize: { id: 39, kind: 'uint32', places: ['connect', 'connack'], isPositive: true },
  wildcardSubscriptionAvailable: { id: 40, kind: 'flag', places: ['connack'] },
  subscriptionIdentifiersAvailable: { id: 41, kind: 'flag', places: ['connack'] },
  sharedSubscriptionAvailable: { id: 42, kind: 'flag', places: ['connack'] },
};

const NAMES = new Map<number, Name>(
  (Object.keys(TABLE) as Name[]).map((name) => [TABLE[name].id, name]),
);

/**
 * Reads the length-prefixed properties of a packet.
 *
 * @throws MqttFault malformedPacket for one that is not allowed there, protocolError for a
 * duplicate one or an invalid value
 */
export function readProperties(reader: Reader, place: Place): Properties {
  const properties: Record<string, unknown> = {};
  const length = reader.varint();
  if (length === 0) return {};
  const section = reader.section(length);
  while (!section.isDone) {
    const id = section.varint();
    const name = NAMES.get(id);
    if (!name || !TABLE[name].places.includes(place)) {
      throw malformed(`the property ${id} does not belong into ${place}`);
    }
    const value = readValue(section, name);
    const isList = name === 'userProperties' || name === 'subscriptionIdentifiers';
    if (isList) {
      properties[name] = [...((properties[name] as unknown[] | undefined) ?? []), value];
    } else if (name in properties) {
      throw protocolError(`the property ${name} is there twice`);
    } else properties[name] = value;
  }
  return properties as Properties;
}

function readValue(reader: Reader, name: Name): unknown {
  const { kind, isPositive } = TABLE[name];
  const value = kind === 'pair' ? [reader.text(), reader.text()] : readPlain(reader, kind);
  if (isPositive && value === 0) throw protocolError(`the property ${name} is 0`);
  if (kind === 'flag' && Number(value) > 1) {
    throw protocolError(`the property ${name} is ${String(value)}, expected 0 or 1`);
  }
  return value;
}

const readPlain = (reader: Reader, kind: Exclude<Kind, 'pair'>) =>
  kind === 'flag' ? reader.byte() : reader[kind]();

/** Writes properties prefixed with their length. */
export function writeProperties(writer: Writer, properties: Properties = {}): void {
  const inner = new Writer();
  for (const [name, value] of Object.entries(properties)) {
    if (value !== undefined) writeNamed(inner, name as Name, value);
  }
  const body = inner.body();
  writer.varint(body.length).raw(body);
}

function writeNamed(writer: Writer, name: Name, value: unknown): void {
  const { id, kind } = TABLE[name];
  const isList = name === 'userProperties' || name === 'subscriptionIdentifiers';
  for (const one of isList ? (value as readonly unknown[]) : [value]) {
    writer.byte(id);
    writeValue(writer, kind, one);
  }
}

function writeValue(writer: Writer, kind: Kind, value: unknown): void {
  switch (kind) {
    case 'pair': {
      const [name, text] = value as readonly [string, string];
      writer.text(name).text(text);
      return;
    }
    case 'text':
      writer.text(value as string);
      return;
    case 'binary':
      writer.binary(value as Uint8Array);
      return;
    case 'flag':
      writer.byte(value as number);
      return;
    default:
      writer[kind](value as number);
  }
}

import fc from 'fast-check';
import { generate, type IConnectPacket, type Packet, parser } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import {
  decodeBrokerPacket,
  encodeConnect,
  encodeSubscribe,
} from '../../edge/discovery/contract/mqtt/client-codec.ts';
import { MqttFault } from '../../edge/discovery/contract/mqtt/reason.ts';
import { PacketSplitter } from '../../edge/discovery/contract/mqtt/splitter.ts';
import { decodePacket } from '../../edge/discovery/mqtt/decode.ts';

// mqtt-packet is the other implementation, as in mqtt-codec.test.ts.
const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((value) => !value.includes('\0') && value.isWellFormed());
const topic = text.filter((value) => value !== '');
const level = fc.constantFrom(0 as const, 1 as const);
const id = fc.integer({ min: 1, max: 0xffff });

const introduction = fc.record(
  {
    clientId: topic,
    keepAliveS: fc.integer({ min: 0, max: 0xffff }),
    username: text,
    password: text,
    will: fc
      .record({
        topic,
        payload: fc.uint8Array({ maxLength: 40 }),
        qos: level,
        retain: fc.boolean(),
      })
      .map((message) => ({ message })),
  },
  { requiredKeys: ['clientId', 'keepAliveS'] },
);

/** The only packet in some bytes, as mqtt-packet reads it. */
function readBack(data: Uint8Array): Packet | undefined {
  const packets: Packet[] = [];
  const other = parser({ protocolVersion: 5 });
  other.on('packet', (packet) => packets.push(packet));
  other.on('error', (error) => {
    throw error;
  });
  other.parse(Buffer.from(data));
  expect(packets).toHaveLength(1);
  return packets[0];
}

function read<T>(data: Uint8Array, decode: (first: number, body: Uint8Array) => T): T | undefined {
  let packet: T | undefined;
  new PacketSplitter(1_000_000).push(data, (first, body) => {
    packet = decode(first, body.slice());
  });
  return packet;
}

function faultOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

const fromBroker = (packet: Packet) =>
  read(Uint8Array.from(generate(packet, { protocolVersion: 5 })), decodeBrokerPacket);

describe('what a client writes', () => {
  it('is a CONNECT that the other implementation and our broker read as it was meant', () => {
    fc.assert(
      fc.property(introduction, (who) => {
        const data = encodeConnect(who);

        const { clientId, keepAliveS, username, password, will } = who;
        const packet = readBack(data) as IConnectPacket;
        expect(packet).toMatchObject({ clientId, keepalive: keepAliveS, clean: true });
        expect([packet.username, packet.password?.toString()]).toEqual([username, password]);
        expect(packet.will?.topic).toBe(will?.message.topic);
        expect(read(data, (first, body) => decodePacket(first, body, 5))).toMatchObject({
          clientId,
          keepAliveS,
          cleanStart: true,
          ...(will && { will }),
        });
      }),
      { numRuns: 100 },
    );
  });

  it('is a SUBSCRIBE that both read as it was meant', () => {
    fc.assert(
      fc.property(id, topic, level, (packetId, filter, qos) => {
        const data = encodeSubscribe(packetId, filter, qos);

        expect(readBack(data)).toMatchObject({
          messageId: packetId,
          subscriptions: [{ topic: filter, qos }],
        });
        expect(read(data, (first, body) => decodePacket(first, body, 5))).toMatchObject({
          packetId,
          requests: [{ filter, qos, noLocal: false }],
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('what a client reads', () => {
  it.each<[Packet, object]>([
    [
      {
        cmd: 'connack',
        sessionPresent: false,
        reasonCode: 0,
        properties: { serverKeepAlive: 60, receiveMaximum: 64 },
      },
      { type: 'connack', reason: 0, properties: { serverKeepAlive: 60, receiveMaximum: 64 } },
    ],
    [
      { cmd: 'connack', sessionPresent: false, reasonCode: 0x86 },
      { type: 'connack', reason: 0x86 },
    ],
    [
      { cmd: 'suback', messageId: 7, granted: [0x87] },
      { type: 'suback', packetId: 7, reasons: [0x87] },
    ],
    [
      { cmd: 'puback', messageId: 8, reasonCode: 0x10 },
      { type: 'puback', packetId: 8, reason: 0x10 },
    ],
    [{ cmd: 'pingresp' }, { type: 'pingresp' }],
    [
      { cmd: 'disconnect', reasonCode: 0x8e, properties: { reasonString: 'taken over' } },
      { type: 'disconnect', reason: 0x8e, properties: { reasonString: 'taken over' } },
    ],
    [
      {
        ...{ cmd: 'publish', qos: 1, dup: false, retain: false, messageId: 9 },
        ...{ topic: 'a/b', payload: Buffer.from('x') },
      },
      { type: 'publish', topic: 'a/b', packetId: 9, payload: Uint8Array.of(0x78) },
    ],
  ])('is %j as the other implementation writes it', (packet, expected) => {
    expect(fromBroker(packet)).toMatchObject(expected);
  });

  it('may be anything: what is none is refused', () => {
    const anything = fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(anything, ([first, body]) => {
        const fault = faultOf(() => decodeBrokerPacket(first, body));

        expect(fault === undefined || fault instanceof MqttFault, String(fault)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

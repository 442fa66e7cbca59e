import fc from 'fast-check';
import { generate, type IPublishPacket, type Packet, parser } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { decodePacket } from '../../edge/discovery/mqtt/decode.ts';
import {
  encodeConnack,
  encodePublish,
  encodeSuback,
} from '../../edge/discovery/contract/mqtt/codec.ts';
import type { ClientPacket, Message } from '../../edge/discovery/contract/mqtt/packet.ts';
import { MqttFault, REASON } from '../../edge/discovery/contract/mqtt/reason.ts';
import { PacketSplitter } from '../../edge/discovery/contract/mqtt/splitter.ts';

// mqtt-packet is the other implementation: what one writes the other has to read as it was meant.
const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((value) => !value.includes('\0') && value.isWellFormed());
const bytes = fc.uint8Array({ maxLength: 40 });
const qos = fc.constantFrom(0 as const, 1 as const, 2 as const);
const id = fc.integer({ min: 1, max: 0xffff });
const version = fc.constantFrom(4 as const, 5 as const);
const properties = fc.record(
  {
    payloadFormatIndicator: fc.boolean(),
    messageExpiryInterval: fc.integer({ min: 1, max: 0xffff_ffff }),
    contentType: text.filter((value) => value !== ''),
    responseTopic: text.filter((value) => value !== ''),
    correlationData: fc
      .uint8Array({ minLength: 1, maxLength: 9 })
      .map((value) => Buffer.from(value)),
  },
  { requiredKeys: [] },
);

/** Those whose form is the same on both sides. */
const carriedProperties = properties.map(({ contentType, responseTopic, correlationData }) => ({
  ...(contentType && { contentType }),
  ...(responseTopic && { responseTopic }),
  ...(correlationData && { correlationData }),
}));

/** Reads packets of a client, in pieces of these sizes. */
function read(data: Uint8Array, as: 4 | 5, sizes: readonly number[] = []): readonly ClientPacket[] {
  const packets: ClientPacket[] = [];
  const splitter = new PacketSplitter(1_000_000);
  const take = (first: number, body: Uint8Array) =>
    void packets.push(decodePacket(first, body.slice(), as));
  let at = 0;
  for (const size of sizes) {
    splitter.push(data.slice(at, at + size), take);
    at = Math.min(data.length, at + size);
  }
  splitter.push(data.slice(at), take);
  expect(splitter.rest).toHaveLength(0);
  return packets;
}

/** Reads packets of the broker as mqtt-packet does. */
function readBack(data: Uint8Array, as: 4 | 5): readonly Packet[] {
  const packets: Packet[] = [];
  const other = parser({ protocolVersion: as });
  other.on('packet', (packet) => packets.push(packet));
  other.on('error', (error) => {
    throw error;
  });
  other.parse(Buffer.from(data));
  return packets;
}

const faultOf = (data: readonly number[], as: 4 | 5 = 5): number | undefined => {
  try {
    read(Uint8Array.from(data), as);
    return undefined;
  } catch (error) {
    if (error instanceof MqttFault) return error.reason;
    throw error;
  }
};

describe('the packets of a client', () => {
  it('are read as mqtt-packet writes them, in whatever pieces they come', () => {
    const publish = fc.record({
      topic: text,
      payload: bytes,
      qos,
      retain: fc.boolean(),
      messageId: id,
      properties,
    });
    fc.assert(
      fc.property(
        fc.array(publish, { maxLength: 4 }),
        version,
        fc.array(fc.nat(9), { maxLength: 30 }),
        (list, as, sizes) => {
          const packets = list.map(
            ({ payload, messageId, qos: level, ...rest }): IPublishPacket => ({
              ...rest,
              ...{ cmd: 'publish', dup: false, qos: level, payload: Buffer.from(payload) },
              ...(level > 0 && { messageId }),
            }),
          );
          const data = Uint8Array.from(
            Buffer.concat(packets.map((packet) => generate(packet, { protocolVersion: as }))),
          );

          const found = read(data, as, sizes);

          expect(found).toHaveLength(list.length);
          for (const [
            i,
            { topic, payload, qos: level, retain, messageId, properties: sent },
          ] of list.entries()) {
            const { payloadFormatIndicator: flag, ...same } = sent;
            const expected = {
              ...same,
              ...(sent.correlationData && {
                correlationData: new Uint8Array(sent.correlationData),
              }),
              ...(flag !== undefined && { payloadFormatIndicator: Number(flag) }),
            };
            expect(found[i]).toEqual({
              ...{ type: 'publish', dup: false, topic, payload, qos: level, retain },
              packetId: level > 0 ? messageId : 0,
              properties: as === 5 ? expected : undefined,
            });
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may be anything: what is none is refused as malformed or as against the protocol', () => {
    const anything = fc.tuple(fc.integer({ min: 0, max: 255 }), bytes, version);
    fc.assert(
      fc.property(anything, ([first, body, as]) => {
        const reason = faultOf([first, body.length, ...body], as);

        expect([
          undefined,
          REASON.malformedPacket,
          REASON.protocolError,
          REASON.unsupportedProtocolVersion,
        ]).toContain(reason);
      }),
      { numRuns: 500 },
    );
  });

  // Each is a packet with one thing wrong, after the clause that forbids it.
  it.each([
    ['[MQTT-1.5.4-1] a text that is not UTF-8', [0x30, 5, 0, 2, 0xc0, 0x80, 0], 0x81],
    ['[MQTT-1.5.4-1] half of a surrogate pair', [0x30, 6, 0, 3, 0xed, 0xa0, 0x80, 0], 0x81],
    ['[MQTT-1.5.4-2] a text with U+0000', [0x30, 5, 0, 2, 0x61, 0, 0], 0x81],
    ['a length of five bytes', [0x30, 0x80, 0x80, 0x80, 0x80, 1], 0x81],
    ['[MQTT-1.5.5-1] a length of more bytes than it needs', [0xc0, 0x80, 0], 0x81],
    ['[MQTT-2.1.3-1] reserved flags of SUBSCRIBE', [0x80, 6, 0, 1, 0, 0, 0, 0], 0x81],
    ['[MQTT-2.2.1-3] the packet identifier 0', [0x32, 6, 0, 1, 0x61, 0, 0, 0], 0x82],
    ['[MQTT-3.3.1-2] DUP with quality of service 0', [0x38, 4, 0, 1, 0x61, 0], 0x81],
    ['[MQTT-3.3.1-4] the quality of service 3', [0x36, 6, 0, 1, 0x61, 0, 1, 0], 0x81],
    ['[MQTT-3.3.4-6] a subscription identifier of a client', [0x30, 6, 0, 1, 0x61, 2, 11, 1], 0x82],
    ['[MQTT-3.8.3-2] a SUBSCRIBE without filters', [0x82, 3, 0, 1, 0], 0x82],
    [
      '[MQTT-3.8.3-5] reserved bits of subscription options',
      [0x82, 7, 0, 1, 0, 0, 1, 0x61, 0x40],
      0x81,
    ],
    ['[MQTT-3.10.3-2] an UNSUBSCRIBE without filters', [0xa2, 3, 0, 1, 0], 0x82],
    ['[MQTT-3.14.1-1] reserved flags of DISCONNECT', [0xe1, 0], 0x81],
    ['a property of another packet', [0x30, 9, 0, 1, 0x61, 5, 17, 0, 0, 0, 1], 0x81],
    ['a property that is there twice', [0x30, 8, 0, 1, 0x61, 4, 1, 0, 1, 0], 0x82],
    ['a packet that a server sends', [0x20, 2, 0, 0], 0x81],
    ['a packet that is shorter than it says', [0x82, 4, 0, 1, 0, 9], 0x81],
  ])('refuses %s', (_, data, reason) => {
    expect(faultOf(data)).toBe(reason);
  });

  it('[MQTT-1.5.4-3] keep a byte order mark as a character', () => {
    const [packet] = read(Uint8Array.of(0x30, 6, 0, 4, 0xef, 0xbb, 0xbf, 0x61), 4);

    expect(packet).toMatchObject({ topic: '\u{feff}a' });
  });

  it('are refused by their length, before they are there', () => {
    const splitter = new PacketSplitter(100);

    expect(() => splitter.push(Uint8Array.of(0x30, 0xff, 0x7f), () => {})).toThrow(/16386 bytes/);
  });
});

describe('the packets of the broker', () => {
  it('are read by mqtt-packet as they were meant', () => {
    const message = fc.record({ topic: text, payload: bytes, qos, retain: fc.boolean() });
    fc.assert(
      fc.property(message, version, id, carriedProperties, (plain, as, packetId, carried) => {
        const sent: Message = { ...plain, properties: carried };

        const [packet] = readBack(
          encodePublish(sent, { ...plain, version: as, packetId, now: 0 }),
          as,
        );

        const { topic, payload, qos: level, retain } = plain;
        expect(packet).toMatchObject({
          cmd: 'publish',
          topic,
          qos: level,
          retain,
          payload: Buffer.from(payload),
        });
        expect(packet?.messageId).toBe(level > 0 ? packetId : undefined);
        const found = (packet as IPublishPacket).properties;
        expect({ ...found }).toEqual(as === 5 ? carried : {});
      }),
      { numRuns: 100 },
    );
  });

  it('[MQTT-3.3.2-18] keep the order of user properties', () => {
    const userProperties = [
      ['b', '1'],
      ['a', '2'],
      ['b', '3'],
    ] as const;
    const message = {
      topic: 't',
      payload: new Uint8Array(),
      qos: 0,
      retain: false,
      properties: { userProperties },
    } as const;

    const data = encodePublish(message, { version: 5, qos: 0, retain: false, now: 0 });

    expect(read(data, 5)).toMatchObject([{ properties: { userProperties } }]);
  });

  it('say in 3.1.1 what it has words for', () => {
    const refused = encodeConnack({ sessionPresent: false, reason: REASON.quotaExceeded }, 4);

    expect(readBack(refused, 4)).toMatchObject([{ cmd: 'connack', returnCode: 3 }]);
    expect(readBack(encodeSuback(7, [1, REASON.notAuthorized], 4), 4)).toMatchObject([
      { cmd: 'suback', messageId: 7, granted: [1, 0x80] },
    ]);
  });
});

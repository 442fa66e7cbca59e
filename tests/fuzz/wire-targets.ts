import { generate } from 'mqtt-packet';
import {
  PINGRESP,
  encodeConnack,
  encodePublish,
} from '../../edge/discovery/contract/mqtt/codec.ts';
import { decodeBrokerPacket } from '../../edge/discovery/contract/mqtt/client-codec.ts';
import { MqttFault } from '../../edge/discovery/contract/mqtt/reason.ts';
import { PacketSplitter } from '../../edge/discovery/contract/mqtt/splitter.ts';
import { ReplyReader } from '../../edge/logs/redis/resp.ts';
import { decodePacket } from '../../edge/discovery/mqtt/decode.ts';
import { parseHeartbeat, parseAnnouncement } from '../../edge/discovery/contract/node-message.ts';
import { parseReply } from '../../edge/brain/contract/reply.ts';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { readChecksum, readMetadata } from '../../edge/uploads/contract/tus.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { readSessionCookie } from '../../edge/access/credentials.ts';
import { jsonOf } from '../../edge/http/body.ts';
import { readCursor, writeCursor } from '../../edge/http/cursor.ts';
import { lastEventId } from '../../edge/http/event-stream.ts';
import { boundaryOf, fieldText, formParts } from '../../edge/http/multipart.ts';
import { rangeOf } from '../../edge/http/range.ts';
import { safePathOf } from '../../edge/http/safe-path.ts';
import { traceOf } from '../../edge/http/trace.ts';
import { parseClientMessage } from '../../edge/logs/client.ts';
import { isTopicName, matchesTopic, parseFilter } from '../../edge/discovery/mqtt/topic.ts';
import { type Target, textOf, texts } from './target.ts';

export const isProblem = (error: unknown) => error instanceof Problem;
const isFault = (error: unknown) => error instanceof MqttFault;
const MAX_PACKET = 1 << 20;

const packets = (protocolVersion: 4 | 5): Uint8Array[] =>
  [
    ...[{ cmd: 'connect', clientId: 'c1', protocolVersion, clean: true, keepalive: 60 }],
    ...[
      {
        cmd: 'publish',
        topic: 'a/b',
        payload: 'x',
        qos: 1,
        messageId: 7,
        dup: false,
        retain: true,
      },
    ],
    ...[{ cmd: 'subscribe', messageId: 3, subscriptions: [{ topic: 'a/#', qos: 2 }] }],
    ...[{ cmd: 'unsubscribe', messageId: 4, unsubscriptions: ['a/+'] }],
    ...[{ cmd: 'puback', messageId: 7 }, { cmd: 'pubrel', messageId: 7 }, { cmd: 'pingreq' }],
  ].map((packet) => new Uint8Array(generate(packet as never, { protocolVersion })));

/** All packets of some bytes, in two pieces. */
function split(bytes: Uint8Array, take: (first: number, body: Uint8Array) => void): void {
  const splitter = new PacketSplitter(MAX_PACKET);
  splitter.push(bytes.slice(0, bytes.length >> 1), take);
  splitter.push(bytes.slice(bytes.length >> 1), take);
}

const form = (text: string) => texts(text.replaceAll('\n', '\r\n')).map((bytes) => bytes);

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 1 + (bytes.length >> 3);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The same as a body. */
function streamOf(bytes: Uint8Array): ReadableStream {
  const pieces = inPieces(bytes);
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** A valid header value: line ends and bytes beyond Latin-1 never get this far. */
// oxlint-disable-next-line no-control-regex -- the runtimes refuse these earlier
const headerOf = (bytes: Uint8Array) =>
  textOf(bytes)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .trim();
const headers = (name: string, bytes: Uint8Array) => new Headers([[name, headerOf(bytes)]]);

/** Several parsers read one text: a text that one refuses may be valid for the next. */
function refusing(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!isProblem(error)) throw error;
  }
}

/** Readers of what comes over a connection before it means anything. */
export const wireTargets: readonly Target[] = [
  {
    name: 'MQTT of a client',
    // Behind a byte that says by which version they are read.
    seeds: () =>
      [4 as const, 5 as const].flatMap((version) =>
        [...packets(version), Buffer.concat(packets(version))].map((bytes) =>
          Uint8Array.of(version, ...bytes),
        ),
      ),
    read(bytes) {
      const version = (bytes[0] ?? 0) % 2 === 0 ? 4 : 5;
      split(bytes.subarray(1), (first, body) => decodePacket(first, body, version));
    },
    isRefusal: isFault,
  },
  {
    name: 'MQTT of a broker',
    seeds: () => [
      PINGRESP,
      encodeConnack({ sessionPresent: false, reason: 0, properties: { receiveMaximum: 9 } }, 5),
      encodePublish(
        { topic: 'a/b', payload: Uint8Array.of(1, 2), qos: 1, retain: false },
        { version: 5, qos: 1, retain: false, packetId: 3, now: 0 },
      ),
    ],
    read: (bytes) => split(bytes, (first, body) => decodeBrokerPacket(first, body)),
    isRefusal: isFault,
  },
  {
    name: 'MQTT topics',
    seeds: () => texts('a/b/c', 'a/+/#', '$share/group/a/+', '$SYS/x', '/', 'heartbeat/node-1'),
    read(bytes) {
      const text = textOf(bytes);
      const filter = parseFilter(text);
      return [isTopicName(text), filter && matchesTopic(filter.levels, text.split('/'))];
    },
    isRefusal: isFault,
  },
  {
    name: 'multipart',
    seeds: () => [
      ...form(
        '--xyz\nContent-Disposition: form-data; name="model_id"\n\nchrono\n--xyz\n' +
          'Content-Disposition: form-data; name="file"; filename="a\\"b.bin"\nContent-Type: x/y\n\nabc\n--xyz--\n',
      ),
    ],
    async read(bytes) {
      for await (const part of formParts(inPieces(bytes), 'xyz')) {
        if (part.filename === undefined) await fieldText(part);
      }
    },
    isRefusal: isProblem,
  },
  {
    name: 'JSON',
    form: 'json',
    seeds: () =>
      texts('{"a":[1,2.5e3,null,true,{"b":"\\ud83d\\ude00"}],"c":{"d":[[]]}}', '[]', '"x"'),
    read: jsonOf,
    isRefusal: isProblem,
  },
  {
    name: 'headers',
    seeds: () => [
      ...texts(
        'bytes=0-99',
        'bytes=-5',
        'bytes=7-',
        '1234',
        `spikegrid_session=${'a'.repeat(52)}.${'b'.repeat(52)}`,
      ),
      ...texts(
        '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        'req_1',
        'model_id Y2hyb25v,filename YQ==',
      ),
      ...texts(
        `sha256 ${btoa('x'.repeat(32))}`,
        writeCursor(7, { a: 1 }),
        writeCursor('x', {}),
        'multipart/form-data; boundary="xyz"',
      ),
    ],
    read(bytes) {
      const text = headerOf(bytes);
      const url = new URL('http://localhost/');
      rangeOf(text, 1000);
      readSessionCookie(headers('cookie', bytes), url);
      traceOf(new Headers({ traceparent: text, 'x-request-id': text }));
      readMetadata(text);
      readChecksum(text);
      for (const read of [
        () => lastEventId(headers('last-event-id', bytes)),
        () => readCursor(text, { a: 1 }),
        () => boundaryOf(text),
      ]) {
        refusing(read);
      }
    },
    isRefusal: isProblem,
  },
  {
    name: 'paths',
    seeds: () =>
      texts('/registry/models/a%20b/files/x.bin?y=1', '/a..b/.c', 'http://h:1/%25/x', '//x'),
    read: (bytes) => safePathOf(textOf(bytes)),
    isRefusal: isProblem,
  },
  {
    name: 'event stream',
    seeds: () => texts('id: 1\nevent: log\ndata: {"a":1}\ndata: 2\n\n: beat\r\n\r\ndata:x\n\n'),
    async read(bytes) {
      const response = new Response(streamOf(bytes));
      for await (const event of readEvents(response)) if (event.data === undefined) return;
    },
    isRefusal: () => false,
  },
  {
    name: 'log client',
    seeds: () => texts('{"type":"ack","seq":12}', '{"type":"ping"}'),
    read: (bytes) => parseClientMessage(textOf(bytes)),
    isRefusal: () => false,
  },
  {
    name: 'node messages',
    form: 'json',
    seeds: () =>
      texts(
        '{"node_id":"n1","node_type":"inference","endpoint":"http://h:1","capabilities":["text"],"metadata":{"load":0.5},"timestamp":1}',
        '{"kind":"refused","request_id":"r","node_id":"n","refusal":{"code":"busy","detail":"x"},"hops":[]}',
      ),
    read: (bytes) => [parseAnnouncement(bytes), parseHeartbeat(bytes), parseReply(bytes)],
    isRefusal: () => false,
  },
  {
    name: 'Redis',
    seeds: () =>
      texts(
        '+OK\r\n',
        '-ERR no\r\n',
        ':12\r\n$3\r\nabc\r\n',
        '*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n*1\r\n$-1\r\n',
      ),
    read(bytes) {
      const reader = new ReplyReader();
      reader.push(bytes.subarray(0, bytes.length >> 1));
      reader.push(bytes.subarray(bytes.length >> 1));
    },
    // The relay reconnects, whatever it was.
    isRefusal: (error) => error instanceof Error && error.constructor === Error,
  },
];

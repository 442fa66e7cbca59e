import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MetricLine, numbersOf } from './metrics-file.ts';
import { EVENTS, writeWhole } from './run-files.ts';

/*
 * Event files of TensorBoard: records of TFRecord, each a message `tensorflow.Event` of protocol buffers.
 *
 *   record   u64 length, u32 masked CRC-32C of the length, bytes, u32 masked CRC-32C of the bytes (little-endian)
 *   Event    1: double wall_time, 2: int64 step, 3: string file_version, 5: Summary { 1: Value { 1: tag, 2: float } }
 *
 * Sources: tensorflow/core/lib/io/record_writer.h, tensorflow/core/util/event.proto, summary.proto.
 */
const VERSION = 'brain.Event:2';
/** The reflected polynomial of CRC-32C (RFC 3720, B.4). */
const POLYNOMIAL = 0x82f63b78;
const MASK_DELTA = 0xa282ead8;

interface EventFile {
  append(line: MetricLine): Promise<void>;
}

/** Writes the metrics so far as one file, so that a resumed run has none twice, and appends to it. */
export async function openEvents(folder: string, lines: readonly MetricLine[]): Promise<EventFile> {
  const path = join(folder, EVENTS);
  await writeWhole(path, encodeEvents(lines));
  return { append: (line) => appendFile(path, recordOf(eventOf(line))) };
}

/** A whole event file. */
function encodeEvents(lines: readonly MetricLine[]): Uint8Array {
  const begun = secondsOf(lines[0]?.time);
  const version = joined([doubleField(1, begun), bytesField(3, utf8(VERSION))]);
  return joined([version, ...lines.map(eventOf)].map(recordOf));
}

/** Numbers of a line as scalars such as `train/loss`. */
function eventOf(line: MetricLine): Uint8Array {
  const values = numbersOf(line).map(([name, value]) =>
    bytesField(1, joined([bytesField(1, utf8(`${line.kind}/${name}`)), floatField(2, value)])),
  );
  const at = [doubleField(1, secondsOf(line.time)), varintField(2, line.step)];
  return joined([...at, bytesField(5, joined(values))]);
}

const secondsOf = (time: string | undefined): number => {
  const ms = Date.parse(time ?? '');
  return (Number.isFinite(ms) ? ms : Date.now()) / 1000;
};

function recordOf(bytes: Uint8Array): Uint8Array {
  const record = new Uint8Array(bytes.length + 16);
  const view = new DataView(record.buffer);
  view.setBigUint64(0, BigInt(bytes.length), true);
  view.setUint32(8, maskedCrc(record.subarray(0, 8)), true);
  record.set(bytes, 12);
  view.setUint32(12 + bytes.length, maskedCrc(bytes), true);
  return record;
}

/** Masked, as a CRC of bytes that hold a CRC tells little. */
function maskedCrc(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
}

/** CRC-32C of bytes, as iSCSI has it. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The number of a field with its wire type: 0 varint, 1 eight bytes, 2 bytes with their length, 5 four bytes. */
const tagOf = (field: number, wireType: number): Uint8Array => varint(field * 8 + wireType);

const varintField = (field: number, value: number) => joined([tagOf(field, 0), varint(value)]);

const bytesField = (field: number, bytes: Uint8Array) =>
  joined([tagOf(field, 2), varint(bytes.length), bytes]);

function doubleField(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return joined([tagOf(field, 1), bytes]);
}

function floatField(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return joined([tagOf(field, 5), bytes]);
}

/** Seven bits a byte, the lowest first. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  while (left >= 128) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  return Uint8Array.from([...bytes, left]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

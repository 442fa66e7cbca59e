import { BoundedReader, type RefuseFile, refuseFile } from '../files/bounded-reader.ts';
import { fieldOf, rootTable, vectorOf } from '../files/flat-buffer.ts';
import { unpackLz4 } from '../files/lz4.ts';
import { type EventStream, eventStreams } from './aedat4-streams.ts';
import { collectEvents, type EmitEvent, type EventList } from './event-list.ts';
import { collectionOf, type EventFileOptions } from './event-options.ts';
import { latin1 } from './text-header.ts';

export interface Aedat4Options extends EventFileOptions {
  /** The number of the stream of events to read, the first by default. */
  readonly stream?: number;
}

const MAGIC = '#!AER-DAT4.0\r\n';
const COMPRESSIONS = ['none', 'LZ4', 'LZ4 high', 'Zstandard', 'Zstandard high'];
const isLz4 = (compression: number) => compression === 1 || compression === 2;
/** A buffer begins with its own size in 32 bits. */
const SIZE_BYTES = 4;
/** Time in 64 bits, column and row in 16, polarity in 8, and padding. */
const EVENT_BYTES = 16;
/** Bytes of all unpacked packets for each of the file; LZ4 reaches 255, events a fifth to a half. */
const MAX_EXPANSION = 64;
const FREE_BYTES = 2 ** 24;
const MAX_DESCRIPTION = 2 ** 20;

interface Recording {
  readonly reader: BoundedReader;
  readonly refuse: RefuseFile;
  /** Offsets of the packets. */
  readonly start: number;
  readonly end: number;
  readonly compression: number;
  readonly stream: EventStream;
}

/**
 * Reads the events of an AEDAT 4.0 file of iniVation's DV, uncompressed or packed by LZ4; frames, inertia and
 * triggers are left out. Throws EngineError `dataset-invalid`, for Zstandard as well.
 */
export function parseAedat4(
  name: string,
  file: Uint8Array,
  options: Aedat4Options = {},
): EventList {
  const refuse = refuseFile(name, 'AEDAT 4.0');
  const reader = new BoundedReader(file, refuse);
  const recording = openRecording(reader, options.stream);
  return collectEvents((emit) => emitPackets(recording, emit), {
    ...collectionOf(options, recording.stream.sensor),
    refuse,
  });
}

/** Slots of the header's table. */
const [COMPRESSION, TABLE_POSITION, INFORMATION] = [0, 1, 2];

function openRecording(reader: BoundedReader, wanted: number | undefined): Recording {
  const { refuse } = reader;
  const magic = latin1(reader.bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) {
    refuse(0, `the file begins with ${JSON.stringify(magic)}`, JSON.stringify(MAGIC));
  }
  const at = MAGIC.length;
  const start = at + SIZE_BYTES + reader.u32(at);
  reader.need(at, start - at, 'the header');
  const header = rootTable(reader, at + SIZE_BYTES, 'IOHE');
  const compression = compressionIn(reader, header);
  const stream = streamIn(reader, header, wanted);
  return { reader, refuse, start, end: packetsEnd(reader, header, start), compression, stream };
}

function compressionIn(reader: BoundedReader, header: number): number {
  const field = fieldOf(reader, header, COMPRESSION);
  const compression = field === undefined ? 0 : reader.i32(field);
  if (compression === 0 || isLz4(compression)) return compression;
  const found = COMPRESSIONS[compression] ?? `number ${compression}`;
  return reader.refuse(field ?? 0, `the compression is ${found}`, 'none or LZ4');
}

/** Where the table of all packets begins, which ends them; the end of the file if there is none. */
function packetsEnd(reader: BoundedReader, header: number, start: number): number {
  const field = fieldOf(reader, header, TABLE_POSITION);
  const position = field === undefined ? -1 : reader.i64(field);
  if (position === -1) return reader.size;
  if (position >= start && position <= reader.size) return position;
  const expected = `${start} to ${reader.size}, or -1`;
  return reader.refuse(field ?? 0, `the data table lies at ${position}`, expected);
}

function streamIn(reader: BoundedReader, header: number, wanted: number | undefined): EventStream {
  const field = fieldOf(reader, header, INFORMATION);
  if (field === undefined) {
    return reader.refuse(header, 'the header describes no streams', 'a description');
  }
  const { start, count } = vectorOf(reader, field, 1);
  if (count > MAX_DESCRIPTION) {
    reader.refuse(start, `the description has ${count} bytes`, `at most ${MAX_DESCRIPTION}`);
  }
  const streams = eventStreams(new TextDecoder().decode(reader.span(start, count, 'text')));
  const stream = streams.find(({ id }) => wanted === undefined || id === wanted);
  if (stream) return stream;
  const found = `streams of events are numbered [${streams.map(({ id }) => id).join(', ')}]`;
  return reader.refuse(
    start,
    found,
    wanted === undefined ? 'at least one' : `${wanted} among them`,
  );
}

function emitPackets(recording: Recording, emit: EmitEvent): void {
  const { reader, refuse, start, end, compression, stream } = recording;
  let left = FREE_BYTES + MAX_EXPANSION * reader.size;
  for (let at = start; at < end;) {
    const [id, size] = [reader.i32(at), reader.u32(at + 4)];
    const packed = reader.span(at + 8, size, 'a packet');
    if (id === stream.id) {
      const inPacket: RefuseFile = (place, found, expected) =>
        refuse(`packet at byte ${at}, ${place}`, found, expected);
      const bytes = isLz4(compression) ? unpackLz4(packed, left, inPacket) : packed;
      left -= isLz4(compression) ? bytes.length : 0;
      emitPacket(new BoundedReader(bytes, inPacket), emit);
    }
    at += 8 + size;
  }
}

function emitPacket(packet: BoundedReader, emit: EmitEvent): void {
  const table = rootTable(packet, SIZE_BYTES, 'EVTS');
  const field = fieldOf(packet, table, 0);
  if (field === undefined) return;
  const { start, count } = vectorOf(packet, field, EVENT_BYTES);
  for (let at = start; at < start + count * EVENT_BYTES; at += EVENT_BYTES) {
    const [t, x, y, p] = [
      packet.i64(at),
      packet.u16(at + 8),
      packet.u16(at + 10),
      packet.u8(at + 12),
    ];
    if (t < 0 || x > 0x7fff || y > 0x7fff || p > 1) {
      const found = `an event is ${t} µs, column ${x}, row ${y}, polarity ${p}`;
      packet.refuse(at, found, 'a time from 0 on, pixels below 32768, polarity 0 or 1');
    }
    emit(t, x, y, p);
  }
}

import { EngineError } from '../errors.ts';
import { parseJson, reasonOf } from '../data/files/json.ts';

export type SafetensorsDType = 'F32' | 'F16' | 'U32' | 'I32' | 'I16' | 'I8';

export interface SafetensorsEntry {
  readonly dtype: SafetensorsDType;
  readonly shape: readonly number[];
  /** For F16 the bits of each number, which half.ts reads. */
  readonly data: Float32Array | Uint16Array | Uint32Array | Int32Array | Int16Array | Int8Array;
}

export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, SafetensorsEntry>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The elements of each dtype. */
export const SAFETENSORS_ARRAYS = {
  F32: Float32Array,
  F16: Uint16Array,
  U32: Uint32Array,
  I32: Int32Array,
  I16: Int16Array,
  I8: Int8Array,
} as const;
const DTYPES = Object.keys(SAFETENSORS_ARRAYS);

const LENGTH_BYTES = 8;
const METADATA = '__metadata__';
/** The format's own limit on the header. */
const MAX_HEADER_BYTES = 100_000_000;

/**
 * Writes tensors in the safetensors format: an 8-byte length, a JSON header padded to 8 bytes, then
 * the data, little-endian and without gaps, in the order given.
 */
export function encodeSafetensors({ tensors, metadata }: SafetensorsFile): Uint8Array<ArrayBuffer> {
  const header: [string, unknown][] = [[METADATA, metadata]];
  let offset = 0;
  for (const [name, { dtype, shape, data }] of tensors) {
    const end = offset + data.byteLength;
    header.push([name, { dtype, shape, data_offsets: [offset, end] }]);
    offset = end;
  }
  const json = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const headerBytes = Math.ceil(json.length / LENGTH_BYTES) * LENGTH_BYTES;
  const file = new Uint8Array(LENGTH_BYTES + headerBytes + offset);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerBytes), true);
  file.fill(' '.charCodeAt(0), LENGTH_BYTES, LENGTH_BYTES + headerBytes);
  file.set(json, LENGTH_BYTES);
  let position = LENGTH_BYTES + headerBytes;
  for (const { data } of tensors.values()) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), position);
    position += data.byteLength;
  }
  return file;
}

/**
 * Reads a safetensors file. Throws EngineError `checkpoint-damaged` naming what is wrong: a header
 * that is cut off or not JSON, offsets that overlap, leave gaps or run past the end.
 */
export function decodeSafetensors(file: Uint8Array, name: string): SafetensorsFile {
  const { header, dataStart } = readHeader(file, name);
  const { [METADATA]: metadata = {}, ...entries } = header;
  const tensors = new Map<string, SafetensorsEntry>();
  const byOffset = Object.entries(entries)
    .map(([key, value]) => ({ key, ...parseEntry(name, key, value) }))
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  let expected = 0;
  for (const { key, dtype, shape, start, end } of byOffset) {
    if (start !== expected) damaged(name, `${key} starts at ${start}, expected ${expected}`);
    expected = end;
    const data = copyOf(file, { name, start: dataStart + start, end: dataStart + end });
    tensors.set(key, { dtype, shape, data: new SAFETENSORS_ARRAYS[dtype](data) });
  }
  if (dataStart + expected !== file.length) {
    damaged(
      name,
      `the file has ${file.length} bytes, its header describes ${dataStart + expected}`,
    );
  }
  return { tensors, metadata: parseMetadata(name, metadata) };
}

function readHeader(file: Uint8Array, name: string) {
  if (file.length < LENGTH_BYTES) damaged(name, `${file.length} bytes are too short for a header`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = Number(view.getBigUint64(0, true));
  if (length > MAX_HEADER_BYTES || LENGTH_BYTES + length > file.length) {
    damaged(name, `the header claims ${length} bytes of a file of ${file.length}`);
  }
  const dataStart = LENGTH_BYTES + length;
  let header: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      file.subarray(LENGTH_BYTES, dataStart),
    );
    header = parseJson(text);
  } catch (error) {
    throw new EngineError(
      'checkpoint-damaged',
      `${name}: the header is not JSON (${reasonOf(error)})`,
      {
        cause: error,
      },
    );
  }
  if (!isRecord(header)) damaged(name, 'the header is not an object');
  return { header, dataStart };
}

function parseEntry(file: string, key: string, value: unknown) {
  if (!isRecord(value)) damaged(file, `${key} has no description`);
  const { dtype, shape, data_offsets: offsets } = value;
  if (!isDType(dtype)) {
    damaged(file, `${key} has dtype ${String(dtype)}: expected ${DTYPES.join(', ')}`);
  }
  if (!isCounts(shape)) damaged(file, `${key} has shape ${JSON.stringify(shape)}`);
  if (!isCounts(offsets) || offsets.length !== 2) {
    damaged(file, `${key} has offsets ${JSON.stringify(offsets)}`);
  }
  const [start = 0, end = 0] = offsets;
  const bytes = shape.reduce((a, b) => a * b, 1) * SAFETENSORS_ARRAYS[dtype].BYTES_PER_ELEMENT;
  if (end - start !== bytes) {
    damaged(file, `${key} of shape [${shape.join(', ')}] needs ${bytes} bytes, has ${end - start}`);
  }
  return { dtype, shape, start, end };
}

function isDType(value: unknown): value is SafetensorsDType {
  return typeof value === 'string' && DTYPES.includes(value);
}

/** A copy, as the data of a file need not be aligned. */
function copyOf(
  file: Uint8Array,
  { name, start, end }: { name: string; start: number; end: number },
): ArrayBuffer {
  if (end > file.length) {
    damaged(name, `the file ends at ${file.length} bytes, expected at least ${end}`);
  }
  const data = new ArrayBuffer(end - start);
  new Uint8Array(data).set(file.subarray(start, end));
  return data;
}

function parseMetadata(file: string, metadata: unknown): Record<string, string> {
  if (!isRecord(metadata)) damaged(file, 'the metadata is not an object');
  const entries = Object.entries(metadata);
  const strings = entries.filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  if (strings.length !== entries.length) damaged(file, 'the metadata has values that are not text');
  return Object.fromEntries(strings);
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function damaged(file: string, what: string): never {
  throw new EngineError('checkpoint-damaged', `${file}: ${what}`);
}

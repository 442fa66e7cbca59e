import { EngineError } from '../errors.ts';
import { type AttractorSettings, checkSettings, type Code } from './attractor.ts';
import { hashBytes } from './hash.ts';

/** Content of a stored associative memory; its synapses follow from the codes. */
interface StoredMemory {
  readonly settings: AttractorSettings;
  readonly codes: ReadonlyMap<string, Code>;
}

/*
 * Little-endian: "SGAM", version, columns, neurons a column, memories as u32; of each memory the bytes of its
 * key as u16, the key in UTF-8, and its code in a byte a column; the hash of all that as u32.
 */
const MAGIC = 0x4d41_4753;
const VERSION = 1;
const HEAD_BYTES = 20;
const HASH_BYTES = 4;
const MAX_KEY_LENGTH = 0xffff;

/** Throws EngineError `invalid-setting` for a key that bytes cannot hold. */
export function expectKey(key: string): void {
  if (key.isWellFormed() && new TextEncoder().encode(key).length <= MAX_KEY_LENGTH) return;
  throw new EngineError(
    'invalid-setting',
    `associative memory: a key of ${key.length} characters: expected well-formed text of at most ${MAX_KEY_LENGTH} bytes`,
  );
}

export function encodeMemory({ settings, codes }: StoredMemory): Uint8Array {
  const { columns, perColumn } = settings;
  const encoder = new TextEncoder();
  const entries = Array.from(codes, ([key, code]) => ({ key: encoder.encode(key), code }));
  const bodyBytes = entries.reduce((sum, { key }) => sum + 2 + key.length + columns, 0);
  const bytes = new Uint8Array(HEAD_BYTES + bodyBytes + HASH_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of [MAGIC, VERSION, columns, perColumn, codes.size].entries()) {
    view.setUint32(4 * i, word, true);
  }
  let at = HEAD_BYTES;
  for (const { key, code } of entries) {
    view.setUint16(at, key.length, true);
    bytes.set(key, at + 2);
    bytes.set(code, at + 2 + key.length);
    at += 2 + key.length + columns;
  }
  view.setUint32(at, hashBytes(bytes.subarray(0, at)), true);
  return bytes;
}

/** Throws EngineError `checkpoint-mismatch` for another version, else `checkpoint-damaged`, saying where. */
export function decodeMemory(bytes: Uint8Array): StoredMemory {
  if (bytes.length < HEAD_BYTES + HASH_BYTES) throw damaged(`${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = (place: number) => view.getUint32(place, true);
  if (word(0) !== MAGIC) throw damaged('it does not begin with SGAM');
  if (word(4) !== VERSION) {
    throw new EngineError(
      'checkpoint-mismatch',
      `associative memory: version ${word(4)}, expected ${VERSION}`,
    );
  }
  const end = bytes.length - HASH_BYTES;
  if (word(end) !== hashBytes(bytes.subarray(0, end))) throw damaged('its hash is another');
  const settings = { columns: word(8), perColumn: word(12) };
  checkSettings(settings);
  return { settings, codes: decodeCodes(bytes.subarray(HEAD_BYTES, end), settings, word(16)) };
}

function decodeCodes(
  bytes: Uint8Array,
  { columns, perColumn }: AttractorSettings,
  count: number,
): Map<string, Code> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const codes = new Map<string, Code>();
  let at = 0;
  for (let i = 0; i < count; i++) {
    const keyEnd = at + 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
    if (keyEnd + columns > bytes.length) throw damaged(`it ends in memory ${i} of ${count}`);
    const key = decoder.decode(bytes.subarray(at + 2, keyEnd));
    const code = bytes.slice(keyEnd, keyEnd + columns);
    if (codes.has(key)) throw damaged(`two memories are named ${key}`);
    if (code.some((neuron) => neuron >= perColumn)) throw damaged(`the code of ${key}`);
    codes.set(key, code);
    at = keyEnd + columns;
  }
  if (at === bytes.length) return codes;
  throw damaged(`${bytes.length - at} bytes follow the last memory`);
}

function damaged(what: string): EngineError {
  return new EngineError('checkpoint-damaged', `associative memory: damaged bytes: ${what}`);
}

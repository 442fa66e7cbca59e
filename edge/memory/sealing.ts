import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from '../http/random.ts';

/** Bytes of the key that one memory is sealed with. */
export const KEY_BYTES = 32;

/** A key for one text: whoever overwrites it has erased the text, wherever copies of it lie. */
export const newKey = (): Uint8Array => randomBytes(KEY_BYTES);

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text as bytes that say nothing without the key; a key is for one text only. */
export const seal = (text: string, key: Uint8Array): Uint8Array<ArrayBuffer> =>
  combined(encoder.encode(text), key);

/** The text that was sealed with this key. @throws TypeError where it was another one */
export const unseal = (sealed: Uint8Array, key: Uint8Array): string =>
  decoder.decode(combined(sealed, key));

/** BLAKE3 with a key as a stream, of which each byte hides one: done twice, it is undone. */
function combined(bytes: Uint8Array, key: Uint8Array): Uint8Array<ArrayBuffer> {
  const stream = blake3(NOTHING, { key, dkLen: bytes.length });
  return Uint8Array.from(bytes, (byte, i) => byte ^ (stream[i] ?? 0));
}

const NOTHING = new Uint8Array();

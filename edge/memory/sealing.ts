import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { EMBEDDING_SIZE } from '../../engine/memory.ts';
import { nodeKey } from '../causal/corroboration.ts';
import { randomBytes } from '../http/random.ts';
import { TableStore } from '../storage/table-store.ts';

const encoder = new TextEncoder();

/** Normalises width, case and white space. */
export const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** A keyed name for indexes, from which the name cannot be read. [16 bytes] */
const keyOf = (...parts: readonly string[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(sha256(encoder.encode(JSON.stringify(parts))).subarray(0, 16));

export const userKey = (userId: string) => keyOf('user', userId);
export const sessionKey = (sessionId: string) => keyOf('session', sessionId);
export const tagKey = (tag: string) => keyOf('tag', tag);

/** Equal for texts of one user that differ only in spelling. */
export const contentKey = (content: string, userId: string | null): Uint8Array<ArrayBuffer> =>
  keyOf('content', userId ?? '', folded(content));

/** The number of a node in the causal graph: equal for equal node keys. */
export function nodeNumber(text: string): number {
  const bytes = keyOf('node', nodeKey(text));
  return bytes.subarray(0, 6).reduce((number, byte) => number * 256 + byte, 0);
}

/** The size of the key that one memory is sealed with. */
const KEY_BYTES = 32;

/** A key for one text: overwriting it erases the text, wherever copies of it are. */
export const newKey = (): Uint8Array => randomBytes(KEY_BYTES);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Encrypts a text; a key is for one text only. */
export const seal = (text: string, key: Uint8Array): Uint8Array<ArrayBuffer> =>
  combined(encoder.encode(text), key);

/** Decrypts a text. @throws TypeError for another key */
export const unseal = (sealed: Uint8Array, key: Uint8Array): string =>
  decoder.decode(combined(sealed, key));

/** XOR with a keyed BLAKE3 stream, which is its own inverse. */
function combined(bytes: Uint8Array, key: Uint8Array): Uint8Array<ArrayBuffer> {
  const stream = blake3(NOTHING, { key, dkLen: bytes.length });
  return Uint8Array.from(bytes, (byte, i) => byte ^ (stream[i] ?? 0));
}

const NOTHING = new Uint8Array();

/** The number of slots added at once. */
const BLOCK = 64;

/**
 * Keys and vectors of memories, in rows of fixed size that are never moved: added empty at the end,
 * and overwritten in place. So the former content of a slot is gone once it is cleared or reused;
 * see docs/design/memory.md.
 */
export class MemorySlots extends TableStore {
  /** Writes a vector and a new key into a free slot. */
  take(vector: Int8Array): { readonly slot: number; readonly key: Uint8Array } {
    const slot = this.#free() ?? this.#extend();
    this.run`DELETE FROM free_slots WHERE slot = ${slot}`;
    const key = newKey();
    this.#write(slot, key, Uint8Array.from(vector));
    return { slot, key };
  }

  /** Replaces the key of a slot: what was sealed with the old one is erased. */
  rekey(slot: number): Uint8Array {
    const key = newKey();
    this.run`UPDATE slots SET key = ${key} WHERE slot = ${slot}`;
    return key;
  }

  clear(slot: number): void {
    this.#write(slot, new Uint8Array(KEY_BYTES), new Uint8Array(EMBEDDING_SIZE));
    this.run`INSERT INTO free_slots (slot) VALUES (${slot})`;
  }

  #write(slot: number, key: Uint8Array, vector: Uint8Array): void {
    this.run`UPDATE slots SET key = ${key}, vector = ${vector} WHERE slot = ${slot}`;
  }

  #free(): number | undefined {
    return this.row<{ slot: number }>('SELECT slot FROM free_slots LIMIT 1')?.slot;
  }

  /** Adds empty slots and returns the first. The B-tree reaches its height while they are empty. */
  #extend(): number {
    const { last } = this.one<{ last: number }>('SELECT coalesce(max(slot), 0) AS last FROM slots');
    for (let slot = last + 1; slot <= last + BLOCK; slot++) {
      this.run`INSERT INTO slots (slot, key, vector)
        VALUES (${slot}, zeroblob(${KEY_BYTES}), zeroblob(${EMBEDDING_SIZE}))`;
      this.run`INSERT INTO free_slots (slot) VALUES (${slot})`;
    }
    return last + 1;
  }
}

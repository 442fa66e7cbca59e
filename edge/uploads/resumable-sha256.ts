import { _SHA256 as Sha256 } from '@noble/hashes/sha2.js';

const BLOCK_BYTES = 64;
const WORDS = 8;

/**
 * SHA-256 whose state can be saved between two blocks of 64 bytes and resumed by another request: eight
 * words. The runtime's own hash cannot be resumed, and would require reading the whole upload again at its
 * end.
 */
export class ResumableSha256 extends Sha256 {
  /** @param state what `save` gave after the first `sizeBytes`; empty at the start */
  static resume(state: string, sizeBytes: number): ResumableSha256 {
    const hash = new ResumableSha256();
    if (sizeBytes === 0) return hash;
    if (sizeBytes % BLOCK_BYTES !== 0 || !/^[0-9a-f]{64}$/.test(state)) {
      throw new TypeError(`"${state}" is no state after ${sizeBytes} bytes`);
    }
    const word = (i: number) => Number.parseInt(state.slice(WORDS * i, WORDS * (i + 1)), 16) | 0;
    hash.set(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
    hash.length = sizeBytes;
    return hash;
  }

  /** The state after whole blocks, as 64 hex digits. */
  save(): string {
    if (this.pos !== 0) throw new TypeError(`${this.pos} bytes of a block are not hashed yet`);
    return this.get()
      .map((word) => (word >>> 0).toString(16).padStart(WORDS, '0'))
      .join('');
  }
}

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ByteSource } from './files/byte-source.ts';

export interface HashedSource extends ByteSource {
  /** SHA-256 of the bytes in hexadecimal, once all of them were read. */
  digest(): string;
}

/** Hashes a source as it is read from end to end, whatever is read twice on the way. */
export function hashedSource(source: ByteSource): HashedSource {
  const hash = sha256.create();
  let hashed = 0;
  return {
    name: source.name,
    size: source.size,
    async read(start, end, into) {
      const bytes = await source.read(start, end, into);
      if (start <= hashed && hashed < start + bytes.length) {
        hash.update(bytes.subarray(hashed - start));
        hashed = start + bytes.length;
      }
      return bytes;
    },
    digest: () => bytesToHex(hash.clone().digest()),
  };
}

/** The digest of several files in their order: of one, its own. */
export function digestOfAll(sources: readonly HashedSource[]): string {
  const digests = sources.map((source) => source.digest());
  const [only, ...others] = digests;
  if (only !== undefined && others.length === 0) return only;
  return bytesToHex(sha256(new TextEncoder().encode(digests.join('\n'))));
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Initial value of a 32-bit hash; `salt` separates domains. */
export function startHash(salt: number): number {
  return extendHash(FNV_OFFSET | 0, salt);
}

/** Extends a hash by one number: a step of FNV-1a, with integers instead of bytes. */
export function extendHash(hash: number, value: number): number {
  return Math.imul(hash ^ value, FNV_PRIME);
}

/** Spreads a hash over all 32 bits, without sign: the finaliser of MurmurHash3. */
export function finishHash(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A checksum of bytes. */
export function hashBytes(bytes: Uint8Array): number {
  let hash = startHash(0);
  for (const byte of bytes) hash = extendHash(hash, byte);
  return finishHash(hash);
}

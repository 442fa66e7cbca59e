import { sha256 } from '@noble/hashes/sha2.js';

const MODULUS = 2n ** 256n;
const encoder = new TextEncoder();

/** Adds rows to a digest: the sum of their SHA-256, which does not depend on their order. */
export function addRows(digest: string, rows: readonly string[]): string {
  let sum = BigInt(`0x${digest}`);
  for (const row of rows) sum += numberOf(sha256(encoder.encode(row)));
  return (sum % MODULUS).toString(16).padStart(64, '0');
}

/** The digest of no rows. */
export const NO_ROWS = '0'.repeat(64);

function numberOf(bytes: Uint8Array): bigint {
  const { buffer, byteOffset, byteLength } = bytes;
  const view = new DataView(buffer, byteOffset, byteLength);
  let value = 0n;
  for (let at = 0; at < byteLength; at += 8) value = (value << 64n) | view.getBigUint64(at);
  return value;
}

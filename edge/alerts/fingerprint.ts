import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { LabelSet } from './matching.ts';

/** A hash of labels, whatever their order; an empty label is as good as none. */
export function fingerprintOf(labels: LabelSet): string {
  const sorted = Object.entries(labels)
    .filter(([, value]) => value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(sorted)))).slice(0, 16);
}

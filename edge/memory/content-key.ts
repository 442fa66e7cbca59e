import { nodeKey } from '../causal/node-key.ts';
import { sha256 } from '@noble/hashes/sha2.js';

const encoder = new TextEncoder();

/** Full and half width, upper and lower case, and how much white space there is, make no difference. */
export const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** What stands for a name in indexes: from it nobody reads the name. [16 bytes] */
export const keyOf = (...parts: readonly string[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(sha256(encoder.encode(JSON.stringify(parts))).subarray(0, 16));

export const userKey = (userId: string) => keyOf('user', userId);
export const sessionKey = (sessionId: string) => keyOf('session', sessionId);
export const tagKey = (tag: string) => keyOf('tag', tag);

/** Equal for texts of one user that differ in spelling alone. */
export const contentKey = (content: string, userId: string | null): Uint8Array<ArrayBuffer> =>
  keyOf('content', userId ?? '', folded(content));

/** A number for a node of the causal graph: equal for what its graph takes for the same. */
export function nodeNumber(text: string): number {
  const bytes = keyOf('node', nodeKey(text));
  return bytes.subarray(0, 6).reduce((number, byte) => number * 256 + byte, 0);
}

import type { SameHash } from './machine.ts';

/** Compares two hashes in hex in a time that depends on their length only. */
export const sameHash: SameHash = (a, b) => {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  // The runtime refuses to compare buffers of different lengths; the length is no secret.
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right);
};

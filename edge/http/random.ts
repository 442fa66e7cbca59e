/** Asking the runtime costs more than the bytes do, so many are asked for at once. */
const BLOCK = 4096;
const block = new Uint8Array(BLOCK);
let used = BLOCK;

/** So many random bytes, at most 4096, good for secrets too: none is handed out twice. */
export function randomBytes(count: number): Uint8Array {
  if (used + count > BLOCK) {
    crypto.getRandomValues(block);
    used = 0;
  }
  used += count;
  return block.slice(used - count, used);
}

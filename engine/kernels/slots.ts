/** Set where a sequence begins: what its slot holds counts as zero. */
const FRESH = 0x8000_0000;

/** Names the slot of the state that a row goes on from, as kernels with an operand `slots` read it. */
export function slotWord(slot: number, isFresh: boolean): number {
  return isFresh ? FRESH + slot : slot;
}

/** The same read back. */
export function parseSlot(word: number): { readonly slot: number; readonly isFresh: boolean } {
  return { slot: word % FRESH, isFresh: word >= FRESH };
}

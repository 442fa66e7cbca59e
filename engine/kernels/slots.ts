/** Set where a sequence begins: the content of its slot counts as zero. */
const FRESH = 0x8000_0000;

/** The slot of a row in equations, and whether its sequence begins. */
export const SLOT = `slots % ${FRESH}`;
export const IS_FRESH = `slots >= ${FRESH}`;

/** Encodes the slot of the state from which a row continues, as kernels with an operand `slots` read it. */
export function slotWord(slot: number, isFresh: boolean): number {
  return isFresh ? FRESH + slot : slot;
}

/** The same read back. */
export function parseSlot(word: number): { readonly slot: number; readonly isFresh: boolean } {
  return { slot: word % FRESH, isFresh: word >= FRESH };
}

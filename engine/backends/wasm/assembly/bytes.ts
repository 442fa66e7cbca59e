/** Bytes of `count` words. Counts stay whole numbers until here: a product of two may pass 2^31 bytes. */
export function bytes(count: i32): usize {
  return (<usize>(<u32>count)) << 2;
}

/** Words between the time steps of a tensor; one that is held is read again and again. */
export function strideOf(ownSteps: i32, steps: i32, words: i32): i32 {
  return ownSteps == 1 && steps > 1 ? 0 : words;
}

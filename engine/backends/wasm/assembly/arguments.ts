/** Word `index` of a command's arguments as an address. */
export function address(words: usize, index: i32): usize {
  return <usize>load<u32>(words + ((<usize>index) << 2));
}

/** Word `index` of a command's arguments as a whole number. */
export function whole(words: usize, index: i32): i32 {
  return load<i32>(words + ((<usize>index) << 2));
}

/** Word `index` of a command's arguments as a float. */
export function real(words: usize, index: i32): f32 {
  return load<f32>(words + ((<usize>index) << 2));
}

/** Bytes of `count` words. Counts stay whole numbers until here: a product of two may pass 2^31 bytes. */
export function bytes(count: i32): usize {
  return (<usize>(<u32>count)) << 2;
}

const ROUNDS: i32 = 10;
const MULTIPLIER_0: u64 = 0xd2511f53;
const MULTIPLIER_1: u64 = 0xcd9e8d57;
const WEYL_0: u32 = 0x9e3779b9;
const WEYL_1: u32 = 0xbb67ae85;

/** The words of the last draw. */
export let word0: u32 = 0;
export let word1: u32 = 0;
export let word2: u32 = 0;
export let word3: u32 = 0;

/** Draws four words from a counter (index, stream, step, 0), the step and the seed from a clock: Philox 4x32-10. */
export function philox(index: u32, stream: u32, clock: usize): void {
  let c0 = index,
    c1 = stream,
    c2 = load<u32>(clock),
    c3: u32 = 0;
  let k0 = load<u32>(clock, 8),
    k1 = load<u32>(clock, 12);
  for (let round = 0; round < ROUNDS; round++) {
    const p0 = MULTIPLIER_0 * <u64>c0,
      p1 = MULTIPLIER_1 * <u64>c2;
    c0 = <u32>(p1 >> 32) ^ c1 ^ k0;
    c1 = <u32>p1;
    c2 = <u32>(p0 >> 32) ^ c3 ^ k1;
    c3 = <u32>p0;
    k0 += WEYL_0;
    k1 += WEYL_1;
  }
  word0 = c0;
  word1 = c1;
  word2 = c2;
  word3 = c3;
}

import { address, bytes, whole } from './arguments';
import { storeUpTo } from './rows';

const ROUNDS: i32 = 10;
const MULTIPLIER_0: u64 = 0xd2511f53;
const MULTIPLIER_1: u64 = 0xcd9e8d57;
const WEYL_0: u32 = 0x9e3779b9;
const WEYL_1: u32 = 0xbb67ae85;
/** 2^-24: the upper 24 bits of a word make a number in [0, 1). */
const SHARE: f32 = 5.9604644775390625e-8;

/** Four uniform numbers in [0, 1) from a counter (index, stream, step, 0): Philox 4x32-10. */
function draw(index: u32, stream: u32, clock: usize): v128 {
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
  let words = i32x4.splat(c0);
  words = i32x4.replace_lane(words, 1, c1);
  words = i32x4.replace_lane(words, 2, c2);
  words = i32x4.replace_lane(words, 3, c3);
  return f32x4.mul(f32x4.convert_i32x4_u(i32x4.shr_u(words, 8)), f32x4.splat(SHARE));
}

/**
 * random_uniform: uniform numbers in [0, 1), four a draw.
 *
 * Items      draws, ceil(count / 4)
 * Arguments  clock (step, slot, seed low, seed high), output, count, stream
 */
export function random_uniform(args: usize, first: i32, last: i32, scratch: usize): void {
  const clock = address(args, 0),
    output = address(args, 1);
  const count = whole(args, 2),
    stream = whole(args, 3);
  for (let item = first; item < last; item++) {
    storeUpTo(output + bytes(item << 2), draw(item, stream, clock), count - (item << 2));
  }
}

/**
 * random_spikes: a spike with the probability given for each neuron.
 *
 * Items      words of spikes, rows x ceil(width / 32)
 * Arguments  probabilities, clock, spikes, width, stream, rows of probabilities
 */
export function random_spikes(args: usize, first: i32, last: i32, scratch: usize): void {
  const probabilities = address(args, 0),
    clock = address(args, 1),
    spikes = address(args, 2);
  const width = whole(args, 3),
    stream = whole(args, 4),
    probabilityRows = whole(args, 5);
  const words = (width + 31) >> 5,
    quads = (width + 3) >> 2;
  for (let item = first; item < last; item++) {
    const row = item / words,
      start = (item % words) << 5;
    const from = probabilities + bytes(width) * (row % probabilityRows);
    const end = min(width, start + 32);
    let packed: u32 = 0;
    for (let n = start; n < end; n += 4) {
      const numbers = draw(row * quads + (n >> 2), stream, clock);
      const fires = i32x4.bitmask(f32x4.lt(numbers, v128.load(from + bytes(n))));
      const inside = end - n >= 4 ? 15 : (1 << (end - n)) - 1;
      packed |= (fires & inside) << (n - start);
    }
    store<u32>(spikes + bytes(item), packed);
  }
}

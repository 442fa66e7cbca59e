import { SYNAPSE_BLOCK } from './generated/sizes';
import { bytes } from './bytes';
import { loadUpTo } from './rows';
import { madd } from './simd';

/** Bytes of so many floats. */
export const BLOCK_FLOATS: usize = 64;

export function blocksOf(width: i32): i32 {
  return (width + SYNAPSE_BLOCK - 1) / SYNAPSE_BLOCK;
}

/** IdempotencyRecords the first floats of a row behind its end, where 16 neighbours wrap around. */
export function wrapFloats(row: usize, width: i32): void {
  for (let n = 0; n < SYNAPSE_BLOCK; n++) {
    store<f32>(row + bytes(width + n), load<f32>(row + bytes(n % width)));
  }
}

/** Adds what lies behind the end of a row to the neurons it stands for. */
export function foldFloats(row: usize, width: i32): void {
  for (let n = 0; n < SYNAPSE_BLOCK; n++) {
    const at = row + bytes(n % width);
    store<f32>(at, load<f32>(at) + load<f32>(row + bytes(width + n)));
  }
}

/** to[16] = sum over the links of 16 neurons of weight times source, from a wrapped row. */
export function gatherBlock(
  row: usize,
  weight: usize,
  topology: usize,
  fanIn: i32,
  width: i32,
  to: usize,
): void {
  const stride = load<i32>(topology, 4);
  let source = load<i32>(topology);
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  for (let p = 0; p < fanIn; p++) {
    const from = row + bytes(source),
      w = v128.load(weight);
    const low = i16x8.extend_low_i8x16_s(w),
      high = i16x8.extend_high_i8x16_s(w);
    s0 = madd(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(low)), v128.load(from), s0);
    s1 = madd(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(low)), v128.load(from, 16), s1);
    s2 = madd(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(high)), v128.load(from, 32), s2);
    s3 = madd(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(high)), v128.load(from, 48), s3);
    weight += <usize>SYNAPSE_BLOCK;
    source += stride;
    if (source >= width) source -= width;
  }
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
}

/** row[source] += weight times the gradient, over the links of 16 neurons; of the last, only `count` are there. */
export function scatterBlock(
  row: usize,
  weight: usize,
  topology: usize,
  fanIn: i32,
  width: i32,
  gradient: usize,
  count: i32,
): void {
  const stride = load<i32>(topology, 4);
  let source = load<i32>(topology);
  const g0 = loadUpTo(gradient, max(0, count)),
    g1 = loadUpTo(gradient + 16, max(0, count - 4)),
    g2 = loadUpTo(gradient + 32, max(0, count - 8)),
    g3 = loadUpTo(gradient + 48, max(0, count - 12));
  for (let p = 0; p < fanIn; p++) {
    const to = row + bytes(source),
      w = v128.load(weight);
    const low = i16x8.extend_low_i8x16_s(w),
      high = i16x8.extend_high_i8x16_s(w);
    addAt(to, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(low)), g0);
    addAt(to + 16, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(low)), g1);
    addAt(to + 32, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(high)), g2);
    addAt(to + 48, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(high)), g3);
    weight += <usize>SYNAPSE_BLOCK;
    source += stride;
    if (source >= width) source -= width;
  }
}

function addAt(to: usize, weight: v128, gradient: v128): void {
  v128.store(to, madd(weight, gradient, v128.load(to)));
}

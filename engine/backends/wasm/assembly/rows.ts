import { loadSome, storeSome, sumLanes } from './simd';

/** Stores the lanes in front of the end, `left` elements away. */
export function storeUpTo(at: usize, lanes: v128, left: i32): void {
  if (left >= 4) v128.store(at, lanes);
  else storeSome(at, lanes, left);
}

/** The elements in front of the end, `left` of them, and zero in the lanes behind it. */
export function loadUpTo(at: usize, left: i32): v128 {
  return left >= 4 ? v128.load(at) : loadSome(at, left);
}

/** Zero in the lanes from `left` on. */
export function keepUpTo(lanes: v128, left: i32): v128 {
  return v128.and(lanes, i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(left)));
}

/** The sum of `count` floats. */
export function sumRow(from: usize, count: i32): f32 {
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  let left = count;
  for (; left >= 16; left -= 16, from += 64) {
    s0 = f32x4.add(s0, v128.load(from));
    s1 = f32x4.add(s1, v128.load(from, 16));
    s2 = f32x4.add(s2, v128.load(from, 32));
    s3 = f32x4.add(s3, v128.load(from, 48));
  }
  for (; left > 0; left -= 4, from += 16) s0 = f32x4.add(s0, loadUpTo(from, left));
  return sumLanes(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)));
}

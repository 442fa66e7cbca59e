/** a * b + c in four lanes; in one rounding where the build has relaxed SIMD. */
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/** The sum of the four lanes, pairwise. */
export function sumLanes(a: v128): f32 {
  const pairs = f32x4.add(
    a,
    i8x16.shuffle(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7),
  );
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

const LOG2_E: f32 = 1.4426950408889634;
/** ln 2 in two parts: the first has so few bits that its multiples are exact. */
const LN2_HIGH: f32 = 0.693359375;
const LN2_LOW: f32 = -2.1219444e-4;
/** 1.5 x 2^23: what is added to it is rounded to whole numbers, which stand in the lowest bits of the sum. */
const ROUNDING: f32 = 12582912;
const LARGEST: f32 = 88.3;
const SMALLEST: f32 = -87.3;

/** e^x in four lanes, 2 units in the last place (the polynomial of Cephes' expf). Saturates at float32's range. */
export function exp4(x: v128): v128 {
  // These let NaN through from their first operand, in one instruction; min and max take seven.
  const bounded = f32x4.pmax(f32x4.pmin(x, f32x4.splat(LARGEST)), f32x4.splat(SMALLEST));
  const shifted = madd(bounded, f32x4.splat(LOG2_E), f32x4.splat(ROUNDING));
  const n = f32x4.sub(shifted, f32x4.splat(ROUNDING));
  let r = f32x4.sub(bounded, f32x4.mul(n, f32x4.splat(LN2_HIGH)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(LN2_LOW)));
  let p = f32x4.splat(1.98756915e-4);
  p = madd(p, r, f32x4.splat(1.3981999507e-3));
  p = madd(p, r, f32x4.splat(8.3334519073e-3));
  p = madd(p, r, f32x4.splat(4.1665795894e-2));
  p = madd(p, r, f32x4.splat(1.6666665459e-1));
  p = madd(p, r, f32x4.splat(5.0000001201e-1));
  p = f32x4.add(madd(p, f32x4.mul(r, r), r), f32x4.splat(1));
  const power = i32x4.shl(i32x4.add(shifted, i32x4.splat(127)), 23);
  return f32x4.mul(p, power);
}

/** 1 / (1 + e^-x) in four lanes. */
export function sigmoid4(x: v128): v128 {
  const one = f32x4.splat(1);
  return f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(x))));
}

/** The first `count` (0 to 4) floats from `at`, zero in the other lanes. Reads nothing beyond them. */
export function loadSome(at: usize, count: i32): v128 {
  let lanes = f32x4.splat(0);
  if (count > 0) lanes = f32x4.replace_lane(lanes, 0, load<f32>(at));
  if (count > 1) lanes = f32x4.replace_lane(lanes, 1, load<f32>(at, 4));
  if (count > 2) lanes = f32x4.replace_lane(lanes, 2, load<f32>(at, 8));
  if (count > 3) lanes = f32x4.replace_lane(lanes, 3, load<f32>(at, 12));
  return lanes;
}

/** Stores the first `count` (0 to 4) lanes. */
export function storeSome(at: usize, lanes: v128, count: i32): void {
  if (count > 0) store<f32>(at, f32x4.extract_lane(lanes, 0));
  if (count > 1) store<f32>(at, f32x4.extract_lane(lanes, 1), 4);
  if (count > 2) store<f32>(at, f32x4.extract_lane(lanes, 2), 8);
  if (count > 3) store<f32>(at, f32x4.extract_lane(lanes, 3), 12);
}

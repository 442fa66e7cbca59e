/** 2 / pi, and pi / 2 in three parts: the first ones have so few bits that their multiples are exact. */
const QUARTERS: f32 = 0.6366197723675814;
const QUARTER_HIGH: f32 = 1.5703125;
const QUARTER_MIDDLE: f32 = 4.837512969970703e-4;
const QUARTER_LOW: f32 = 7.549789948768648e-8;

/** Sines of four angles, or of what is `quarters` quarter turns further; 1e-7 (Cephes' sinf and cosf). */
function wave4(angle: v128, quarters: i32): v128 {
  const n = f32x4.nearest(f32x4.mul(angle, f32x4.splat(QUARTERS)));
  let x = f32x4.sub(angle, f32x4.mul(n, f32x4.splat(QUARTER_HIGH)));
  x = f32x4.sub(x, f32x4.mul(n, f32x4.splat(QUARTER_MIDDLE)));
  x = f32x4.sub(x, f32x4.mul(n, f32x4.splat(QUARTER_LOW)));
  const z = f32x4.mul(x, x);
  let sine = f32x4.add(f32x4.mul(z, f32x4.splat(-1.9515295891e-4)), f32x4.splat(8.3321608736e-3));
  sine = f32x4.add(f32x4.mul(z, sine), f32x4.splat(-1.6666654611e-1));
  sine = f32x4.add(x, f32x4.mul(f32x4.mul(x, z), sine));
  let cosine = f32x4.add(
    f32x4.mul(z, f32x4.splat(2.443315711809948e-5)),
    f32x4.splat(-1.388731625493765e-3),
  );
  cosine = f32x4.add(f32x4.mul(z, cosine), f32x4.splat(4.166664568298827e-2));
  cosine = f32x4.sub(f32x4.mul(f32x4.mul(z, z), cosine), f32x4.mul(f32x4.splat(0.5), z));
  cosine = f32x4.add(f32x4.splat(1), cosine);
  const q = i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(quarters));
  const isOdd = i32x4.ne(v128.and(q, i32x4.splat(1)), i32x4.splat(0));
  const sign = i32x4.shl(v128.and(q, i32x4.splat(2)), 30);
  return v128.xor(v128.bitselect(cosine, sine, isOdd), sign);
}

/** Sines of four angles. */
export function sin4(angle: v128): v128 {
  return wave4(angle, 0);
}

/** Cosines of four angles. */
export function cos4(angle: v128): v128 {
  return wave4(angle, 1);
}

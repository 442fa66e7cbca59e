import { madd } from './simd';

/**
 * c[6, 8] (+)= a[6, depth] b[depth, 8].
 *
 * @param a0 first element of the six rows; rows that do not exist repeat another
 * @param advanceA bytes from one k to the next in a row of a
 * @param advanceB bytes from one k to the next in b; its 8 columns are adjacent
 * @param strideC bytes from row to row of c
 * @param add whether c is added to instead of overwritten
 */
export function multiplyTile(
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  a4: usize,
  a5: usize,
  advanceA: usize,
  b: usize,
  advanceB: usize,
  depth: i32,
  c: usize,
  strideC: usize,
  add: bool,
): void {
  let c00 = f32x4.splat(0),
    c01 = f32x4.splat(0),
    c10 = f32x4.splat(0),
    c11 = f32x4.splat(0);
  let c20 = f32x4.splat(0),
    c21 = f32x4.splat(0),
    c30 = f32x4.splat(0),
    c31 = f32x4.splat(0);
  let c40 = f32x4.splat(0),
    c41 = f32x4.splat(0),
    c50 = f32x4.splat(0),
    c51 = f32x4.splat(0);
  let offset: usize = 0;
  for (let k = 0; k < depth; k++) {
    const left = v128.load(b),
      right = v128.load(b, 16);
    let x = v128.load_splat<f32>(a0 + offset);
    c00 = madd(x, left, c00);
    c01 = madd(x, right, c01);
    x = v128.load_splat<f32>(a1 + offset);
    c10 = madd(x, left, c10);
    c11 = madd(x, right, c11);
    x = v128.load_splat<f32>(a2 + offset);
    c20 = madd(x, left, c20);
    c21 = madd(x, right, c21);
    x = v128.load_splat<f32>(a3 + offset);
    c30 = madd(x, left, c30);
    c31 = madd(x, right, c31);
    x = v128.load_splat<f32>(a4 + offset);
    c40 = madd(x, left, c40);
    c41 = madd(x, right, c41);
    x = v128.load_splat<f32>(a5 + offset);
    c50 = madd(x, left, c50);
    c51 = madd(x, right, c51);
    offset += advanceA;
    b += advanceB;
  }
  storeRow(c, c00, c01, add);
  storeRow(c + strideC, c10, c11, add);
  storeRow(c + 2 * strideC, c20, c21, add);
  storeRow(c + 3 * strideC, c30, c31, add);
  storeRow(c + 4 * strideC, c40, c41, add);
  storeRow(c + 5 * strideC, c50, c51, add);
}

function storeRow(c: usize, left: v128, right: v128, add: bool): void {
  if (add) {
    left = f32x4.add(left, v128.load(c));
    right = f32x4.add(right, v128.load(c, 16));
  }
  v128.store(c, left);
  v128.store(c, right, 16);
}

import { address, bytes, real, whole } from './arguments';
import { loadUpTo, storeUpTo } from './rows';
import { madd, sumLanes } from './simd';

/** The score of a candidate that is the target itself: its share is 0. */
const EXCLUDED: f32 = -1e30;

/**
 * codebook_rows: codes of tokens as floats.
 *
 *   output = scale Q[id]
 *
 * Items      rows
 */
export function codebook_rows(args: usize, first: i32, last: i32, scratch: usize): void {
  const vocabulary = whole(args, 4),
    rank = whole(args, 5),
    scale = f32x4.splat(real(args, 6));
  const stride = <usize>((rank + 3) & ~3);
  for (let row = first; row < last; row++) {
    const id = min<u32>(vocabulary - 1, load<u32>(address(args, 0) + bytes(row)));
    const from = address(args, 1) + stride * id,
      to = address(args, 2) + bytes(rank) * row;
    for (let r = 0; r < rank; r += 4) {
      const codes = i32x4(
        load<i8>(from + <usize>r),
        load<i8>(from + <usize>r, 1),
        load<i8>(from + <usize>r, 2),
        load<i8>(from + <usize>r, 3),
      );
      storeUpTo(to + bytes(r), f32x4.mul(scale, f32x4.convert_i32x4_s(codes)), rank - r);
    }
  }
}

/**
 * candidate_join_forward: the score of each row's target in front of those of the candidates, which are
 * corrected for being drawn; a candidate that is the target is left out.
 *
 * Items      rows
 */
export function candidate_join_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const candidates = address(args, 4),
    count = whole(args, 7),
    rank = whole(args, 8),
    correction = real(args, 9);
  for (let row = first; row < last; row++) {
    const query = address(args, 1) + bytes(rank) * row,
      codes = address(args, 2) + bytes(rank) * row;
    const scores = address(args, 0) + bytes(count) * row,
      to = address(args, 5) + bytes(count + 1) * row;
    const target = load<u32>(address(args, 3) + bytes(row));
    let sum = f32x4.splat(0);
    for (let r = 0; r < rank; r += 4) {
      sum = madd(loadUpTo(query + bytes(r), rank - r), loadUpTo(codes + bytes(r), rank - r), sum);
    }
    store<f32>(to, sumLanes(sum));
    for (let n = 0; n < count; n++) {
      const isTarget = load<u32>(candidates + bytes(n)) == target;
      const score = load<f32>(scores + bytes(n)) + correction;
      store<f32>(to + bytes(n + 1), isTarget ? EXCLUDED : score);
    }
  }
}

/**
 * candidate_join_backward: the gradient taken apart again.
 *
 * Items      rows
 */
export function candidate_join_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const count = whole(args, 5),
    rank = whole(args, 6);
  for (let row = first; row < last; row++) {
    const from = address(args, 0) + bytes(count + 1) * row,
      codes = address(args, 1) + bytes(rank) * row,
      query = address(args, 3) + bytes(rank) * row;
    memory.copy(address(args, 2) + bytes(count) * row, from + 4, bytes(count));
    const own = f32x4.splat(load<f32>(from));
    for (let r = 0; r < rank; r += 4) {
      const at = query + bytes(r),
        left = rank - r;
      const old = whole(args, 7) ? loadUpTo(at, left) : f32x4.splat(0);
      storeUpTo(at, madd(own, loadUpTo(codes + bytes(r), left), old), left);
    }
  }
}

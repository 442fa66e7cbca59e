import { CandidateJoinBackward, CandidateJoinForward, CodebookRows } from './generated/arguments';
import { bytes } from './bytes';
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
export function codebook_rows(args: CodebookRows, first: i32, last: i32): void {
  const vocabulary = args.vocabulary,
    rank = args.rank,
    scale = f32x4.splat(args.scale);
  const stride = <usize>((rank + 3) & ~3);
  for (let row = first; row < last; row++) {
    const id = min<u32>(vocabulary - 1, load<u32>(args.idsAt + bytes(row)));
    const from = args.codebookAt + stride * id,
      to = args.outputAt + bytes(rank) * row;
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
export function candidate_join_forward(args: CandidateJoinForward, first: i32, last: i32): void {
  const candidates = args.candidatesAt,
    count = args.drawn,
    rank = args.rank,
    correction = args.correction;
  for (let row = first; row < last; row++) {
    const query = args.queryAt + bytes(rank) * row,
      codes = args.codesAt + bytes(rank) * row;
    const scores = args.scoresAt + bytes(count) * row,
      to = args.logitsAt + bytes(count + 1) * row;
    const target = load<u32>(args.targetsAt + bytes(row));
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
export function candidate_join_backward(args: CandidateJoinBackward, first: i32, last: i32): void {
  const count = args.drawn,
    rank = args.rank;
  for (let row = first; row < last; row++) {
    const from = args.gradientAt + bytes(count + 1) * row,
      codes = args.codesAt + bytes(rank) * row,
      query = args.queryGradientAt + bytes(rank) * row;
    memory.copy(args.scoreGradientAt + bytes(count) * row, from + 4, bytes(count));
    const own = f32x4.splat(load<f32>(from));
    for (let r = 0; r < rank; r += 4) {
      const at = query + bytes(r),
        left = rank - r;
      const old = args.accumulate ? loadUpTo(at, left) : f32x4.splat(0);
      storeUpTo(at, madd(own, loadUpTo(codes + bytes(r), left), old), left);
    }
  }
}

import { bytes } from './bytes';

/**
 * Takes `width` bits of each row, from `bit` on, into words [ceil(width / 32)][stride]: the first
 * words of all rows, then the second ones. Bits beyond the width are zero.
 *
 * @param from first of the rows, `rowBytes` bytes apart
 * @param stride bytes between the lines of `to`
 */
export function gatherBits(
  from: usize,
  rowBytes: usize,
  rows: i32,
  bit: i32,
  width: i32,
  to: usize,
  stride: usize,
): void {
  const shift = <u64>(bit & 31);
  from += bytes(bit >> 5);
  for (let left = width; left > 0; left -= 32, from += 4, to += stride) {
    const mask: u32 = left >= 32 ? 0xffffffff : (1 << left) - 1;
    let at = from;
    for (let r = 0; r < rows; r++, at += rowBytes) {
      store<u32>(to + bytes(r), <u32>(load<u64>(at) >> shift) & mask);
    }
  }
}

/**
 * scores[r, c] = common bits of left row r and right row c, times factors[c - r], for `height` rows and
 * the columns from `first` to before `last` and up to three more.
 *
 * @param left gathered bits, from the first row on; `right` from column 0 on
 * @param stride bytes between the words of a row, and between the rows of the scores
 * @param factors those of row 0 and column 0
 */
export function scoreRows(
  left: usize,
  right: usize,
  stride: usize,
  words: i32,
  factors: usize,
  height: i32,
  first: i32,
  last: i32,
  scores: usize,
): void {
  for (let r = 0; r < height; r++, left += 4, factors -= 4, scores += stride) {
    if (words == 1) {
      const row = v128.load_splat<u32>(left);
      for (let c = first; c < last; c += 4) {
        const at = bytes(c),
          common = countCommon(row, v128.load(right + at));
        v128.store(scores + at, f32x4.mul(f32x4.convert_i32x4_s(common), v128.load(factors + at)));
      }
      continue;
    }
    for (let c = first; c < last; c += 4) {
      const at = bytes(c);
      let common = i32x4.splat(0),
        line: usize = 0;
      for (let w = 0; w < words; w++, line += stride) {
        const row = v128.load_splat<u32>(left + line);
        common = i32x4.add(common, countCommon(row, v128.load(right + line + at)));
      }
      v128.store(scores + at, f32x4.mul(f32x4.convert_i32x4_s(common), v128.load(factors + at)));
    }
  }
}

/** Set bits of both, in each of four words. */
function countCommon(a: v128, b: v128): v128 {
  const ofBytes = i8x16.popcnt(v128.and(a, b));
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(ofBytes));
}

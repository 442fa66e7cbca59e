import { bytes } from './bytes';
import { storeUpTo } from './rows';

/**
 * Turns gathered bits [word of features][token] around, into [word of tokens][feature]: who fired for
 * each feature. Bits of tokens behind the last one are zero.
 *
 * @param stride bytes between the lines of `bits`
 * @param lineBytes bytes between the lines of `to`
 */
export function transposeBits(
  bits: usize,
  stride: usize,
  tokens: i32,
  width: i32,
  to: usize,
  lineBytes: usize,
): void {
  for (let start = 0; start < tokens; start += 32, to += lineBytes) {
    const left = tokens - start;
    const mask: u32 = left >= 32 ? 0xffffffff : (1 << left) - 1;
    for (let feature = 0; feature < width; feature++) {
      const from = bits + stride * (feature >> 5) + bytes(start);
      const shift = 31 - (feature & 31);
      let fired: u32 = 0;
      for (let quad = 0; quad < 8; quad++) {
        const top = i32x4.shl(v128.load(from + ((<usize>quad) << 4)), shift);
        fired |= i32x4.bitmask(top) << (quad << 2);
      }
      store<u32>(to + bytes(feature), fired & mask);
    }
  }
}

/**
 * Writes the sum of the listed lines of the source, 32 columns of them. A set bit of word w lists line
 * 32 w + its place.
 *
 * @param words first of the words, `wordBytes` bytes apart; those from `first` to before `last` count
 * @param source its column of line 0, `stride` bytes from line to line
 */
export function sumEvents(
  words: usize,
  wordBytes: usize,
  first: i32,
  last: i32,
  source: usize,
  stride: usize,
  to: usize,
): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let s4 = s0;
  let s5 = s0;
  let s6 = s0;
  let s7 = s0;
  for (let w = first; w < last; w++) {
    let events = load<u32>(words + wordBytes * w);
    const base = source + stride * (w << 5);
    while (events) {
      const p = base + stride * <usize>ctz(events);
      s0 = f32x4.add(s0, v128.load(p));
      s1 = f32x4.add(s1, v128.load(p, 16));
      s2 = f32x4.add(s2, v128.load(p, 32));
      s3 = f32x4.add(s3, v128.load(p, 48));
      s4 = f32x4.add(s4, v128.load(p, 64));
      s5 = f32x4.add(s5, v128.load(p, 80));
      s6 = f32x4.add(s6, v128.load(p, 96));
      s7 = f32x4.add(s7, v128.load(p, 112));
      events &= events - 1;
    }
  }
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
  v128.store(to, s4, 64);
  v128.store(to, s5, 80);
  v128.store(to, s6, 96);
  v128.store(to, s7, 112);
}

/** to[columns, rows] = from[rows, columns], four by four; reads up to three columns more. */
export function transpose(
  from: usize,
  stride: usize,
  rows: i32,
  columns: i32,
  to: usize,
  strideTo: usize,
): void {
  for (let r = 0; r < rows; r += 4) {
    for (let c = 0; c < columns; c += 4) {
      const at = from + stride * r + bytes(c);
      turnBlock(at, stride, to + strideTo * c + bytes(r), strideTo, columns - c, rows - r);
    }
  }
}

/** At most four by four floats: `left` rows become `height` rows. */
function turnBlock(
  from: usize,
  stride: usize,
  to: usize,
  strideTo: usize,
  height: i32,
  left: i32,
): void {
  const end = left - 1;
  const a = v128.load(from);
  const b = v128.load(from + stride * min(1, end));
  const c = v128.load(from + stride * min(2, end));
  const d = v128.load(from + stride * min(3, end));
  const ab = i32x4.shuffle(a, b, 0, 4, 1, 5);
  const cd = i32x4.shuffle(c, d, 0, 4, 1, 5);
  const abEnd = i32x4.shuffle(a, b, 2, 6, 3, 7);
  const cdEnd = i32x4.shuffle(c, d, 2, 6, 3, 7);
  storeUpTo(to, i64x2.shuffle(ab, cd, 0, 2), left);
  if (height > 1) storeUpTo(to + strideTo, i64x2.shuffle(ab, cd, 1, 3), left);
  if (height > 2) storeUpTo(to + 2 * strideTo, i64x2.shuffle(abEnd, cdEnd, 0, 2), left);
  if (height > 3) storeUpTo(to + 3 * strideTo, i64x2.shuffle(abEnd, cdEnd, 1, 3), left);
}

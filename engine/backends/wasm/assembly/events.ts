import { EVENT_DEPTH, SLAB, SLAB_BYTES } from './generated/sizes';
import { bytes } from './bytes';
import { loadSome, storeSome } from './simd';

/** Columns up to which half a slab is enough. */
const NARROW: i32 = 16;

/** Copies `depth` rows of at most 32 columns, `stride` columns apart, into [depth][32]. */
export function packSlab(from: usize, to: usize, depth: i32, stride: i32, width: i32): void {
  const step = bytes(stride);
  for (let k = 0; k < depth; k++, from += step, to += SLAB_BYTES) {
    if (width >= SLAB) {
      for (let i: usize = 0; i < SLAB_BYTES; i += 16) v128.store(to + i, v128.load(from + i));
    } else {
      for (let i = 0; i < SLAB; i += 4) {
        v128.store(to + bytes(i), loadSome(from + bytes(i), min(4, width - i)));
      }
    }
  }
}

/** Decodes the blocks of one row of `words` words. */
export function decodeRow(from: usize, words: i32, lists: usize, counts: usize): void {
  for (let word = 0; word < words; word += EVENT_DEPTH / 32, counts += 4) {
    const start = lists + bytes(word << 4);
    let to = start;
    const end = min(EVENT_DEPTH / 32, words - word);
    for (let w = 0; w < end; w++) {
      let bits = load<u32>(from + bytes(word + w));
      while (bits) {
        store<u16>(to, <u16>((w << 5) + <i32>ctz(bits)));
        to += 2;
        bits &= bits - 1;
      }
    }
    store<u32>(counts, <u32>(to - start) >> 1);
  }
}

/**
 * Adds the rows of the listed events, `stride` bytes apart, to up to 32 columns of c, or overwrites
 * them. Sums begin at zero, as those of a tile do: events and a dense product give the same bits.
 */
export function addEvents(
  list: usize,
  count: i32,
  slab: usize,
  stride: usize,
  c: usize,
  width: i32,
  overwrite: bool,
): void {
  if (width <= NARROW) {
    addNarrow(list, count, slab, stride, c, width, overwrite);
    return;
  }
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0,
    s4 = s0,
    s5 = s0,
    s6 = s0,
    s7 = s0;
  const end = list + ((<usize>count) << 1);
  for (; list < end; list += 2) {
    const p = slab + <usize>load<u16>(list) * stride;
    s0 = f32x4.add(s0, v128.load(p));
    s1 = f32x4.add(s1, v128.load(p, 16));
    s2 = f32x4.add(s2, v128.load(p, 32));
    s3 = f32x4.add(s3, v128.load(p, 48));
    s4 = f32x4.add(s4, v128.load(p, 64));
    s5 = f32x4.add(s5, v128.load(p, 80));
    s6 = f32x4.add(s6, v128.load(p, 96));
    s7 = f32x4.add(s7, v128.load(p, 112));
  }
  if (width >= SLAB) {
    if (!overwrite) {
      s0 = f32x4.add(s0, v128.load(c));
      s1 = f32x4.add(s1, v128.load(c, 16));
      s2 = f32x4.add(s2, v128.load(c, 32));
      s3 = f32x4.add(s3, v128.load(c, 48));
      s4 = f32x4.add(s4, v128.load(c, 64));
      s5 = f32x4.add(s5, v128.load(c, 80));
      s6 = f32x4.add(s6, v128.load(c, 96));
      s7 = f32x4.add(s7, v128.load(c, 112));
    }
    v128.store(c, s0);
    v128.store(c, s1, 16);
    v128.store(c, s2, 32);
    v128.store(c, s3, 48);
    v128.store(c, s4, 64);
    v128.store(c, s5, 80);
    v128.store(c, s6, 96);
    v128.store(c, s7, 112);
    return;
  }
  addHalf(c, s0, s1, s2, s3, width, overwrite);
  addHalf(c + 64, s4, s5, s6, s7, width - 16, overwrite);
}

/** The same for up to 16 columns, such as the classes of a small readout. */
function addNarrow(
  list: usize,
  count: i32,
  slab: usize,
  stride: usize,
  c: usize,
  width: i32,
  overwrite: bool,
): void {
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  for (const end = list + ((<usize>count) << 1); list < end; list += 2) {
    const p = slab + <usize>load<u16>(list) * stride;
    s0 = f32x4.add(s0, v128.load(p));
    s1 = f32x4.add(s1, v128.load(p, 16));
    s2 = f32x4.add(s2, v128.load(p, 32));
    s3 = f32x4.add(s3, v128.load(p, 48));
  }
  addHalf(c, s0, s1, s2, s3, width, overwrite);
}

/** Up to 16 columns of sums onto c, or over it. */
function addHalf(
  c: usize,
  s0: v128,
  s1: v128,
  s2: v128,
  s3: v128,
  width: i32,
  overwrite: bool,
): void {
  addColumns(c, s0, width, overwrite);
  addColumns(c + 16, s1, width - 4, overwrite);
  addColumns(c + 32, s2, width - 8, overwrite);
  addColumns(c + 48, s3, width - 12, overwrite);
}

function addColumns(c: usize, sums: v128, width: i32, overwrite: bool): void {
  storeSome(c, overwrite ? sums : f32x4.add(sums, loadSome(c, width)), width);
}

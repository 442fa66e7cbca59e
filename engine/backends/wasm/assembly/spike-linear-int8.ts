import { SpikeLinearInt8 } from './generated/arguments';
import { INT8_SLAB } from './generated/sizes';
import { bytes } from './bytes';

const SLAB_WIDE: usize = 256;
/** 16 bits hold the sum of so many bytes for certain: 255 x 128 = 32,640. */
const MAX_EVENTS: i32 = 255;

/**
 * spike_linear_int8: c[rows, columns] = scale x (spikes weights) (+ bias) (+ residual), adding the rows
 * of signed bytes of the set bits in 16 bits, and those sums in 32 bits before they can overflow.
 *
 * Items      rows x slabs of 64 columns, slabs innermost
 * Scratch    64 sums of 32 bits, then the places of the set bits of a row as u16
 */
export function spike_linear_int8(
  args: SpikeLinearInt8,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const spikes = args.spikesAt,
    weights = args.weightAt,
    c = args.outputAt;
  const columns = args.columns,
    depth = args.depth,
    scale = args.scaleAt;
  const words = (depth + 31) >> 5,
    stride = <usize>((columns + 3) & ~3);
  const slabs = (columns + INT8_SLAB - 1) / INT8_SLAB,
    list = scratch + SLAB_WIDE;
  let listed = -1,
    count = 0;
  for (let item = first; item < last; item++) {
    const row = item / slabs,
      column = (item % slabs) * INT8_SLAB;
    if (row != listed) count = listBits(spikes + bytes(words) * row, words, list);
    listed = row;
    memory.fill(scratch, 0, SLAB_WIDE);
    for (let event = 0; event < count; event += MAX_EVENTS) {
      const some = min(MAX_EVENTS, count - event);
      addBytes(list + ((<usize>event) << 1), some, weights + <usize>column, stride, scratch);
    }
    const width = min(INT8_SLAB, columns - column),
      to = c + bytes(columns) * row;
    writeSums(args, scratch, to, row, column, width, scale);
  }
}

function listBits(from: usize, words: i32, list: usize): i32 {
  let to = list;
  for (let w = 0; w < words; w++) {
    let bits = load<u32>(from + bytes(w));
    while (bits) {
      store<u16>(to, <u16>((w << 5) + <i32>ctz(bits)));
      to += 2;
      bits &= bits - 1;
    }
  }
  return <i32>(to - list) >> 1;
}

/** Adds up to 255 rows of 64 bytes onto the sums. Bytes beyond the row are summed and never written. */
function addBytes(list: usize, count: i32, weights: usize, stride: usize, sums: usize): void {
  let s0 = i16x8.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0,
    s4 = s0,
    s5 = s0,
    s6 = s0,
    s7 = s0;
  for (const end = list + ((<usize>count) << 1); list < end; list += 2) {
    const p = weights + <usize>load<u16>(list) * stride;
    s0 = i16x8.add(s0, v128.load_ext<i8>(p));
    s1 = i16x8.add(s1, v128.load_ext<i8>(p, 8));
    s2 = i16x8.add(s2, v128.load_ext<i8>(p, 16));
    s3 = i16x8.add(s3, v128.load_ext<i8>(p, 24));
    s4 = i16x8.add(s4, v128.load_ext<i8>(p, 32));
    s5 = i16x8.add(s5, v128.load_ext<i8>(p, 40));
    s6 = i16x8.add(s6, v128.load_ext<i8>(p, 48));
    s7 = i16x8.add(s7, v128.load_ext<i8>(p, 56));
  }
  widen(sums, s0);
  widen(sums + 32, s1);
  widen(sums + 64, s2);
  widen(sums + 96, s3);
  widen(sums + 128, s4);
  widen(sums + 160, s5);
  widen(sums + 192, s6);
  widen(sums + 224, s7);
}

function widen(sums: usize, some: v128): void {
  v128.store(sums, i32x4.add(v128.load(sums), i32x4.extend_low_i16x8_s(some)));
  v128.store(sums, i32x4.add(v128.load(sums, 16), i32x4.extend_high_i16x8_s(some)), 16);
}

function writeSums(
  args: SpikeLinearInt8,
  sums: usize,
  row: usize,
  index: i32,
  column: i32,
  width: i32,
  scale: usize,
): void {
  const bias = args.biasAt,
    residual = args.residualAt,
    residualRows = args.residualRows;
  const columns = args.columns;
  const from = residual ? residual + bytes(columns) * (index % residualRows) : 0;
  for (let i = 0; i < width; i++) {
    const at = bytes(column + i);
    let value = <f32>load<i32>(sums + bytes(i)) * load<f32>(scale + at);
    if (bias) value += load<f32>(bias + at);
    if (from) value += load<f32>(from + at);
    store<f32>(row + at, value);
  }
}

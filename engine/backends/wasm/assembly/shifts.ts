import { address, bytes, whole } from './arguments';
import { GROUP, storeUpTo } from './rows';
import { madd } from './simd';
import { isFresh, slotOf } from './slots';

/** mix x + (1 - mix) other, four features. */
function blend(mix: v128, x: v128, other: v128): v128 {
  return madd(mix, f32x4.sub(x, other), other);
}

/** output = mix x + (1 - mix) other over a row. */
function blendRow(x: usize, other: usize, mix: usize, output: usize, width: i32): void {
  for (let c = 0; c < width; c += 4) {
    const at = bytes(c);
    const mixed = blend(v128.load(mix + at), v128.load(x + at), v128.load(other + at));
    storeUpTo(output + at, mixed, width - c);
  }
}

/**
 * token_shift_forward: mix x[t] + (1 - mix) x[t-1]; zero stands in front of a sequence.
 *
 * Items      rows
 * Scratch    a row of zeros
 */
export function token_shift_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    mix = address(args, 1),
    output = address(args, 2);
  const width = whole(args, 4),
    sequence = whole(args, 5),
    stride = bytes(width);
  memory.fill(scratch, 0, stride);
  let token = first % sequence;
  for (let row = first; row < last; row++) {
    const from = input + stride * row;
    blendRow(from, token == 0 ? scratch : from - stride, mix, output + stride * row, width);
    if (++token == sequence) token = 0;
  }
}

/**
 * token_shift_backward_input: d input[t] (+)= mix g[t] + (1 - mix) g[t+1]; zero behind a sequence.
 *
 * Items      rows
 * Scratch    a row of zeros
 */
export function token_shift_backward_input(
  args: usize,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const gradient = address(args, 0),
    mix = address(args, 1),
    output = address(args, 2);
  const width = whole(args, 4),
    sequence = whole(args, 5),
    accumulate = whole(args, 6) != 0;
  const stride = bytes(width);
  memory.fill(scratch, 0, stride);
  let token = first % sequence;
  for (let row = first; row < last; row++) {
    const from = gradient + stride * row,
      to = output + stride * row;
    if (++token == sequence) token = 0;
    const following = token == 0 ? scratch : from + stride;
    if (accumulate) addBlend(from, following, mix, to, width);
    else blendRow(from, following, mix, to, width);
  }
}

function addBlend(x: usize, other: usize, mix: usize, output: usize, width: i32): void {
  for (let c = 0; c < width; c += 4) {
    const at = bytes(c);
    const mixed = blend(v128.load(mix + at), v128.load(x + at), v128.load(other + at));
    storeUpTo(output + at, f32x4.add(mixed, v128.load(output + at)), width - c);
  }
}

/**
 * token_shift_backward_mix: partial sums of g[t] (x[t] - x[t-1]).
 *
 * Items      chunks x groups of 16 columns, groups innermost
 */
export function token_shift_backward_mix(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    gradient = address(args, 1),
    partial = address(args, 2);
  const rows = whole(args, 3),
    width = whole(args, 4);
  const sequence = whole(args, 5),
    chunk = whole(args, 6);
  const groups = (width + GROUP - 1) / GROUP,
    stride = bytes(width);
  for (let item = first; item < last; item++) {
    const line = item / groups,
      column = (item % groups) * GROUP,
      start = line * chunk;
    const height = min(chunk, rows - start),
      end = min(width, column + GROUP);
    const token = start % sequence;
    for (let c = column; c < end; c += 8) {
      const from = stride * start + bytes(c),
        to = partial + stride * line + bytes(c);
      sumChanges(input + from, gradient + from, stride, height, token, sequence, to, width - c);
    }
  }
}

/** Eight columns of rows that begin at a token of a sequence, `left` columns in front of the end. */
function sumChanges(
  input: usize,
  gradient: usize,
  stride: usize,
  rows: i32,
  token: i32,
  sequence: i32,
  to: usize,
  left: i32,
): void {
  const zero = f32x4.splat(0);
  let s0 = zero,
    s1 = zero;
  // The row before the first, unless a sequence begins there.
  let before0 = zero,
    before1 = zero;
  if (token > 0) {
    before0 = v128.load(input - stride);
    before1 = v128.load(input - stride + 16);
  }
  for (let r = 0; r < rows; r++, input += stride, gradient += stride) {
    const x0 = v128.load(input),
      x1 = v128.load(input, 16);
    s0 = madd(v128.load(gradient), f32x4.sub(x0, before0), s0);
    s1 = madd(v128.load(gradient, 16), f32x4.sub(x1, before1), s1);
    const isLast = ++token == sequence;
    before0 = isLast ? zero : x0;
    before1 = isLast ? zero : x1;
    if (isLast) token = 0;
  }
  storeUpTo(to, s0, left);
  storeUpTo(to + 16, s1, left - 4);
}

/**
 * token_shift_step: one token a row; the input is kept in the row's slot for the next.
 *
 * Items      rows of all time steps
 * Scratch    a row of zeros
 */
export function token_shift_step(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    mix = address(args, 1),
    previous = address(args, 3);
  const output = address(args, 4),
    width = whole(args, 7),
    stride = bytes(width);
  const words = address(args, 2),
    rows = whole(args, 6),
    slots = whole(args, 8);
  memory.fill(scratch, 0, stride);
  for (let row = first; row < last; row++) {
    const at = stride * row,
      word = load<u32>(words + bytes(row % rows));
    const kept = previous + stride * ((row / rows) * slots + slotOf(word));
    blendRow(input + at, isFresh(word) ? scratch : kept, mix, output + at, width);
    memory.copy(kept, input + at, stride);
  }
}

import { address, bytes, real, whole } from './arguments';
import { GROUP, keepUpTo, storeUpTo, sumRow } from './rows';
import { madd, sumLanes } from './simd';

/**
 * layer_norm_forward: (x - mean) / sqrt(variance + epsilon) gain + offset over each row.
 *
 * Items      rows
 */
export function layer_norm_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    gain = address(args, 1),
    offset = address(args, 2);
  const output = address(args, 3),
    statistics = address(args, 4);
  const width = whole(args, 6),
    epsilon = real(args, 7);
  const share = <f32>1 / <f32>width,
    stride = bytes(width);
  for (let row = first; row < last; row++) {
    const from = input + stride * row,
      to = output + stride * row;
    const mean = sumRow(from, width) * share;
    const rstd = <f32>1 / sqrt<f32>(sumDeviations(from, width, mean) * share + epsilon);
    store<f32>(statistics + bytes(2 * row), mean);
    store<f32>(statistics + bytes(2 * row), rstd, 4);
    const means = f32x4.splat(mean),
      factors = f32x4.splat(rstd);
    for (let c = 0; c < width; c += 4) {
      const at = bytes(c);
      const normalised = f32x4.mul(f32x4.sub(v128.load(from + at), means), factors);
      storeUpTo(to + at, madd(normalised, v128.load(gain + at), v128.load(offset + at)), width - c);
    }
  }
}

/** The sum of the squares of x - mean. */
function sumDeviations(from: usize, width: i32, mean: f32): f32 {
  const means = f32x4.splat(mean);
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  let left = width;
  for (; left >= 16; left -= 16, from += 64) {
    const d0 = f32x4.sub(v128.load(from), means),
      d1 = f32x4.sub(v128.load(from, 16), means);
    const d2 = f32x4.sub(v128.load(from, 32), means),
      d3 = f32x4.sub(v128.load(from, 48), means);
    s0 = madd(d0, d0, s0);
    s1 = madd(d1, d1, s1);
    s2 = madd(d2, d2, s2);
    s3 = madd(d3, d3, s3);
  }
  for (; left > 0; left -= 4, from += 16) {
    const d = keepUpTo(f32x4.sub(v128.load(from), means), left);
    s0 = madd(d, d, s0);
  }
  return sumLanes(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)));
}

/**
 * layer_norm_backward_input: with h = gain gradient and n the normalised input,
 *
 *   d input (+)= rstd (h - mean(h) - n mean(h n))
 *
 * Items      rows
 */
export function layer_norm_backward_input(
  args: usize,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const input = address(args, 0),
    gain = address(args, 1),
    statistics = address(args, 2);
  const gradient = address(args, 3),
    output = address(args, 4);
  const width = whole(args, 6),
    accumulate = whole(args, 7) != 0;
  const share = <f32>1 / <f32>width,
    stride = bytes(width);
  for (let row = first; row < last; row++) {
    const at = stride * row,
      state = statistics + bytes(2 * row);
    backRow(input + at, gain, state, gradient + at, output + at, width, share, accumulate);
  }
}

function backRow(
  input: usize,
  gain: usize,
  state: usize,
  gradient: usize,
  output: usize,
  width: i32,
  share: f32,
  accumulate: bool,
): void {
  const mean = v128.load_splat<f32>(state),
    rstd = v128.load_splat<f32>(state + 4);
  let sum = f32x4.splat(0),
    product = sum;
  for (let c = 0; c < width; c += 4) {
    const at = bytes(c);
    const h = keepUpTo(f32x4.mul(v128.load(gain + at), v128.load(gradient + at)), width - c);
    // Lanes beyond the row may hold anything: what is no number stays so when it is multiplied by zero.
    const n = keepUpTo(f32x4.mul(f32x4.sub(v128.load(input + at), mean), rstd), width - c);
    sum = f32x4.add(sum, h);
    product = madd(h, n, product);
  }
  const meanH = f32x4.splat(sumLanes(sum) * share),
    meanProduct = f32x4.splat(sumLanes(product) * share);
  for (let c = 0; c < width; c += 4) {
    const at = bytes(c);
    const h = f32x4.mul(v128.load(gain + at), v128.load(gradient + at));
    const n = f32x4.mul(f32x4.sub(v128.load(input + at), mean), rstd);
    let value = f32x4.mul(rstd, f32x4.sub(f32x4.sub(h, meanH), f32x4.mul(n, meanProduct)));
    if (accumulate) value = f32x4.add(value, v128.load(output + at));
    storeUpTo(output + at, value, width - c);
  }
}

/**
 * layer_norm_backward_parameters: partial sums of gradient times normalised input, and of the gradient.
 *
 * Items      chunks x groups of 16 columns, groups innermost
 */
export function layer_norm_backward_parameters(
  args: usize,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const input = address(args, 0),
    statistics = address(args, 1),
    gradient = address(args, 2);
  const gain = address(args, 3),
    offset = address(args, 4);
  const rows = whole(args, 5),
    width = whole(args, 6),
    chunk = whole(args, 7);
  const groups = (width + GROUP - 1) / GROUP,
    stride = bytes(width);
  for (let item = first; item < last; item++) {
    const line = item / groups,
      column = (item % groups) * GROUP,
      start = line * chunk;
    const height = min(chunk, rows - start),
      end = min(width, column + GROUP);
    for (let c = column; c < end; c += 8) {
      const from = stride * start + bytes(c),
        to = stride * line + bytes(c);
      sumColumns(
        input + from,
        statistics + bytes(2 * start),
        gradient + from,
        stride,
        height,
        gain + to,
        offset + to,
        width - c,
      );
    }
  }
}

/** Eight columns of both sums, `left` columns in front of the end. */
function sumColumns(
  input: usize,
  state: usize,
  gradient: usize,
  stride: usize,
  rows: i32,
  gain: usize,
  offset: usize,
  left: i32,
): void {
  let gain0 = f32x4.splat(0),
    gain1 = gain0,
    offset0 = gain0,
    offset1 = gain0;
  for (let r = 0; r < rows; r++, input += stride, gradient += stride, state += 8) {
    const mean = v128.load_splat<f32>(state),
      rstd = v128.load_splat<f32>(state + 4);
    const g0 = v128.load(gradient),
      g1 = v128.load(gradient, 16);
    gain0 = madd(g0, f32x4.mul(f32x4.sub(v128.load(input), mean), rstd), gain0);
    gain1 = madd(g1, f32x4.mul(f32x4.sub(v128.load(input, 16), mean), rstd), gain1);
    offset0 = f32x4.add(offset0, g0);
    offset1 = f32x4.add(offset1, g1);
  }
  storeUpTo(gain, gain0, left);
  storeUpTo(gain + 16, gain1, left - 4);
  storeUpTo(offset, offset0, left);
  storeUpTo(offset + 16, offset1, left - 4);
}

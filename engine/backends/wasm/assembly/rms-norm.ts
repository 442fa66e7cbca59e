import { address, bytes, real, whole } from './arguments';
import { GROUP, keepUpTo, storeUpTo } from './rows';
import { madd, sumLanes } from './simd';

/**
 * rms_norm_forward: x / sqrt(mean(x^2) + epsilon) gain over each row.
 *
 * Items      rows
 */
export function rms_norm_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    gain = address(args, 1),
    output = address(args, 2);
  const statistics = address(args, 3),
    width = whole(args, 5),
    epsilon = real(args, 6);
  const share = <f32>1 / <f32>width,
    stride = bytes(width);
  for (let row = first; row < last; row++) {
    const from = input + stride * row,
      to = output + stride * row;
    const scale = <f32>1 / sqrt<f32>(sumSquares(from, width) * share + epsilon);
    store<f32>(statistics + bytes(row), scale);
    const scales = f32x4.splat(scale);
    for (let c = 0; c < width; c += 4) {
      const at = bytes(c);
      const normalised = f32x4.mul(v128.load(from + at), scales);
      storeUpTo(to + at, f32x4.mul(normalised, v128.load(gain + at)), width - c);
    }
  }
}

function sumSquares(from: usize, width: i32): f32 {
  let s0 = f32x4.splat(0),
    s1 = s0;
  let left = width;
  for (; left >= 8; left -= 8, from += 32) {
    const x0 = v128.load(from),
      x1 = v128.load(from, 16);
    s0 = madd(x0, x0, s0);
    s1 = madd(x1, x1, s1);
  }
  for (; left > 0; left -= 4, from += 16) {
    const x = keepUpTo(v128.load(from), left);
    s0 = madd(x, x, s0);
  }
  return sumLanes(f32x4.add(s0, s1));
}

/**
 * rms_norm_backward_input: with h = gain gradient,
 *
 *   d input (+)= scale (h - input scale^2 mean(h input))
 *
 * Items      rows
 */
export function rms_norm_backward_input(args: usize, first: i32, last: i32, scratch: usize): void {
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
      scale = load<f32>(statistics + bytes(row));
    const product = sumProducts(input + at, gain, gradient + at, width);
    const shrink = f32x4.splat(scale * scale * product * share),
      scales = f32x4.splat(scale);
    for (let c = 0; c < width; c += 4) {
      const to = at + bytes(c);
      const h = f32x4.mul(v128.load(gain + bytes(c)), v128.load(gradient + to));
      let value = f32x4.mul(scales, f32x4.sub(h, f32x4.mul(v128.load(input + to), shrink)));
      if (accumulate) value = f32x4.add(value, v128.load(output + to));
      storeUpTo(output + to, value, width - c);
    }
  }
}

/** The sum of input times gain times gradient over a row. */
function sumProducts(input: usize, gain: usize, gradient: usize, width: i32): f32 {
  let sum = f32x4.splat(0);
  for (let c = 0; c < width; c += 4) {
    const at = bytes(c);
    const h = f32x4.mul(v128.load(gain + at), v128.load(gradient + at));
    sum = f32x4.add(sum, keepUpTo(f32x4.mul(h, v128.load(input + at)), width - c));
  }
  return sumLanes(sum);
}

/**
 * rms_norm_backward_parameters: partial sums of gradient times input times scale.
 *
 * Items      chunks x groups of 16 columns, groups innermost
 */
export function rms_norm_backward_parameters(
  args: usize,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const input = address(args, 0),
    statistics = address(args, 1),
    gradient = address(args, 2);
  const gain = address(args, 3);
  const rows = whole(args, 4),
    width = whole(args, 5),
    chunk = whole(args, 6);
  const groups = (width + GROUP - 1) / GROUP,
    stride = bytes(width);
  for (let item = first; item < last; item++) {
    const line = item / groups,
      column = (item % groups) * GROUP,
      start = line * chunk;
    const height = min(chunk, rows - start),
      end = min(width, column + GROUP);
    for (let c = column; c < end; c += 8) {
      const from = stride * start + bytes(c);
      sumColumns(
        input + from,
        statistics + bytes(start),
        gradient + from,
        stride,
        height,
        gain + stride * line + bytes(c),
        width - c,
      );
    }
  }
}

/** Eight columns, `left` columns in front of the end. */
function sumColumns(
  input: usize,
  state: usize,
  gradient: usize,
  stride: usize,
  rows: i32,
  to: usize,
  left: i32,
): void {
  let s0 = f32x4.splat(0),
    s1 = s0;
  for (let r = 0; r < rows; r++, input += stride, gradient += stride, state += 4) {
    const scale = v128.load_splat<f32>(state);
    s0 = madd(v128.load(gradient), f32x4.mul(v128.load(input), scale), s0);
    s1 = madd(v128.load(gradient, 16), f32x4.mul(v128.load(input, 16), scale), s1);
  }
  storeUpTo(to, s0, left);
  storeUpTo(to + 16, s1, left - 4);
}

import { address, bytes, whole } from './arguments';
import { BLOCK, storeUpTo } from './rows';
import { madd, sigmoid4 } from './simd';

/** sqrt(8 / pi): the tanh form of GELU as x * sigmoid(z). */
const SLOPE: f32 = 1.5957691216057308;
const CUBIC: f32 = 0.044715;

/**
 * position_forward: output[r] = input[r] + table[r % sequence].
 *
 * Items      rows
 * Arguments  input, table, output, width, sequence
 */
export function position_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    table = address(args, 1),
    output = address(args, 2);
  const width = whole(args, 3),
    sequence = whole(args, 4);
  for (let row = first; row < last; row++) {
    const at = bytes(width) * row,
      place = table + bytes(width) * (row % sequence);
    for (let c = 0; c < width; c += 4) {
      const sum = f32x4.add(v128.load(input + at + bytes(c)), v128.load(place + bytes(c)));
      storeUpTo(output + at + bytes(c), sum, width - c);
    }
  }
}

/** sigmoid(SLOPE (x + CUBIC x^3)) in four lanes. */
function gate4(x: v128, squares: v128): v128 {
  const one = f32x4.splat(1);
  const curve = madd(squares, f32x4.splat(CUBIC), one);
  return sigmoid4(f32x4.mul(f32x4.mul(x, f32x4.splat(SLOPE)), curve));
}

/** s + x s (1 - s) SLOPE (1 + 3 CUBIC x^2) with s = gate(x), in four lanes. */
function slope4(x: v128): v128 {
  const one = f32x4.splat(1),
    squares = f32x4.mul(x, x),
    s = gate4(x, squares);
  const curve = madd(squares, f32x4.splat(SLOPE * 3 * CUBIC), f32x4.splat(SLOPE));
  return f32x4.mul(s, madd(f32x4.mul(x, f32x4.sub(one, s)), curve, one));
}

/**
 * gelu_forward: y = x gate(x).
 *
 * Items      blocks of 256 elements
 * Arguments  input, output, count
 */
export function gelu_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    output = address(args, 1);
  const end = min(whole(args, 2), last * BLOCK);
  for (let i = first * BLOCK; i < end; i += 4) {
    const x = v128.load(input + bytes(i));
    storeUpTo(output + bytes(i), f32x4.mul(x, gate4(x, f32x4.mul(x, x))), end - i);
  }
}

/**
 * gelu_backward: dx (+)= dy (s + x s (1 - s) SLOPE (1 + 3 CUBIC x^2)) with s = gate(x).
 *
 * Items      blocks of 256 elements
 * Arguments  input, gradient, gradient of the input, count, whether that is added to
 */
export function gelu_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    gradient = address(args, 1),
    output = address(args, 2);
  const end = min(whole(args, 3), last * BLOCK),
    accumulate = whole(args, 4) != 0;
  for (let i = first * BLOCK; i < end; i += 4) {
    const at = bytes(i);
    let value = f32x4.mul(v128.load(gradient + at), slope4(v128.load(input + at)));
    if (accumulate) value = f32x4.add(value, v128.load(output + at));
    storeUpTo(output + at, value, end - i);
  }
}

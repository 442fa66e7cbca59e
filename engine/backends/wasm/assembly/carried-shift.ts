import { address, bytes, whole } from './arguments';
import { storeUpTo } from './rows';
import { madd } from './simd';

/**
 * clear_sequences: zero for the rows whose sequence begins.
 *
 * Items      rows of all time steps
 */
export function clear_sequences(args: usize, first: i32, last: i32, scratch: usize): void {
  const batch = whole(args, 3),
    stride = bytes(whole(args, 4));
  for (let row = first; row < last; row++) {
    if (!load<u32>(address(args, 0) + bytes(row % batch))) continue;
    memory.fill(address(args, 1) + stride * row, 0, stride);
  }
}

/**
 * last_tokens: the last token of each sequence.
 *
 * Items      sequences
 */
export function last_tokens(args: usize, first: i32, last: i32, scratch: usize): void {
  const stride = bytes(whole(args, 3)),
    sequence = <usize>whole(args, 4);
  for (let row = first; row < last; row++) {
    const from = address(args, 0) + stride * ((<usize>row + 1) * sequence - 1);
    memory.copy(address(args, 1) + stride * row, from, stride);
  }
}

/**
 * carried_shift_forward: output of the first token of a sequence += (1 - mix) previous.
 *
 * Items      sequences
 */
export function carried_shift_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const width = whole(args, 4),
    sequence = <usize>whole(args, 5),
    stride = bytes(width);
  const one = f32x4.splat(1);
  for (let row = first; row < last; row++) {
    const previous = address(args, 0) + stride * row,
      output = address(args, 2) + stride * (<usize>row * sequence);
    for (let c = 0; c < width; c += 4) {
      const at = bytes(c);
      const share = f32x4.sub(one, v128.load(address(args, 1) + at));
      const sum = madd(share, v128.load(previous + at), v128.load(output + at));
      storeUpTo(output + at, sum, width - c);
    }
  }
}

/**
 * carried_shift_backward: change = -previous times the gradient of a sequence's first token.
 *
 * Items      sequences
 */
export function carried_shift_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const width = whole(args, 4),
    sequence = <usize>whole(args, 5),
    stride = bytes(width);
  for (let row = first; row < last; row++) {
    const previous = address(args, 0) + stride * row,
      gradient = address(args, 1) + stride * (<usize>row * sequence);
    for (let c = 0; c < width; c += 4) {
      const at = bytes(c);
      const product = f32x4.mul(v128.load(previous + at), v128.load(gradient + at));
      storeUpTo(address(args, 2) + stride * row + at, f32x4.neg(product), width - c);
    }
  }
}

import { address, bytes, whole } from './arguments';
import { BLOCK, keepUpTo, storeUpTo } from './rows';
import { exp4, madd, sumLanes } from './simd';

/** The share of the direct path. */
function shareOf(mix: usize): f32 {
  return <f32>1 / (<f32>1 + f32x4.extract_lane(exp4(f32x4.splat(-load<f32>(mix))), 0));
}

/**
 * readout_mix_forward: s direct + (1 - s) deep with s = sigmoid(mix).
 *
 * Items      blocks of 256 elements
 */
export function readout_mix_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const direct = address(args, 0),
    deep = address(args, 1),
    output = address(args, 3);
  const share = shareOf(address(args, 2)),
    end = min(whole(args, 4), last * BLOCK);
  const s = f32x4.splat(share),
    rest = f32x4.splat(<f32>1 - share);
  for (let i = first * BLOCK; i < end; i += 4) {
    const at = bytes(i);
    const mixed = madd(s, v128.load(direct + at), f32x4.mul(rest, v128.load(deep + at)));
    storeUpTo(output + at, mixed, end - i);
  }
}

/**
 * readout_mix_backward: the gradient, s times for the direct path and 1 - s times for the deep one.
 *
 * Items      blocks of 256 elements
 */
export function readout_mix_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const share = shareOf(address(args, 0)),
    gradient = address(args, 1),
    count = whole(args, 4);
  scaleInto(gradient, address(args, 2), share, first, last, count, whole(args, 5) != 0);
  scaleInto(gradient, address(args, 3), <f32>1 - share, first, last, count, whole(args, 6) != 0);
}

function scaleInto(
  from: usize,
  to: usize,
  factor: f32,
  first: i32,
  last: i32,
  count: i32,
  accumulate: bool,
): void {
  const end = min(count, last * BLOCK),
    factors = f32x4.splat(factor);
  for (let i = first * BLOCK; i < end; i += 4) {
    const at = bytes(i);
    let value = f32x4.mul(factors, v128.load(from + at));
    if (accumulate) value = f32x4.add(value, v128.load(to + at));
    storeUpTo(to + at, value, end - i);
  }
}

/**
 * readout_mix_backward_mix: partial sums of s (1 - s) gradient (direct - deep).
 *
 * Items      chunks
 */
export function readout_mix_backward_mix(args: usize, first: i32, last: i32, scratch: usize): void {
  const direct = address(args, 0),
    deep = address(args, 1),
    share = shareOf(address(args, 2));
  const gradient = address(args, 3),
    partial = address(args, 4);
  const count = whole(args, 5),
    chunk = whole(args, 6);
  const slope = share * (<f32>1 - share);
  for (let item = first; item < last; item++) {
    const start = item * chunk,
      end = min(count, start + chunk);
    let sum = f32x4.splat(0);
    for (let i = start; i < end; i += 4) {
      const at = bytes(i);
      const difference = f32x4.sub(v128.load(direct + at), v128.load(deep + at));
      sum = f32x4.add(sum, keepUpTo(f32x4.mul(v128.load(gradient + at), difference), end - i));
    }
    store<f32>(partial + bytes(item), slope * sumLanes(sum));
  }
}

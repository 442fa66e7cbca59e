import { address, bytes, real, whole } from './arguments';
import { BLOCK, storeUpTo } from './rows';

/**
 * fill: writes one value everywhere.
 *
 * Items      blocks of 256 elements
 * Arguments  target, count, value
 */
export function fill(args: usize, first: i32, last: i32, scratch: usize): void {
  const target = address(args, 0),
    value = f32x4.splat(real(args, 2));
  const end = min(whole(args, 1), last * BLOCK);
  for (let i = first * BLOCK; i < end; i += 4) storeUpTo(target + bytes(i), value, end - i);
}

/**
 * add: target += addend.
 *
 * Items      blocks of 256 elements
 * Arguments  addend, target, count
 */
export function add(args: usize, first: i32, last: i32, scratch: usize): void {
  const addend = address(args, 0),
    target = address(args, 1);
  const end = min(whole(args, 2), last * BLOCK);
  for (let i = first * BLOCK; i < end; i += 4) {
    const at = bytes(i);
    storeUpTo(target + at, f32x4.add(v128.load(target + at), v128.load(addend + at)), end - i);
  }
}

/**
 * copy: target = source, words of any kind.
 *
 * Items      blocks of 256 words
 * Arguments  source, target, count
 */
export function copy(args: usize, first: i32, last: i32, scratch: usize): void {
  const start = first * BLOCK,
    end = min(whole(args, 2), last * BLOCK);
  memory.copy(address(args, 1) + bytes(start), address(args, 0) + bytes(start), bytes(end - start));
}

/**
 * sum_steps: target (+)= factor times the sum over time steps. The factor is 1 / steps for the mean.
 *
 * Items      blocks of 256 elements of one step
 * Arguments  source, target, count, steps, factor, whether the target is added to
 */
export function sum_steps(args: usize, first: i32, last: i32, scratch: usize): void {
  const source = address(args, 0),
    target = address(args, 1),
    count = whole(args, 2);
  const steps = whole(args, 3),
    factor = f32x4.splat(real(args, 4)),
    accumulate = whole(args, 5) != 0;
  const end = min(count, last * BLOCK),
    step = bytes(count);
  for (let i = first * BLOCK; i < end; i += 4) {
    let from = source + bytes(i);
    let sum = v128.load(from);
    for (let t = 1; t < steps; t++) {
      from += step;
      sum = f32x4.add(sum, v128.load(from));
    }
    sum = f32x4.mul(sum, factor);
    if (accumulate) sum = f32x4.add(sum, v128.load(target + bytes(i)));
    storeUpTo(target + bytes(i), sum, end - i);
  }
}

/**
 * mean_steps_backward: every time step of the target (+)= gradient / steps.
 *
 * Items      blocks of 256 elements of one step
 * Arguments  gradient, target, count, steps, 1 / steps, whether the target is added to
 */
export function mean_steps_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const gradient = address(args, 0),
    target = address(args, 1),
    count = whole(args, 2);
  const steps = whole(args, 3),
    factor = f32x4.splat(real(args, 4)),
    accumulate = whole(args, 5) != 0;
  const start = first * BLOCK,
    end = min(count, last * BLOCK);
  for (let t = 0; t < steps; t++) {
    const to = target + bytes(count) * t;
    for (let i = start; i < end; i += 4) {
      const at = bytes(i);
      let value = f32x4.mul(v128.load(gradient + at), factor);
      if (accumulate) value = f32x4.add(value, v128.load(to + at));
      storeUpTo(to + at, value, end - i);
    }
  }
}

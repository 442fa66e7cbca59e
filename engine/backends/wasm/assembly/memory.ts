import { address, bytes, real, whole } from './arguments';
import { BLOCK, loadUpTo, storeUpTo } from './rows';

/**
 * fill: writes one value everywhere.
 *
 * Items      blocks of 256 elements
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
 */
export function copy(args: usize, first: i32, last: i32, scratch: usize): void {
  const start = first * BLOCK,
    end = min(whole(args, 2), last * BLOCK);
  memory.copy(address(args, 1) + bytes(start), address(args, 0) + bytes(start), bytes(end - start));
}

/**
 * sum_steps: target (+)= the sum over time steps.
 *
 * Items      blocks of 256 elements of one step
 */
export function sum_steps(args: usize, first: i32, last: i32, scratch: usize): void {
  sumSteps(args, first, last, 1, whole(args, 4) != 0);
}

/**
 * mean_steps_forward: target = the mean over time steps.
 *
 * Items      blocks of 256 elements of one step
 */
export function mean_steps_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  sumSteps(args, first, last, reciprocal(whole(args, 3)), false);
}

/** 1 / steps, rounded once. */
function reciprocal(steps: i32): f32 {
  return <f32>(1.0 / <f64>steps);
}

function sumSteps(args: usize, first: i32, last: i32, by: f32, accumulate: bool): void {
  const source = address(args, 0),
    target = address(args, 1),
    count = whole(args, 2),
    steps = whole(args, 3),
    factor = f32x4.splat(by);
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
 */
export function mean_steps_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const gradient = address(args, 0),
    target = address(args, 1),
    count = whole(args, 2);
  const steps = whole(args, 3),
    factor = f32x4.splat(reciprocal(steps)),
    accumulate = whole(args, 4) != 0;
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

/**
 * hold_steps_forward: each step some times after one another.
 *
 * Items      steps of the source
 */
export function hold_steps_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const step = bytes(whole(args, 2)),
    hold = whole(args, 4);
  for (let item = first; item < last; item++) {
    const from = address(args, 0) + step * item;
    let to = address(args, 1) + step * item * hold;
    for (let k = 0; k < hold; k++, to += step) memory.copy(to, from, step);
  }
}

/**
 * hold_steps_backward: the sums over the steps that each step became.
 *
 * Items      steps of the target
 */
export function hold_steps_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const count = whole(args, 2),
    hold = whole(args, 4),
    accumulate = whole(args, 5) != 0;
  for (let item = first; item < last; item++) {
    const from = address(args, 0) + bytes(count) * item * hold,
      to = address(args, 1) + bytes(count) * item;
    for (let i = 0; i < count; i += 4) {
      const left = count - i;
      let sum = accumulate ? loadUpTo(to + bytes(i), left) : f32x4.splat(0);
      for (let k = 0; k < hold; k++) {
        sum = f32x4.add(sum, loadUpTo(from + bytes(count) * k + bytes(i), left));
      }
      storeUpTo(to + bytes(i), sum, left);
    }
  }
}

/**
 * copy_rows: rows of sequences to rows of other sequences, over all time steps.
 *
 * Items      sequences of all steps
 * Arguments  source, target, sequences of the source, words copied of each, words of a source sequence,
 *            words in front there, the same two of the target, whether the target is added to
 */
export function copy_rows(args: usize, first: i32, last: i32, scratch: usize): void {
  const kept = whole(args, 2),
    count = whole(args, 3),
    accumulate = whole(args, 8) != 0;
  for (let sequence = first; sequence < last; sequence++) {
    const from =
      address(args, 0) + bytes(whole(args, 4)) * (sequence % kept) + bytes(whole(args, 5));
    const to = address(args, 1) + bytes(whole(args, 6)) * sequence + bytes(whole(args, 7));
    if (accumulate) addWords(from, to, count);
    else memory.copy(to, from, bytes(count));
  }
}

function addWords(from: usize, to: usize, count: i32): void {
  for (let i = 0; i < count; i += 4) {
    const at = bytes(i);
    storeUpTo(to + at, f32x4.add(v128.load(to + at), v128.load(from + at)), count - i);
  }
}

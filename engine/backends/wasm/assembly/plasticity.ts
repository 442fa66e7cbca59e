import { address, bytes, real, whole } from './arguments';
import { BLOCK, loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';

/** Four lanes of ones where the lowest four bits are set. */
export function laneMask(bits: u32): v128 {
  return i32x4.ne(v128.and(i32x4.splat(bits), i32x4(1, 2, 4, 8)), i32x4.splat(0));
}

/**
 * spike_trace: what is left of spikes.
 *
 *   x = decay x + increment s; a trace that saturates is set to the increment by a spike
 *
 * Items      words of spikes, rows x ceil(width / 32)
 */
export function spike_trace(args: usize, first: i32, last: i32, scratch: usize): void {
  const spikes = address(args, 0),
    trace = address(args, 1),
    width = whole(args, 3);
  const decay = f32x4.splat(real(args, 4)),
    increment = f32x4.splat(real(args, 5)),
    saturates = whole(args, 6) != 0;
  const words = (width + 31) >> 5;
  for (let item = first; item < last; item++) {
    const start = (item % words) << 5;
    const from = trace + bytes(width) * (item / words) + bytes(start);
    const word = load<u32>(spikes + bytes(item)),
      count = min(32, width - start);
    for (let n = 0; n < count; n += 4) {
      const at = from + bytes(n),
        fired = laneMask(word >> n);
      const old = loadUpTo(at, count - n);
      const kept = saturates ? v128.andnot(old, fired) : old;
      storeUpTo(at, madd(decay, kept, v128.and(increment, fired)), count - n);
    }
  }
}

/**
 * reward_update: weights follow the eligibility when the reward is not what was expected.
 *
 *   w += rate (reward - baseline) c      c = decay c
 *
 * Items      blocks of 256 synapses
 */
export function reward_update(args: usize, first: i32, last: i32, scratch: usize): void {
  const reward = address(args, 0),
    eligibility = address(args, 1),
    weight = address(args, 2);
  const decay = f32x4.splat(real(args, 4)),
    low = f32x4.splat(real(args, 6)),
    high = f32x4.splat(real(args, 7));
  const rate = f32x4.splat(real(args, 5) * (load<f32>(reward) - load<f32>(reward, 4)));
  const end = min(whole(args, 3), last * BLOCK);
  for (let k = first * BLOCK; k < end; k += 4) {
    const at = bytes(k),
      left = end - k;
    const c = loadUpTo(eligibility + at, left);
    const w = madd(rate, c, loadUpTo(weight + at, left));
    storeUpTo(weight + at, f32x4.max(low, f32x4.min(high, w)), left);
    storeUpTo(eligibility + at, f32x4.mul(decay, c), left);
  }
}

/**
 * bcm_update: the rule of Bienenstock, Cooper and Munro for the synapses of sources that fired.
 *
 *   w += rate y (y - theta)
 *
 * Items      words of spikes of the sources
 */
export function bcm_update(args: usize, first: i32, last: i32, scratch: usize): void {
  const spikes = address(args, 0),
    activity = address(args, 1),
    threshold = address(args, 2);
  const rowStart = address(args, 3),
    target = address(args, 4),
    weight = address(args, 5);
  const post = whole(args, 7),
    rate = real(args, 8),
    low = real(args, 9),
    high = real(args, 10);
  const isSparse = rowStart != 0;
  for (let item = first; item < last; item++) {
    for (let word = load<u32>(spikes + bytes(item)); word != 0; word &= word - 1) {
      const i = (item << 5) + <i32>ctz(word);
      const start = isSparse ? load<i32>(rowStart + bytes(i)) : i * post;
      const end = isSparse ? load<i32>(rowStart + bytes(i + 1)) : start + post;
      for (let k = start; k < end; k++) {
        const j = bytes(isSparse ? load<i32>(target + bytes(k)) : k - start);
        const y = load<f32>(activity + j);
        const w = load<f32>(weight + bytes(k)) + rate * y * (y - load<f32>(threshold + j));
        store<f32>(weight + bytes(k), max(low, min(high, w)));
      }
    }
  }
}

/**
 * bcm_threshold: the threshold slides with the square of the activity.
 *
 *   theta += (y^2 / setpoint - theta) rate
 *
 * Items      blocks of 256 targets
 * Arguments  those of its row, then 1 / setpoint
 */
export function bcm_threshold(args: usize, first: i32, last: i32, scratch: usize): void {
  const activity = address(args, 0),
    threshold = address(args, 1);
  const factor = f32x4.splat(real(args, 5)),
    rate = f32x4.splat(real(args, 4));
  const end = min(whole(args, 2), last * BLOCK);
  for (let j = first * BLOCK; j < end; j += 4) {
    const at = bytes(j),
      left = end - j;
    const y = loadUpTo(activity + at, left),
      theta = loadUpTo(threshold + at, left);
    const away = f32x4.sub(f32x4.mul(f32x4.mul(y, y), factor), theta);
    storeUpTo(threshold + at, madd(away, rate, theta), left);
  }
}

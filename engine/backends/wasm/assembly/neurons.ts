import {
  SpikeCount,
  SURROGATE_ATAN,
  SURROGATE_FAST_SIGMOID,
  SURROGATE_SIGMOID,
} from './generated/arguments';
import { bytes } from './bytes';
import { madd, sigmoid4 } from './simd';

const WORD: i32 = 32;

/** Steepness of the fast sigmoid and of the sigmoid. */
const SLOPE: f32 = 25;
const TRIANGLE_HEIGHT: f32 = 0.3;

/** One time step of four neurons: decay, current and the reset of those that fired the step before. */
export function integrate(membrane: v128, current: v128, beta: v128, threshold: v128): v128 {
  const reset = v128.and(f32x4.gt(membrane, threshold), threshold);
  return f32x4.sub(madd(beta, membrane, current), reset);
}

/** The slope that stands in for the derivative of a spike at x = membrane - threshold. */
export function slopeAt(x: v128, surrogate: i32): v128 {
  const one = f32x4.splat(1);
  if (surrogate == SURROGATE_ATAN) {
    const y = f32x4.mul(x, f32x4.splat(<f32>Math.PI));
    return f32x4.div(one, madd(y, y, one));
  }
  if (surrogate == SURROGATE_FAST_SIGMOID) {
    const y = madd(f32x4.splat(SLOPE), f32x4.abs(x), one);
    return f32x4.div(one, f32x4.mul(y, y));
  }
  if (surrogate == SURROGATE_SIGMOID) {
    const s = sigmoid4(f32x4.mul(x, f32x4.splat(SLOPE)));
    return f32x4.mul(f32x4.splat(SLOPE), f32x4.mul(s, f32x4.sub(one, s)));
  }
  return f32x4.mul(
    f32x4.splat(TRIANGLE_HEIGHT),
    f32x4.max(f32x4.splat(0), f32x4.sub(one, f32x4.abs(x))),
  );
}

/**
 * spike_count: adds the spikes of every neuron to its counter.
 *
 * Items      words of a row of spikes
 */
export function spike_count(args: SpikeCount, first: i32, last: i32): void {
  const spikes = args.spikesAt,
    counts = args.countsAt;
  const rows = args.rows,
    width = args.width;
  const words = (width + WORD - 1) / WORD;
  for (let word = first; word < last; word++) {
    const to = counts + bytes(word * WORD);
    for (let row = 0; row < rows; row++) {
      let bits = load<u32>(spikes + bytes(words) * row + bytes(word));
      while (bits) {
        const at = to + bytes(<i32>ctz(bits));
        store<u32>(at, load<u32>(at) + 1);
        bits &= bits - 1;
      }
    }
  }
}

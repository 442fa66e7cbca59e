import { address, bytes, real, whole } from './arguments';
import { madd, storeSome } from './simd';

/**
 * lif_membrane_backward: carries the gradient of membranes back through the leak; the reset is detached.
 *
 *   d[t] = g[t] + beta d[t+1]      dI[t] = d[t]; where the current is held, their sum
 *
 * Items      groups of four neurons, ceil(rows x width / 4)
 * Arguments  those of its row, then rows x width, whether the current is held
 */
export function lif_membrane_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const gradient = address(args, 0),
    output = address(args, 1),
    steps = whole(args, 2);
  const neurons = whole(args, 7),
    isHeld = whole(args, 8) != 0,
    beta = f32x4.splat(real(args, 6));
  const step = bytes(neurons);
  for (let item = first; item < last; item++) {
    const at = bytes(item << 2),
      count = min(4, neurons - (item << 2));
    let d = f32x4.splat(0),
      sum = d;
    for (let t = steps - 1; t >= 0; t--) {
      d = madd(beta, d, v128.load(gradient + step * t + at));
      if (isHeld) sum = f32x4.add(sum, d);
      else storeFew(output + step * t + at, d, count);
    }
    if (isHeld) storeFew(output + at, sum, count);
  }
}

/**
 * membrane_spike_count: in how many time steps each neuron fired, read off its membranes.
 *
 * Items      groups of four neurons, ceil(rows x width / 4)
 * Arguments  those of its row, then rows x width
 */
export function membrane_spike_count(args: usize, first: i32, last: i32, scratch: usize): void {
  const membrane = address(args, 0),
    counts = address(args, 1),
    steps = whole(args, 2);
  const neurons = whole(args, 6),
    threshold = f32x4.splat(real(args, 5));
  const step = bytes(neurons);
  for (let item = first; item < last; item++) {
    const at = bytes(item << 2);
    let count = i32x4.splat(0);
    for (let t = 0; t < steps; t++) {
      // A lane that fired is minus one.
      count = i32x4.sub(count, f32x4.gt(v128.load(membrane + step * t + at), threshold));
    }
    storeFew(counts + at, count, min(4, neurons - (item << 2)));
  }
}

/** Stores all four lanes or, at the end of a tensor, the first `count`. */
function storeFew(at: usize, lanes: v128, count: i32): void {
  if (count == 4) v128.store(at, lanes);
  else storeSome(at, lanes, count);
}

import { address, bytes, whole } from './arguments';
import { BLOCK, loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';

const LANES: i32 = 4;
/** The resets, as numbered by nir-binders.ts. */
const NONE: i32 = 0;
const VALUE: i32 = 1;
const SUBTRACT: i32 = 2;

/**
 * integrate_fire: leaky integrate-and-fire neurons with parameters of their own, from a membrane that is
 * carried along.
 *
 *   u[t] = decay v[t-1] + (gain x[t] + drift)      s[t] = 1 if u[t] > threshold else 0
 *
 * and v[t] is u[t] after its reset. Where the reset is delayed, it is taken off u[t + 1] instead.
 *
 * Items      groups of four neurons of a row, rows x ceil(width / 4)
 */
export function integrate_fire(args: usize, first: i32, last: i32, scratch: usize): void {
  const drive = address(args, 0),
    parameters = address(args, 1),
    membrane = address(args, 2),
    output = address(args, 3);
  const steps = whole(args, 4),
    rows = whole(args, 5),
    width = whole(args, 6),
    mode = whole(args, 7);
  const groups = (width + LANES - 1) / LANES,
    step = bytes(rows) * width;
  for (let item = first; item < last; item++) {
    const row = item / groups,
      n = (item - row * groups) * LANES,
      left = width - n;
    const at = bytes(row) * width + bytes(n),
      table = parameters + bytes(n);
    const decay = loadUpTo(table, left),
      gain = loadUpTo(table + bytes(width), left),
      drift = loadUpTo(table + bytes(width) * 2, left),
      threshold = loadUpTo(table + bytes(width) * 3, left),
      reset = loadUpTo(table + bytes(width) * 4, left);
    let v = loadUpTo(membrane + at, left);
    for (let t = 0; t < steps; t++) {
      const x = loadUpTo(drive + step * t + at, left);
      let u = madd(decay, v, madd(gain, x, drift));
      if (mode == NONE) {
        storeUpTo(output + step * t + at, u, left);
        v = u;
        continue;
      }
      if (mode > SUBTRACT) u = f32x4.sub(u, v128.and(f32x4.gt(v, threshold), reset));
      const fires = f32x4.gt(u, threshold);
      storeUpTo(output + step * t + at, v128.and(fires, f32x4.splat(1)), left);
      if (mode == VALUE) v = v128.bitselect(reset, u, fires);
      else if (mode == SUBTRACT) v = f32x4.sub(u, v128.and(fires, reset));
      else v = u;
    }
    storeUpTo(membrane + at, v, left);
  }
}

/**
 * delay_features: each feature comes out as many steps later as its delay says, across plays.
 *
 *   output[t] = input[t - delay]; what lies before this play is in `past`, the oldest step first
 *
 * Items      blocks of 256 elements of one step
 * Arguments  those of its row, then rows x width
 */
export function delay_features(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    delays = address(args, 1),
    past = address(args, 2),
    output = address(args, 3);
  const steps = whole(args, 4),
    count = whole(args, 8),
    width = whole(args, 6),
    depth = whole(args, 7);
  const end = min(count, last * BLOCK),
    step = bytes(count);
  for (let i = first * BLOCK; i < end; i++) {
    const delay = load<i32>(delays + bytes(i % width)),
      at = bytes(i);
    for (let t = 0; t < steps; t++) {
      const from = t >= delay ? input + step * (t - delay) : past + step * (t - delay + depth);
      store<f32>(output + step * t + at, load<f32>(from + at));
    }
    // Overwritten entries are older than those that are read next.
    for (let k = 0; k < depth; k++) {
      const from =
        k + steps >= depth ? input + step * (k + steps - depth) : past + step * (k + steps);
      store<f32>(past + step * k + at, load<f32>(from + at));
    }
  }
}

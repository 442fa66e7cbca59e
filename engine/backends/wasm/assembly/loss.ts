import { address, bytes, whole } from './arguments';
import { keepUpTo, storeUpTo, sumRow } from './rows';
import { exp4, sumLanes } from './simd';

const LOWEST: f32 = -3.4e38;

/**
 * cross_entropy_forward: the negative log-likelihood of each row's target, in nats, times its weight.
 *
 * Items      rows
 */
export function cross_entropy_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const logits = address(args, 0),
    targets = address(args, 1);
  const losses = address(args, 2),
    scale = address(args, 3),
    width = whole(args, 6),
    weights = address(args, 4);
  for (let row = first; row < last; row++) {
    const weight = weightOf(weights, row);
    const from = logits + bytes(width) * row;
    const largest = largestOf(from, width);
    const total = largest + Mathf.log(sumOfPowers(from, width, largest));
    const target = min(load<u32>(targets + bytes(row)), <u32>width - 1);
    store<f32>(scale + bytes(row), total);
    store<f32>(losses + bytes(row), weight * (total - load<f32>(from + ((<usize>target) << 2))));
  }
}

/** Weight of a row: 1 without weights. */
function weightOf(weights: usize, row: i32): f32 {
  return weights ? load<f32>(weights + bytes(row)) : 1;
}

export function largestOf(from: usize, width: i32): f32 {
  let most = f32x4.splat(LOWEST);
  let left = width;
  for (; left >= 4; left -= 4, from += 16) most = f32x4.max(most, v128.load(from));
  let largest = max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
  for (; left > 0; left--, from += 4) largest = max(largest, load<f32>(from));
  return largest;
}

function sumOfPowers(from: usize, width: i32, largest: f32): f32 {
  const shift = f32x4.splat(largest);
  let s0 = f32x4.splat(0),
    s1 = s0;
  let left = width;
  for (; left >= 8; left -= 8, from += 32) {
    s0 = f32x4.add(s0, exp4(f32x4.sub(v128.load(from), shift)));
    s1 = f32x4.add(s1, exp4(f32x4.sub(v128.load(from, 16), shift)));
  }
  for (; left > 0; left -= 4, from += 16) {
    s0 = f32x4.add(s0, keepUpTo(exp4(f32x4.sub(v128.load(from), shift)), left));
  }
  return sumLanes(f32x4.add(s0, s1));
}

/**
 * cross_entropy_backward: the gradient of the mean loss, weight (exp(logits - scale) - [target]) / rows.
 *
 * Items      rows
 */
export function cross_entropy_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const logits = address(args, 0),
    targets = address(args, 1),
    scale = address(args, 2);
  const output = address(args, 3),
    rows = whole(args, 5),
    width = whole(args, 6),
    weights = address(args, 4);
  for (let row = first; row < last; row++) {
    const factor = weightOf(weights, row) / <f32>rows,
      factors = f32x4.splat(factor);
    const from = logits + bytes(width) * row,
      to = output + bytes(width) * row;
    const shift = v128.load_splat<f32>(scale + bytes(row));
    for (let c = 0; c < width; c += 4) {
      const power = exp4(f32x4.sub(v128.load(from + bytes(c)), shift));
      storeUpTo(to + bytes(c), f32x4.mul(power, factors), width - c);
    }
    const hit = to + ((<usize>min(load<u32>(targets + bytes(row)), <u32>width - 1)) << 2);
    store<f32>(hit, load<f32>(hit) - factor);
  }
}

/**
 * mean_loss: the mean of the rows' losses, into the slot of the history that the clock names.
 *
 * Items      1
 */
export function mean_loss(args: usize, first: i32, last: i32, scratch: usize): void {
  const losses = address(args, 0),
    clock = address(args, 1),
    history = address(args, 2);
  const rows = whole(args, 3),
    slot = load<u32>(clock, 4) % <u32>whole(args, 4);
  store<f32>(history + ((<usize>slot) << 2), sumRow(losses, rows) / <f32>rows);
}

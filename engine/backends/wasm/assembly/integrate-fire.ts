import { DelayFeatures } from './generated/arguments';
import { BLOCK } from './generated/sizes';
import { bytes } from './bytes';

/**
 * delay_features: each feature comes out as many steps later as its delay says, across plays.
 *
 *   output[t] = input[t - delay]; what lies before this play is in `past`, the oldest step first
 *
 * Items      blocks of 256 elements of one step
 */
export function delay_features(args: DelayFeatures, first: i32, last: i32): void {
  const input = args.inputAt,
    delays = args.delaysAt,
    past = args.pastAt,
    output = args.outputAt;
  const steps = args.steps,
    count = args.rows * args.width,
    width = args.width,
    depth = args.depth;
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

import { RunningMeanForward } from './generated/arguments';
import { bytes } from './bytes';
import { loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';

const FRESH: u32 = 0x80000000;

/**
 * running_mean_forward: the mean of the tokens of a sequence up to each; those that are masked do not count.
 *
 *   mean += rate (input - mean), rate = 1 / n, or 0
 *
 * Items      sequences
 */
export function running_mean_forward(args: RunningMeanForward, first: i32, last: i32): void {
  const width = args.width,
    sequence = args.sequence;
  for (let item = first; item < last; item++) {
    const word = load<u32>(args.slotsAt + bytes(item));
    const state = args.stateAt + bytes(width + 1) * <i32>(word & ~FRESH);
    if (word & FRESH) memory.fill(state, 0, bytes(width + 1));
    for (let row = item * sequence; row < (item + 1) * sequence; row++) {
      const isThere = load<u32>(args.maskAt + bytes(row)) != 0,
        count = load<f32>(state + bytes(width)) + (isThere ? <f32>1 : <f32>0);
      const rate = isThere ? <f32>1 / count : <f32>0;
      store<f32>(state + bytes(width), count);
      store<f32>(args.ratesAt + bytes(row), rate);
      const line = bytes(width) * row;
      for (let n = 0; n < width; n += 4) {
        const at = bytes(n),
          left = width - n,
          old = loadUpTo(state + at, left);
        const step = f32x4.sub(loadUpTo(args.inputAt + line + at, left), old);
        const mean = madd(f32x4.splat(rate), step, old);
        storeUpTo(state + at, mean, left);
        storeUpTo(args.outputAt + line + at, mean, left);
      }
    }
  }
}

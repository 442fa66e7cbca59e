import { BcmUpdate } from './generated/arguments';
import { bytes } from './bytes';

/** Four lanes of ones where the lowest four bits are set. */
export function laneMask(bits: u32): v128 {
  return i32x4.ne(v128.and(i32x4.splat(bits), i32x4(1, 2, 4, 8)), i32x4.splat(0));
}

/**
 * bcm_update: the rule of Bienenstock, Cooper and Munro for the synapses of sources that fired.
 *
 *   w += rate y (y - theta)
 *
 * Items      words of spikes of the sources
 */
export function bcm_update(args: BcmUpdate, first: i32, last: i32): void {
  const spikes = args.spikesAt,
    activity = args.activityAt,
    threshold = args.thresholdAt;
  const rowStart = args.rowStartAt,
    target = args.targetAt,
    weight = args.weightAt;
  const post = args.post,
    rate = args.rate,
    low = args.low,
    high = args.high;
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

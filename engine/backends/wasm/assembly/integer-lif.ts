import { IntegerLif } from './generated/arguments';
import { bytes, strideOf } from './bytes';

const WORD: i32 = 32;
const LANES: i32 = 8;
/** A current beyond it saturates the membrane like this one, and its sums fit 32 bits. */
const MOST: i32 = 65536;

/** (V leak >> 8) + I in 32 bits. */
function advance(v: v128, leak: v128, current: v128): v128 {
  const bounded = i32x4.max_s(i32x4.min_s(current, i32x4.splat(MOST)), i32x4.splat(-MOST));
  return i32x4.add(i32x4.shr_s(i32x4.mul(v, leak), 8), bounded);
}

/**
 * integer_lif: eight neurons at a time through all time steps, in int16.
 *
 *   V = clamp_int16((V leak >> 8) + I)      s = 1 if V > threshold, then V = 0
 *
 * Items      words of spikes of one time step, rows x ceil(width / 32)
 */
export function integer_lif(args: IntegerLif, first: i32, last: i32): void {
  const current = args.currentAt,
    membrane = args.membraneAt,
    spikes = args.spikesAt;
  const steps = args.steps,
    rows = args.rows,
    width = args.width,
    stride = bytes(strideOf(args.currentSteps, args.steps, args.rows * args.width));
  const leak = i32x4.splat(args.leak),
    threshold = i16x8.splat(<i16>args.threshold),
    isCarried = args.carried != 0;
  const words = (width + WORD - 1) / WORD,
    strideOut = bytes(rows * words),
    pairs = (width + 1) / 2;
  for (let item = first; item < last; item++) {
    const row = item / words,
      start = (item % words) * WORD;
    for (let group = 0; group < 4; group++) {
      const column = start + group * LANES,
        count = max(0, min(LANES, width - column));
      let to = spikes + bytes(item) + group,
        from = current + bytes(row) * width + bytes(column);
      const state = membrane + bytes(pairs) * row + <usize>column * 2;
      const inside: i32 = (1 << count) - 1;
      let v = isCarried && count ? v128.load(state) : i16x8.splat(0);
      for (let t = 0; t < steps; t++, to += strideOut, from += stride) {
        if (!count) {
          store<u8>(to, 0);
          continue;
        }
        const low = advance(i32x4.extend_low_i16x8_s(v), leak, v128.load(from));
        const high = advance(i32x4.extend_high_i16x8_s(v), leak, v128.load(from, 16));
        v = i16x8.narrow_i32x4_s(low, high);
        const fires = i16x8.gt_s(v, threshold);
        v = v128.andnot(v, fires);
        store<u8>(to, i16x8.bitmask(fires) & inside);
      }
      storeMembranes(state, v, count);
    }
  }
}

/** Stores the first `count` lanes, and zero in the upper half of a word that only has a lower one. */
function storeMembranes(at: usize, v: v128, count: i32): void {
  if (count == LANES) {
    v128.store(at, v);
    return;
  }
  let rest = v;
  for (let n = 0; n < count; n++) {
    store<i16>(at + <usize>n * 2, i16x8.extract_lane_s(rest, 0));
    // The next lane comes to the front.
    rest = i8x16.shuffle(rest, rest, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1);
  }
  if (count & 1) store<i16>(at + <usize>count * 2, 0);
}

import { RandomSpikes } from './generated/arguments';
import { bytes } from './bytes';
import { philox, word0, word1, word2, word3 } from './philox';

/** 2^-24: the upper 24 bits of a word make a number in [0, 1). */
const SHARE: f32 = 5.9604644775390625e-8;

/** Four uniform numbers in [0, 1) from a counter (index, stream, step, 0). */
function draw(index: u32, stream: u32, clock: usize): v128 {
  philox(index, stream, clock);
  let words = i32x4.splat(word0);
  words = i32x4.replace_lane(words, 1, word1);
  words = i32x4.replace_lane(words, 2, word2);
  words = i32x4.replace_lane(words, 3, word3);
  return f32x4.mul(f32x4.convert_i32x4_u(i32x4.shr_u(words, 8)), f32x4.splat(SHARE));
}

/**
 * random_spikes: a spike with the probability given for each neuron.
 *
 * Items      words of spikes, rows x ceil(width / 32)
 */
export function random_spikes(args: RandomSpikes, first: i32, last: i32): void {
  const probabilities = args.probabilitiesAt,
    clock = args.clockAt,
    spikes = args.spikesAt;
  const width = args.width,
    stream = args.stream,
    probabilityRows = args.probabilityRows;
  const words = (width + 31) >> 5,
    quads = (width + 3) >> 2;
  for (let item = first; item < last; item++) {
    const row = item / words,
      start = (item % words) << 5;
    const from = probabilities + bytes(width) * (row % probabilityRows);
    const end = min(width, start + 32);
    let packed: u32 = 0;
    for (let n = start; n < end; n += 4) {
      const wanted = v128.load(from + bytes(n));
      // Most pixels of an image are black, and a draw is most of the work.
      if (!v128.any_true(wanted)) continue;
      const numbers = draw(row * quads + (n >> 2), stream, clock);
      const fires = i32x4.bitmask(f32x4.lt(numbers, wanted));
      const inside = end - n >= 4 ? 15 : (1 << (end - n)) - 1;
      packed |= (fires & inside) << (n - start);
    }
    store<u32>(spikes + bytes(item), packed);
  }
}

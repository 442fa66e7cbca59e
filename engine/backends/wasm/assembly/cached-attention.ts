import { CachedAttention } from './generated/arguments';
import { bytes } from './bytes';
import { largestOf } from './loss';
import { keepUpTo, loadUpTo, storeUpTo, sumRow } from './rows';
import { exp4, madd, sumLanes } from './simd';

/**
 * cached_attention: softmax attention of single tokens to what a cache holds of their sequences.
 *
 * Items      rows x heads
 * Scratch    a score for each place, and three more words
 */
export function cached_attention(
  args: CachedAttention,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const heads = args.heads,
    headWidth = args.headWidth,
    sequence = args.sequence,
    factor = args.factor;
  const width = bytes(heads * headWidth);
  for (let item = first; item < last; item++) {
    const row = item / heads,
      head = bytes((item % heads) * headWidth);
    const cell = load<u32>(args.cellsAt + bytes(row)),
      place = cell % <u32>sequence;
    const keys = args.cacheAt + 2 * width * <usize>(cell - place) + head;
    const query = args.qkvAt + 3 * width * row + head,
      output = args.outputAt + width * row + head;
    const count = <i32>place + 1;
    scoreKeys(query, keys, 2 * width, count, headWidth, factor, scratch);
    normalise(scratch, count);
    sumValues(scratch, keys + width, 2 * width, count, headWidth, output);
  }
}

/** scores[j] = factor query . key[j]. */
function scoreKeys(
  query: usize,
  keys: usize,
  stride: usize,
  count: i32,
  width: i32,
  factor: f32,
  scores: usize,
): void {
  for (let j = 0; j < count; j++, keys += stride) {
    let sum = f32x4.splat(0);
    for (let d = 0; d < width; d += 4) {
      const left = width - d;
      sum = madd(loadUpTo(query + bytes(d), left), loadUpTo(keys + bytes(d), left), sum);
    }
    store<f32>(scores + bytes(j), factor * sumLanes(sum));
  }
}

/** Softmax of a row in place; the lanes behind its end become anything. */
function normalise(row: usize, count: i32): void {
  const shift = f32x4.splat(largestOf(row, count));
  for (let j = 0; j < count; j += 4) {
    const power = exp4(f32x4.sub(v128.load(row + bytes(j)), shift));
    v128.store(row + bytes(j), keepUpTo(power, count - j));
  }
  const scale = f32x4.splat(<f32>1 / sumRow(row, count));
  for (let j = 0; j < count; j += 4) {
    v128.store(row + bytes(j), f32x4.mul(v128.load(row + bytes(j)), scale));
  }
}

/** output = sum_j weights[j] value[j]. */
function sumValues(
  weights: usize,
  values: usize,
  stride: usize,
  count: i32,
  width: i32,
  output: usize,
): void {
  for (let d = 0; d < width; d += 4) {
    const left = width - d;
    let sum = f32x4.splat(0),
      from = values + bytes(d);
    for (let j = 0; j < count; j++, from += stride) {
      sum = madd(v128.load_splat<f32>(weights + bytes(j)), loadUpTo(from, left), sum);
    }
    storeUpTo(output + bytes(d), sum, left);
  }
}

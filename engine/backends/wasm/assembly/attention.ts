import { SpikeAttentionBackwardScores, SpikeAttentionForward } from './generated/arguments';
import { MARGIN, SLAB, TILE_COLUMNS, TILE_ROWS } from './generated/sizes';
import { bytes } from './bytes';
import { gatherBits, scoreRows } from './attention-bits';
import { transposeBits, sumEvents, transpose } from './attention-events';
import { storeUpTo } from './rows';
import { multiplyTile } from './tile';

/*
 * Each item is one head of one sequence at one time step. Its spikes are taken out of the rows of query,
 * key and value into scratch. What is multiplied with spikes is laid out with a column for each token,
 * and its lines are added up where there is a spike, 32 tokens at a time; what lies in the future of all
 * 32 is left out, and factors that are zero keep out the rest of it.
 *
 * The arguments of all but the step end with: sequence, heads, features of a head, words of a row of spikes.
 */

/** Words between the lines of what has a column for each token; the lines of many fall into many sets of the cache. */
export function lineOf(sequence: i32): i32 {
  return ((sequence + 31) & ~31) + MARGIN;
}

/** factors[i - j] for query i and key j: the decay of a head with 32 zeros in front, for i < j. */
export function layOutDecay(decay: usize, sequence: i32, factors: usize): void {
  memory.fill(factors - bytes(SLAB), 0, bytes(SLAB));
  memory.copy(factors, decay, bytes(sequence));
}

/** c[height, width] = a[height, depth] b[depth, width] for at most six rows. Tiles over the edge go through `spill`. */
export function multiplyRows(
  a: usize,
  strideA: usize,
  advanceA: usize,
  height: i32,
  b: usize,
  advanceB: usize,
  depth: i32,
  c: usize,
  strideC: usize,
  width: i32,
  spill: usize,
): void {
  const end = height - 1;
  const a1 = a + strideA * min(1, end);
  const a2 = a + strideA * min(2, end);
  const a3 = a + strideA * min(3, end);
  const a4 = a + strideA * min(4, end);
  const a5 = a + strideA * min(5, end);
  for (let left = width; left > 0; left -= TILE_COLUMNS, b += 32, c += 32) {
    const isWhole = height == TILE_ROWS && left >= TILE_COLUMNS;
    const to = isWhole ? c : spill;
    const stride = isWhole ? strideC : 32;
    multiplyTile(a, a1, a2, a3, a4, a5, advanceA, b, advanceB, depth, to, stride, false);
    if (isWhole) continue;
    for (let r = 0; r < height; r++) {
      const from = spill + 32 * r;
      const row = c + strideC * r;
      storeUpTo(row, v128.load(from), left);
      storeUpTo(row + 16, v128.load(from, 16), left - 4);
    }
  }
}

/**
 * spike_attention_forward: o[i] = sum over j <= i of (q[i] . k[j]) decay[i - j] v[j].
 *
 * Items      steps x batch x heads
 */
export function spike_attention_forward(
  args: SpikeAttentionForward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const qkv = args.qkvAt;
  const decay = args.decayAt;
  const output = args.outputAt;
  const sequence = args.sequence;
  const heads = args.heads;
  const headWidth = args.headWidth;
  const rowBytes = bytes(args.words);
  const width = heads * headWidth;
  const words = (headWidth + 31) >> 5;
  const line = bytes(lineOf(sequence));
  const query = scratch;
  const key = query + line * words;
  const value = key + line * words;
  const factors = value + line * words + bytes(SLAB);
  const scores = factors + line;
  const sums = scores + line * sequence;
  const fired = sums + line * headWidth;
  for (let item = first; item < last; item++) {
    const head = item % heads;
    const start = (item / heads) * sequence;
    const from = qkv + rowBytes * start;
    const bit = head * headWidth;
    gatherBits(from, rowBytes, sequence, bit, headWidth, query, line);
    gatherBits(from, rowBytes, sequence, bit + width, headWidth, key, line);
    gatherBits(from, rowBytes, sequence, bit + 2 * width, headWidth, value, line);
    transposeBits(value, line, sequence, headWidth, fired, bytes(words << 5));
    layOutDecay(decay + bytes(head * sequence), sequence, factors);
    for (let j = 0; j < sequence; j++) {
      const row = scores + line * j;
      clear(row + bytes(j & ~31), row + bytes(j & ~3));
      scoreRows(key + bytes(j), query, line, words, factors - bytes(j), 1, j & ~3, sequence, row);
    }
    sumPast(fired, words, headWidth, scores, line, sequence, sums);
    const to = output + bytes(width) * start + bytes(bit);
    transpose(sums, line, headWidth, sequence, to, bytes(width));
  }
}

/** Zero from `at` to before `end`, four floats at a time. */
function clear(at: usize, end: usize): void {
  for (; at < end; at += 16) v128.store(at, i32x4.splat(0));
}

/** For each feature and token the sum over the tokens up to it that fired: sums[feature, i] of source[j, i]. */
export function sumPast(
  fired: usize,
  words: i32,
  width: i32,
  source: usize,
  line: usize,
  sequence: i32,
  sums: usize,
): void {
  for (let slab = 0; slab << 5 < sequence; slab++) {
    const at = bytes(slab << 5);
    for (let feature = 0; feature < width; feature++) {
      const to = sums + line * feature + at;
      sumEvents(fired + bytes(feature), bytes(words << 5), 0, slab + 1, source + at, line, to);
    }
  }
}

/**
 * spike_attention_backward_scores: ds[i, j] = (g[i] . v[j]) decay[i - j] for j <= i, zero elsewhere.
 *
 * Items      steps x batch x heads
 */
export function spike_attention_backward_scores(
  args: SpikeAttentionBackwardScores,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const qkv = args.qkvAt;
  const decay = args.decayAt;
  const gradient = args.gradientAt;
  const output = args.scoreGradientAt;
  const sequence = args.sequence;
  const heads = args.heads;
  const headWidth = args.headWidth;
  const rowBytes = bytes(args.words);
  const width = heads * headWidth;
  const words = (headWidth + 31) >> 5;
  const line = bytes(lineOf(sequence));
  const value = scratch;
  const factors = value + line * words + bytes(SLAB);
  const scores = factors + line;
  const turned = scores + line * sequence;
  for (let item = first; item < last; item++) {
    const head = item % heads;
    const start = (item / heads) * sequence;
    const bit = head * headWidth;
    const from = gradient + bytes(width) * start + bytes(bit);
    gatherBits(qkv + rowBytes * start, rowBytes, sequence, bit + 2 * width, headWidth, value, line);
    transpose(from, bytes(width), sequence, headWidth, turned, line);
    layOutDecay(decay + bytes(head * sequence), sequence, factors);
    for (let j = 0; j < sequence; j++) {
      const row = scores + line * j;
      scoreGradients(value + bytes(j), line, words, turned, j, sequence, factors - bytes(j), row);
    }
    const to = output + bytes(sequence) * sequence * item;
    transpose(scores, line, sequence, sequence, to, bytes(sequence));
  }
}

/** The gradient of the scores of one key with all queries; zero of those before it. */
function scoreGradients(
  value: usize,
  line: usize,
  words: i32,
  gradient: usize,
  key: i32,
  sequence: i32,
  factors: usize,
  to: usize,
): void {
  for (let i = key & ~31; i < sequence; i += SLAB) {
    sumEvents(value, line, 0, words, gradient + bytes(i), line, to + bytes(i));
  }
  clear(to, to + bytes(key & ~3));
  for (let i = key & ~3; i < sequence; i += 4) {
    const at = bytes(i);
    v128.store(to + at, f32x4.mul(v128.load(to + at), v128.load(factors + at)));
  }
}

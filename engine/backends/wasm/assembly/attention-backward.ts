import { SpikeAttentionBackward } from './generated/arguments';
import { SLAB, TILE_ROWS } from './generated/sizes';
import { bytes } from './bytes';
import { layOutDecay, lineOf, multiplyRows, sumPast } from './attention';
import { gatherBits, scoreRows } from './attention-bits';
import { transposeBits, sumEvents, transpose } from './attention-events';

/**
 * spike_attention_backward: with a[i, j] = (q[i] . k[j]) decay[i - j],
 *
 *   dq[i] = sum_j ds[i, j] k[j]      dk[j] = sum_i ds[i, j] q[i]      dv[j] = sum_i a[i, j] g[i]
 *
 * Items      steps x batch x heads
 */
export function spike_attention_backward(
  args: SpikeAttentionBackward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const qkv = args.qkvAt;
  const gradient = args.gradientAt;
  const output = args.qkvGradientAt;
  const sequence = args.sequence;
  const heads = args.heads;
  const headWidth = args.headWidth;
  const rowBytes = bytes(args.words);
  const width = heads * headWidth;
  const words = (headWidth + 31) >> 5;
  const line = bytes(lineOf(sequence));
  const query = scratch;
  const key = query + line * words;
  const factors = key + line * words + bytes(SLAB);
  const rest = factors + line;
  for (let item = first; item < last; item++) {
    const head = item % heads;
    const start = (item / heads) * sequence;
    const bit = head * headWidth;
    const from = qkv + rowBytes * start;
    gatherBits(from, rowBytes, sequence, bit, headWidth, query, line);
    gatherBits(from, rowBytes, sequence, bit + width, headWidth, key, line);
    layOutDecay(args.decayAt + bytes(head * sequence), sequence, factors);
    const ds = args.scoreGradientAt + bytes(sequence) * sequence * item;
    const g = gradient + bytes(width) * start + bytes(bit);
    const to = output + bytes(3 * width) * start + bytes(bit);
    backQueries(key, ds, sequence, headWidth, to, bytes(3 * width), rest);
    backKeys(query, ds, sequence, headWidth, to + bytes(width), bytes(3 * width), rest);
    backValues(query, key, factors, g, width, sequence, headWidth, to + bytes(2 * width), rest);
  }
}

/** dq[i] = sum over j <= i of ds[i, j] k[j]. */
function backQueries(
  key: usize,
  ds: usize,
  sequence: i32,
  width: i32,
  to: usize,
  stride: usize,
  scratch: usize,
): void {
  const line = bytes(lineOf(sequence));
  const words = (width + 31) >> 5;
  const turned = scratch;
  const sums = turned + line * sequence;
  const fired = sums + line * width;
  transposeBits(key, line, sequence, width, fired, bytes(words << 5));
  transpose(ds, bytes(sequence), sequence, sequence, turned, line);
  sumPast(fired, words, width, turned, line, sequence, sums);
  transpose(sums, line, width, sequence, to, stride);
}

/** dk[j] = sum over i >= j of ds[i, j] q[i]. */
function backKeys(
  query: usize,
  ds: usize,
  sequence: i32,
  width: i32,
  to: usize,
  stride: usize,
  scratch: usize,
): void {
  const line = bytes(lineOf(sequence));
  const words = (width + 31) >> 5;
  const slabs = (sequence + 31) >> 5;
  const sums = scratch;
  const fired = sums + line * width;
  const firedBytes = bytes(words << 5);
  const dsBytes = bytes(sequence);
  transposeBits(query, line, sequence, width, fired, firedBytes);
  for (let slab = 0; slab < slabs; slab++) {
    const at = bytes(slab << 5);
    for (let feature = 0; feature < width; feature++) {
      const into = sums + line * feature + at;
      sumEvents(fired + bytes(feature), firedBytes, slab, slabs, ds + at, dsBytes, into);
    }
  }
  transpose(sums, line, width, sequence, to, stride);
}

/** dv[j] = sum over i >= j of a[i, j] g[i]: scores are many, so six rows of a product at a time. */
function backValues(
  query: usize,
  key: usize,
  factors: usize,
  gradient: usize,
  width: i32,
  sequence: i32,
  headWidth: i32,
  to: usize,
  scratch: usize,
): void {
  const line = bytes(lineOf(sequence));
  const words = (headWidth + 31) >> 5;
  const scores = scratch;
  const spill = scores + line * TILE_ROWS;
  const stride = bytes(3 * width);
  for (let j = 0; j < sequence; j += TILE_ROWS) {
    const height = min(TILE_ROWS, sequence - j);
    const from = gradient + bytes(width) * j;
    scoreRows(key + bytes(j), query, line, words, factors - bytes(j), height, j, sequence, scores);
    multiplyRows(
      scores + bytes(j),
      line,
      4,
      height,
      from,
      bytes(width),
      sequence - j,
      to + stride * j,
      stride,
      headWidth,
      spill,
    );
  }
}

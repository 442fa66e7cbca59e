import { AttentionScores, AttentionValues, CausalSoftmaxForward } from './generated/arguments';
import { TILE_COLUMNS, TILE_ROWS } from './generated/sizes';
import { bytes } from './bytes';
import { multiplyRows } from './attention';
import { largestOf } from './loss';
import { keepUpTo, storeUpTo } from './rows';
import { exp4, madd, sumLanes } from './simd';
import { multiplyTile } from './tile';

/**
 * attention_scores: scores[i, j] = factor (query[i] . key[j]) for j <= i, zero elsewhere. The keys of a
 * head are laid out in scratch as [features][tokens], so that the tile reads eight tokens at a time.
 *
 * Items      batch x heads
 */
export function attention_scores(
  args: AttentionScores,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const scores = args.scoresAt;
  const sequence = args.sequence,
    heads = args.heads,
    headWidth = args.headWidth;
  const queryBytes = bytes(args.queryStride),
    keyBytes = bytes(args.keyStride);
  const all = args.queriesAt,
    queries = all + bytes(args.queryOffset),
    others = args.keysAt;
  const keys = (others ? others : all) + bytes(args.keyOffset);
  const line = bytes((sequence + 7) & ~7),
    spill = scratch + line * headWidth;
  for (let item = first; item < last; item++) {
    const start = (item / heads) * sequence,
      feature = bytes((item % heads) * headWidth);
    transposeKeys(
      keys + keyBytes * start + feature,
      keyBytes,
      sequence,
      headWidth,
      args.factor,
      scratch,
      line,
    );
    const from = queries + queryBytes * start + feature;
    const to = scores + bytes(sequence) * sequence * item;
    for (let i = 0; i < sequence; i += TILE_ROWS) {
      scoreLines(
        from + queryBytes * i,
        queryBytes,
        i,
        sequence,
        scratch,
        line,
        headWidth,
        to,
        spill,
      );
    }
  }
}

/** [tokens][features] to [features][tokens], multiplied by a factor. */
function transposeKeys(
  from: usize,
  stride: usize,
  sequence: i32,
  headWidth: i32,
  factor: f32,
  to: usize,
  line: usize,
): void {
  for (let j = 0; j < sequence; j++, from += stride, to += 4) {
    for (let d = 0; d < headWidth; d++) {
      store<f32>(to + line * d, factor * load<f32>(from + bytes(d)));
    }
  }
}

/** At most six rows of scores from row `i` on: products up to the diagonal, zero behind it. */
function scoreLines(
  queries: usize,
  stride: usize,
  i: i32,
  sequence: i32,
  keys: usize,
  line: usize,
  depth: i32,
  scores: usize,
  spill: usize,
): void {
  const height = min(TILE_ROWS, sequence - i),
    end = height - 1;
  const q1 = queries + stride * min(1, end),
    q2 = queries + stride * min(2, end);
  const q3 = queries + stride * min(3, end),
    q4 = queries + stride * min(4, end);
  const q5 = queries + stride * min(5, end),
    rowBytes = bytes(sequence);
  const to = scores + rowBytes * i;
  let j = 0;
  for (; j < i + height; j += TILE_COLUMNS) {
    const isWhole = height == TILE_ROWS && j + TILE_COLUMNS <= i + 1;
    const tile = isWhole ? to + bytes(j) : spill,
      tileStride = isWhole ? rowBytes : 32;
    multiplyTile(
      queries,
      q1,
      q2,
      q3,
      q4,
      q5,
      4,
      keys + bytes(j),
      line,
      depth,
      tile,
      tileStride,
      false,
    );
    if (isWhole) continue;
    for (let r = 0; r < height; r++) {
      const from = spill + 32 * r,
        row = to + rowBytes * r + bytes(j),
        seen = i + r + 1 - j;
      storeUpTo(row, keepUpTo(v128.load(from), seen), sequence - j);
      storeUpTo(row + 16, keepUpTo(v128.load(from, 16), seen - 4), sequence - j - 4);
    }
  }
  for (let r = 0; r < height; r++) {
    const row = to + rowBytes * r;
    for (let c = j; c < sequence; c += 4) storeUpTo(row + bytes(c), f32x4.splat(0), sequence - c);
  }
}

/**
 * attention_values: output[i] = factor times the sum of weights[i, j] value[j] over keys j <= i, or
 * transposed output[j] = factor times that of weights[i, j] value[i] over queries i >= j.
 *
 * Items      batch x heads
 */
export function attention_values(
  args: AttentionValues,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const sequence = args.sequence,
    heads = args.heads,
    headWidth = args.headWidth;
  const valueBytes = bytes(args.valueStride),
    outputBytes = bytes(args.outputStride);
  const values = args.valuesAt + bytes(args.valueOffset);
  const output = args.outputAt + bytes(args.outputOffset);
  const factor = args.factor,
    isTransposed = args.transpose != 0,
    line = bytes(sequence);
  for (let item = first; item < last; item++) {
    const start = (item / heads) * sequence,
      feature = bytes((item % heads) * headWidth);
    const weights = args.weightsAt + line * sequence * item;
    const from = values + valueBytes * start + feature,
      to = output + outputBytes * start + feature;
    for (let i = 0; i < sequence; i += TILE_ROWS) {
      const height = min(TILE_ROWS, sequence - i),
        row = to + outputBytes * i;
      if (isTransposed) {
        multiplyRows(
          weights + line * i + bytes(i),
          4,
          line,
          height,
          from + valueBytes * i,
          valueBytes,
          sequence - i,
          row,
          outputBytes,
          headWidth,
          scratch,
        );
      } else {
        multiplyRows(
          weights + line * i,
          line,
          4,
          height,
          from,
          valueBytes,
          i + height,
          row,
          outputBytes,
          headWidth,
          scratch,
        );
      }
      if (factor != 1) scaleRows(row, outputBytes, height, headWidth, factor);
    }
  }
}

function scaleRows(at: usize, stride: usize, height: i32, width: i32, factor: f32): void {
  const factors = f32x4.splat(factor);
  for (let r = 0; r < height; r++, at += stride) {
    for (let c = 0; c < width; c += 4) {
      storeUpTo(at + bytes(c), f32x4.mul(v128.load(at + bytes(c)), factors), width - c);
    }
  }
}

/**
 * causal_softmax_forward: each row's scores to weights in place, for token r % width those up to its own.
 *
 * Items      rows
 */
export function causal_softmax_forward(args: CausalSoftmaxForward, first: i32, last: i32): void {
  const weights = args.weightsAt,
    width = args.width;
  for (let row = first; row < last; row++) {
    const at = weights + bytes(width) * row,
      seen = (row % width) + 1;
    const largest = f32x4.splat(largestOf(at, seen));
    let sums = f32x4.splat(0);
    for (let j = 0; j < seen; j += 4) {
      const power = keepUpTo(exp4(f32x4.sub(v128.load(at + bytes(j)), largest)), seen - j);
      sums = f32x4.add(sums, power);
      storeUpTo(at + bytes(j), power, width - j);
    }
    const scale = f32x4.splat(1 / sumLanes(sums));
    let j = 0;
    for (; j < seen; j += 4) {
      storeUpTo(at + bytes(j), f32x4.mul(v128.load(at + bytes(j)), scale), width - j);
    }
    for (; j < width; j += 4) storeUpTo(at + bytes(j), f32x4.splat(0), width - j);
  }
}

import { SparseLinearBackward, SparseLinearForward } from './generated/arguments';
import { SPARSE_ROWS, SYNAPSE_BLOCK } from './generated/sizes';
import { bytes } from './bytes';
import { loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';
import {
  BLOCK_FLOATS,
  blocksOf,
  foldFloats,
  gatherBlock,
  scatterBlock,
  wrapFloats,
} from './fan-in';

/**
 * sparse_linear_forward: each neuron adds its `fanIn` links, weights in signed bytes times the input; event
 * by event, with the synapses of the event's expert.
 *
 *   output = scale sum_p w[i, p] input[(o + s p) mod D] (+ residual)
 *
 * Items      events, active x rows
 * Scratch    a row with its first 16 floats repeated, 16 sums
 */
export function sparse_linear_forward(
  args: SparseLinearForward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const input = args.inputAt,
    experts = args.expertsAt,
    output = args.outputAt,
    residual = args.residualAt;
  const rows = args.rows,
    width = args.width,
    fanIn = args.fanIn,
    scale = f32x4.splat(args.scale);
  const blocks = blocksOf(width),
    sums = scratch,
    row = scratch + BLOCK_FLOATS;
  for (let event = first; event < last; event++) {
    memory.copy(row, input + bytes(width) * (event % rows), bytes(width));
    wrapFloats(row, width);
    const expert = load<i32>(experts + bytes(event)),
      from = expert * blocks;
    const isThere = expert < args.experts;
    if (!isThere) memory.fill(sums, 0, BLOCK_FLOATS);
    for (let block = 0; block < blocks; block++) {
      const start = block * SYNAPSE_BLOCK,
        at = bytes(width) * event + bytes(start);
      if (isThere) {
        gatherBlock(
          row,
          weightsOf(args.weightAt, from + block, fanIn),
          linksOf(args.topologyAt, from + block),
          fanIn,
          width,
          sums,
        );
      }
      for (let n = 0; n < min(SYNAPSE_BLOCK, width - start); n += 4) {
        const left = width - start - n;
        let sum = f32x4.mul(scale, v128.load(sums + bytes(n)));
        if (residual) sum = f32x4.add(sum, loadUpTo(residual + at + bytes(n), left));
        storeUpTo(output + at + bytes(n), sum, left);
      }
    }
  }
}

function weightsOf(weights: usize, block: i32, fanIn: i32): usize {
  return weights + <usize>(block * fanIn * SYNAPSE_BLOCK);
}

function linksOf(topology: usize, block: i32): usize {
  return topology + bytes(2 * block);
}

/**
 * sparse_linear_backward: gradient of the input; of all events of a token.
 *
 * Items      groups of 8 rows
 * Scratch    8 rows and 16 floats more for each
 */
export function sparse_linear_backward(
  args: SparseLinearBackward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const rows = args.rows,
    width = args.width,
    active = args.active;
  const line = bytes(width + SYNAPSE_BLOCK);
  for (let group = first; group < last; group++) {
    const start = group * SPARSE_ROWS,
      height = min(SPARSE_ROWS, rows - start);
    memory.fill(scratch, 0, line * height);
    for (let k = 0; k < active; k++) {
      for (let block = 0; block < blocksOf(width); block++) {
        for (let r = 0; r < height; r++) {
          scatterEvent(args, k * rows + start + r, block, scratch + line * r);
        }
      }
    }
    for (let r = 0; r < height; r++) writeRow(args, start + r, scratch + line * r);
  }
}

function scatterEvent(args: SparseLinearBackward, event: i32, block: i32, row: usize): void {
  const width = args.width,
    start = block * SYNAPSE_BLOCK;
  const expert = load<i32>(args.expertsAt + bytes(event));
  if (expert >= args.experts) return;
  const from = expert * blocksOf(width) + block;
  scatterBlock(
    row,
    weightsOf(args.weightAt, from, args.fanIn),
    linksOf(args.topologyAt, from),
    args.fanIn,
    width,
    args.gradientAt + bytes(width) * event + bytes(start),
    width - start,
  );
}

function writeRow(args: SparseLinearBackward, row: i32, sums: usize): void {
  const width = args.width,
    scale = f32x4.splat(args.scale),
    accumulate = args.accumulate != 0;
  const to = args.inputGradientAt + bytes(width) * row;
  foldFloats(sums, width);
  for (let n = 0; n < width; n += 4) {
    const sum = v128.load(sums + bytes(n)),
      left = width - n;
    const old = accumulate ? loadUpTo(to + bytes(n), left) : f32x4.splat(0);
    storeUpTo(to + bytes(n), madd(scale, sum, old), left);
  }
}

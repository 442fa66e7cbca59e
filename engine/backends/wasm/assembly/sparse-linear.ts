import { address, bytes, real, whole } from './arguments';
import { loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';
import {
  BLOCK_FLOATS,
  blocksOf,
  foldFloats,
  gatherBlock,
  scatterBlock,
  SYNAPSE_BLOCK,
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
export function sparse_linear_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const input = address(args, 0),
    experts = address(args, 3),
    output = address(args, 4),
    residual = address(args, 5);
  const rows = whole(args, 6),
    width = whole(args, 9),
    fanIn = whole(args, 10),
    scale = f32x4.splat(real(args, 11));
  const blocks = blocksOf(width),
    sums = scratch,
    row = scratch + BLOCK_FLOATS;
  for (let event = first; event < last; event++) {
    memory.copy(row, input + bytes(width) * (event % rows), bytes(width));
    wrapFloats(row, width);
    const expert = load<i32>(experts + bytes(event)),
      from = expert * blocks;
    const isThere = expert < whole(args, 8);
    if (!isThere) memory.fill(sums, 0, BLOCK_FLOATS);
    for (let block = 0; block < blocks; block++) {
      const start = block * SYNAPSE_BLOCK,
        at = bytes(width) * event + bytes(start);
      if (isThere) {
        gatherBlock(
          row,
          weightsOf(args, from + block, fanIn),
          linksOf(args, from + block),
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

function weightsOf(args: usize, block: i32, fanIn: i32): usize {
  return address(args, 1) + <usize>(block * fanIn * SYNAPSE_BLOCK);
}

function linksOf(args: usize, block: i32): usize {
  return address(args, 2) + bytes(2 * block);
}

/** Rows that are worked on in turns: what one has stored is in the cache again when it is added to. */
const TURNS: i32 = 8;

/**
 * sparse_linear_backward: gradient of the input; of all events of a token.
 *
 * Items      groups of 8 rows
 * Arguments  gradient, weights, topology, experts, gradient of the input, whether it is added to, rows,
 *            width, links of a neuron, scale, active experts, experts in all
 * Scratch    8 rows and 16 floats more for each
 */
export function sparse_linear_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const rows = whole(args, 6),
    width = whole(args, 7),
    active = whole(args, 10);
  const line = bytes(width + SYNAPSE_BLOCK);
  for (let group = first; group < last; group++) {
    const start = group * TURNS,
      height = min(TURNS, rows - start);
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

function scatterEvent(args: usize, event: i32, block: i32, row: usize): void {
  const width = whole(args, 7),
    start = block * SYNAPSE_BLOCK;
  const expert = load<i32>(address(args, 3) + bytes(event));
  if (expert >= whole(args, 11)) return;
  const from = expert * blocksOf(width) + block;
  scatterBlock(
    row,
    weightsOf(args, from, whole(args, 8)),
    linksOf(args, from),
    whole(args, 8),
    width,
    address(args, 0) + bytes(width) * event + bytes(start),
    width - start,
  );
}

function writeRow(args: usize, row: i32, sums: usize): void {
  const width = whole(args, 7),
    scale = f32x4.splat(real(args, 9)),
    accumulate = whole(args, 5) != 0;
  const to = address(args, 4) + bytes(width) * row;
  foldFloats(sums, width);
  for (let n = 0; n < width; n += 4) {
    const sum = v128.load(sums + bytes(n)),
      left = width - n;
    const old = accumulate ? loadUpTo(to + bytes(n), left) : f32x4.splat(0);
    storeUpTo(to + bytes(n), madd(scale, sum, old), left);
  }
}

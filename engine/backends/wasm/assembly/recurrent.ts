import { RecurrentLifBackward, RecurrentLifForward } from './generated/arguments';
import {
  EVENT_DEPTH,
  PRODUCT_DEPTH,
  RECURRENT_ROWS,
  SLAB,
  SLAB_BYTES,
  TILE_COLUMNS,
  TILE_ROWS,
} from './generated/sizes';
import { bytes, strideOf } from './bytes';
import { addEvents, decodeRow } from './events';
import { placeTile } from './linear';
import { integrate, slopeAt } from './neurons';
import { loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';

/**
 * recurrent_lif_forward: rows go through time in groups. Each step adds the weights of the neurons that
 * fired the step before to the current, slab by slab, and integrates.
 *
 *   u[t] = beta u[t-1] + I[t] + bias + sum_k s_k[t-1] weight[k] - s[t-1] threshold
 *
 * Items      groups of 8 rows
 * Scratch    counts and lists of the spikes of 8 rows
 */
export function recurrent_lif_forward(
  args: RecurrentLifForward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const spikes = args.spikesAt,
    steps = args.steps,
    rows = args.rows,
    width = args.width;
  const words = (width + 31) >> 5,
    blocks = (width + EVENT_DEPTH - 1) / EVENT_DEPTH;
  const lists = scratch + bytes(RECURRENT_ROWS * blocks);
  for (let group = first; group < last; group++) {
    const start = group * RECURRENT_ROWS,
      height = min(RECURRENT_ROWS, rows - start);
    for (let t = 0; t < steps; t++) {
      driveRows(args, t, start, height);
      if (t > 0) hearRows(args, t, start, height, lists, scratch);
      for (let r = 0; r < height; r++) {
        fireRow(args, t, start + r);
        const row = spikes + bytes(words) * (t * rows + start + r);
        decodeRow(row, words, lists + bytes(words << 4) * r, scratch + bytes(blocks) * r);
      }
    }
  }
}

/** Address of a step of a row of the membranes. */
function membraneOf(args: RecurrentLifForward, t: i32, row: i32): usize {
  return args.membraneAt + bytes(args.width) * (t * args.rows + row);
}

/** Puts current and bias where the membranes will be. */
function driveRows(args: RecurrentLifForward, t: i32, start: i32, height: i32): void {
  const width = args.width,
    bias = args.biasAt;
  const current =
    args.currentAt + bytes(strideOf(args.currentSteps, args.steps, args.rows * args.width)) * t;
  for (let r = 0; r < height; r++) {
    const from = current + bytes(width) * (start + r),
      to = membraneOf(args, t, start + r);
    if (!bias) {
      memory.copy(to, from, bytes(width));
      continue;
    }
    for (let n = 0; n < width; n += 4) {
      const at = bytes(n);
      storeUpTo(to + at, f32x4.add(v128.load(from + at), v128.load(bias + at)), width - n);
    }
  }
}

/** Adds the weights of the listed spikes. */
function hearRows(
  args: RecurrentLifForward,
  t: i32,
  start: i32,
  height: i32,
  lists: usize,
  counts: usize,
): void {
  const slabs = args.slabsAt,
    width = args.width;
  const listBytes = bytes(((width + 31) >> 5) << 4),
    blocks = (width + EVENT_DEPTH - 1) / EVENT_DEPTH;
  for (let block = 0; block < blocks; block++) {
    for (let column = 0; column < width; column += SLAB) {
      const slab = slabs + bytes(column) * width + SLAB_BYTES * (block * EVENT_DEPTH);
      for (let r = 0; r < height; r++) {
        const list = lists + listBytes * r + bytes(block * (EVENT_DEPTH / 2)),
          count = load<i32>(counts + bytes(blocks * r + block));
        const to = membraneOf(args, t, start + r) + bytes(column);
        addEvents(list, count, slab, SLAB_BYTES, to, width - column, false);
      }
    }
  }
}

/** Integrates a row in place of what drives it, and packs its spikes. */
function fireRow(args: RecurrentLifForward, t: i32, row: i32): void {
  const rows = args.rows,
    width = args.width,
    words = (width + 31) >> 5;
  const beta = f32x4.splat(args.beta),
    threshold = f32x4.splat(args.threshold);
  const membrane = membraneOf(args, t, row),
    before = t > 0 ? membraneOf(args, t - 1, row) : 0;
  let to = args.spikesAt + bytes(words) * (t * rows + row);
  for (let first = 0; first < width; first += 32, to += 4) {
    let packed: u32 = 0;
    for (let n = first; n < min(width, first + 32); n += 4) {
      const at = bytes(n),
        left = width - n;
      let u = loadUpTo(membrane + at, left);
      if (before) u = integrate(loadUpTo(before + at, left), u, beta, threshold);
      storeUpTo(membrane + at, u, left);
      const inside = left >= 4 ? 15 : (1 << left) - 1;
      packed |= (i32x4.bitmask(f32x4.gt(u, threshold)) & inside) << (n - first);
    }
    store<u32>(to, packed);
  }
}

/**
 * recurrent_lif_backward: six rows at a time back through time; the gradients of the step after return
 * through the weight in register tiles.
 *
 *   g[t] = gradient[t] + weight d[t+1]      d[t] = g[t] slope(u[t]) + beta d[t+1]
 *
 * Items      tiles of six rows
 * Scratch    a tile
 */
export function recurrent_lif_backward(
  args: RecurrentLifBackward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const gradient = args.gradientAt,
    steps = args.steps,
    rows = args.rows,
    width = args.width;
  const step = bytes(width) * rows;
  for (let tile = first; tile < last; tile++) {
    const start = tile * TILE_ROWS,
      height = min(TILE_ROWS, rows - start);
    for (let t = steps - 1; t >= 0; t--) {
      const here = gradient + step * t + bytes(width) * start,
        after = t + 1 < steps ? here + step : 0;
      if (after) returnRows(args, after, here, height, scratch);
      slopeRows(args, t, start, height, after);
    }
  }
}

/** here += after weight^T. */
function returnRows(
  args: RecurrentLifBackward,
  after: usize,
  here: usize,
  height: i32,
  scratch: usize,
): void {
  const panels = args.panelsAt,
    width = args.width;
  const stride = bytes(width);
  for (let k = 0; k < width; k += PRODUCT_DEPTH) {
    const block = min(PRODUCT_DEPTH, width - k);
    for (let column = 0; column < width; column += TILE_COLUMNS) {
      placeTile(
        after + bytes(k),
        stride,
        4,
        panels + stride * column + bytes(k * TILE_COLUMNS),
        32,
        block,
        here + bytes(column),
        stride,
        height,
        min(TILE_COLUMNS, width - column),
        true,
        scratch,
      );
    }
  }
}

/** Gradients of the spikes become those of the current; `after` are those of the next step or 0. */
function slopeRows(
  args: RecurrentLifBackward,
  t: i32,
  start: i32,
  height: i32,
  after: usize,
): void {
  const count = height * args.width,
    at = bytes(args.width) * (t * args.rows + start);
  const membrane = args.membraneAt + at,
    gradient = args.gradientAt + at;
  const beta = f32x4.splat(args.beta),
    threshold = f32x4.splat(args.threshold),
    surrogate = args.surrogate;
  for (let i = 0; i < count; i += 4) {
    const place = bytes(i);
    const slope = slopeAt(f32x4.sub(v128.load(membrane + place), threshold), surrogate);
    const kept = after ? f32x4.mul(beta, v128.load(after + place)) : f32x4.splat(0);
    const g = madd(loadUpTo(gradient + place, count - i), slope, kept);
    storeUpTo(gradient + place, g, count - i);
  }
}

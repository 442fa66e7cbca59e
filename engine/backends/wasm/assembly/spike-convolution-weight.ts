import { Conv2dBackwardWeight, Window } from './generated/arguments';
import { COUNTS_BYTES, POSITIONS, SLAB, SLAB_BYTES, TILE_COLUMNS } from './generated/sizes';
import { bytes } from './bytes';
import { weightTile } from './convolution';
import { BLOCK_BYTES, DENSE_SHARE, listBytes, listEvents, shareOf } from './spike-convolution';
import { depthOf, imageBytes, positionsOf } from './window';

/** Output channels up to which half a slab is enough. */
const NARROW: i32 = 16;

/**
 * spike_conv2d_backward_weight: conv2d_backward_weight of packed spikes. Every spike adds the gradient of
 * the positions that read it to its tap, 32 output channels at a time. Where so many are set that this
 * does not pay, the taps are gathered and multiplied instead.
 *
 * Items      lines of partial sums x groups, groups innermost
 * Scratch    counts, gradients of a slab, lists of 64 positions, sums [slabs][depth][32]; or what
 *            conv2d_backward_weight takes
 */
export function spike_conv2d_backward_weight(
  args: Conv2dBackwardWeight,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const window = args.window;
  const depth = depthOf(window),
    chunk = args.chunk;
  for (let item = first; item < last; item++) {
    const group = item % window.groups,
      line = item / window.groups;
    const start = line * chunk,
      end = min(window.images, start + chunk);
    if (lineShare(args, window, start, end) <= DENSE_SHARE) {
      sumSpikes(args, window, line, start, end, group, scratch);
      continue;
    }
    for (let tap = 0; tap < depth; tap += TILE_COLUMNS) {
      for (let image = start; image < end; image++) {
        weightTile(args, window, line, image, group, tap, image > start, scratch);
      }
    }
  }
}

/** The share of bits that are set in the images from `start` to before `end`. */
function lineShare(args: Conv2dBackwardWeight, window: Window, start: i32, end: i32): f32 {
  let sum: f32 = 0;
  for (let image = start; image < end; image++) {
    sum += shareOf(window, args.inputAt + imageBytes(window) * image);
  }
  return sum / <f32>(end - start);
}

function sumSpikes(
  args: Conv2dBackwardWeight,
  window: Window,
  line: i32,
  start: i32,
  end: i32,
  group: i32,
  scratch: usize,
): void {
  const positions = positionsOf(window),
    depth = depthOf(window),
    rows = window.outputs / window.groups,
    slabs = (rows + SLAB - 1) / SLAB;
  const gradients = scratch + COUNTS_BYTES,
    sums = gradients + BLOCK_BYTES + listBytes(window) * POSITIONS;
  memory.fill(sums, 0, SLAB_BYTES * depth * slabs);
  for (let image = start; image < end; image++) {
    const input = args.inputAt + imageBytes(window) * image;
    const gradient = args.gradientAt + bytes(positions) * (image * window.outputs + group * rows);
    for (let p = 0; p < positions; p += POSITIONS) {
      const count = min(POSITIONS, positions - p);
      listEvents(window, input, group, p, count, scratch);
      for (let column = 0; column < rows; column += SLAB) {
        const width = min(SLAB, rows - column);
        turnRows(
          gradient + bytes(positions) * column + bytes(p),
          bytes(positions),
          width,
          count,
          gradients,
        );
        addLists(window, count, width, scratch, sums + SLAB_BYTES * depth * (column / SLAB));
      }
    }
  }
  const partial = args.partialAt + bytes(depth) * (line * window.outputs + group * rows);
  storeSums(sums, partial, depth, rows);
}

/** Rows of `count` numbers, `stride` bytes apart, to [count][32]. */
function turnRows(from: usize, stride: usize, width: i32, count: i32, to: usize): void {
  for (let r = 0; r < width; r++) {
    const row = from + stride * r,
      at = to + bytes(r);
    for (let p = 0; p < count; p++) store<f32>(at + SLAB_BYTES * p, load<f32>(row + bytes(p)));
  }
}

/** Adds the gradients of each position to the taps of its list. */
function addLists(window: Window, count: i32, width: i32, scratch: usize, sums: usize): void {
  const gradients = scratch + COUNTS_BYTES,
    lists = gradients + BLOCK_BYTES;
  for (let p = 0; p < count; p++) {
    const list = lists + listBytes(window) * p,
      end = list + ((<usize>load<u32>(scratch + bytes(p))) << 1),
      from = gradients + SLAB_BYTES * p;
    addHalf(list, end, from, sums);
    if (width > NARROW) addHalf(list, end, from + 64, sums + 64);
  }
}

/** 16 numbers to the sums of every tap of a list. */
function addHalf(list: usize, end: usize, from: usize, sums: usize): void {
  const g0 = v128.load(from),
    g1 = v128.load(from, 16),
    g2 = v128.load(from, 32),
    g3 = v128.load(from, 48);
  for (; list < end; list += 2) {
    const to = sums + SLAB_BYTES * load<u16>(list);
    v128.store(to, f32x4.add(v128.load(to), g0));
    v128.store(to, f32x4.add(v128.load(to, 16), g1), 16);
    v128.store(to, f32x4.add(v128.load(to, 32), g2), 32);
    v128.store(to, f32x4.add(v128.load(to, 48), g3), 48);
  }
}

/** Sums [slabs][depth][32] to [rows][depth]. */
function storeSums(sums: usize, to: usize, depth: i32, rows: i32): void {
  for (let r = 0; r < rows; r++, to += bytes(depth)) {
    const from = sums + SLAB_BYTES * depth * (r / SLAB) + bytes(r % SLAB);
    for (let k = 0; k < depth; k++) store<f32>(to + bytes(k), load<f32>(from + SLAB_BYTES * k));
  }
}

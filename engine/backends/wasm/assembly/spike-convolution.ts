import { Conv2dForward, Window } from './generated/arguments';
import { COUNTS_BYTES, POSITIONS, SLAB, SLAB_BYTES } from './generated/sizes';
import { bytes } from './bytes';
import { convolve } from './convolution';
import { addEvents } from './events';
import { depthOf, imageBytes, positionsOf } from './window';

/** From this share of set bits on gathering all taps is faster than listing those that are set. */
export const DENSE_SHARE: f32 = 0.4;
/** Sums of a slab at every position of a chunk. */
export const BLOCK_BYTES: usize = 8_192;

/**
 * pack_filters: lays the weights of each group out in slabs [depth][32] of output channels, zero beyond
 * the last.
 *
 * Items      groups x slabs, slabs innermost
 */
export function pack_filters(args: Conv2dForward, first: i32, last: i32): void {
  const window = args.window;
  const depth = depthOf(window),
    rows = window.outputs / window.groups,
    slabs = (rows + SLAB - 1) / SLAB;
  for (let item = first; item < last; item++) {
    const column = (item % slabs) * SLAB,
      group = item / slabs,
      width = min(SLAB, rows - column);
    const from = args.weightAt + bytes(depth) * (group * rows + column);
    let to = args.slabsAt + SLAB_BYTES * depth * item;
    for (let k = 0; k < depth; k++, to += SLAB_BYTES) {
      for (let r = 0; r < SLAB; r++) {
        const at = from + bytes(depth) * r + bytes(k);
        store<f32>(to + bytes(r), r < width ? load<f32>(at) : 0);
      }
    }
  }
}

/**
 * spike_conv2d_forward: conv2d_forward of packed spikes. Every spike is listed at the positions that read
 * it, and each position adds up the weights of its list, 32 output channels at a time. Where so many are
 * set that this does not pay, the taps are gathered and multiplied instead.
 *
 * Items      images x groups x chunks of 64 positions, chunks innermost
 * Scratch    counts, sums of a slab, lists of 64 positions; or what conv2d_forward takes
 */
export function spike_conv2d_forward(
  args: Conv2dForward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const window = args.window;
  const positions = positionsOf(window),
    chunks = (positions + POSITIONS - 1) / POSITIONS;
  for (let item = first; item < last; item++) {
    const start = (item % chunks) * POSITIONS,
      group = (item / chunks) % window.groups,
      image = item / chunks / window.groups,
      count = min(POSITIONS, positions - start);
    const input = args.inputAt + imageBytes(window) * image;
    if (shareOf(window, input) > DENSE_SHARE) {
      convolve(args, window, image, group, start, count, scratch);
    } else {
      listEvents(window, input, group, start, count, scratch);
      addLists(args, window, image, group, start, count, scratch);
    }
  }
}

/** The share of an image's bits that are set. */
export function shareOf(window: Window, image: usize): f32 {
  const features = window.channels * window.height * window.width;
  let set = 0;
  for (const end = image + imageBytes(window); image < end; image += 4) {
    set += <i32>popcnt(load<u32>(image));
  }
  return <f32>set / <f32>features;
}

/** Bytes of the list of one position: a u16 for every tap. */
export function listBytes(window: Window): usize {
  return (<usize>depthOf(window)) << 1;
}

/** Lists, for each position of a chunk, the taps that read a spike. */
export function listEvents(
  window: Window,
  image: usize,
  group: i32,
  start: i32,
  count: i32,
  scratch: usize,
): void {
  memory.fill(scratch, 0, COUNTS_BYTES);
  const inputs = window.channels / window.groups,
    stride = window.strideY;
  const firstRow = start / window.outWidth,
    lastRow = (start + count - 1) / window.outWidth;
  for (let c = 0; c < inputs; c++) {
    for (let ky = 0; ky < window.kernelHeight; ky++) {
      const shift = ky * window.dilationY - window.paddingY,
        tap = (c * window.kernelHeight + ky) * window.kernelWidth;
      for (let oy = firstRow; oy <= lastRow; oy++) {
        const iy = oy * stride + shift;
        if (iy < 0 || iy >= window.height) continue;
        const line = ((group * inputs + c) * window.height + iy) * window.width;
        listLine(window, image, line, tap, oy * window.outWidth - start, count, scratch);
      }
    }
  }
}

/** Lists the spikes of one line of the image at the positions of one line of the output. */
function listLine(
  window: Window,
  image: usize,
  line: i32,
  tap: i32,
  position: i32,
  count: i32,
  scratch: usize,
): void {
  const end = line + window.width;
  for (let feature = line; feature < end;) {
    const offset = feature & 31,
      bits = min(32 - offset, end - feature);
    let word = load<u32>(image + bytes(feature >> 5)) >> offset;
    if (bits < 32) word &= ((<u32>1) << bits) - 1;
    for (; word; word &= word - 1) {
      listSpike(window, feature - line + <i32>ctz(word), tap, position, count, scratch);
    }
    feature += bits;
  }
}

function listSpike(
  window: Window,
  x: i32,
  tap: i32,
  position: i32,
  count: i32,
  scratch: usize,
): void {
  const stride = window.strideX,
    lists = scratch + COUNTS_BYTES + BLOCK_BYTES;
  for (let kx = 0; kx < window.kernelWidth; kx++) {
    const reached = x + window.paddingX - kx * window.dilationX;
    if (reached < 0 || (stride != 1 && reached % stride != 0)) continue;
    const ox = stride == 1 ? reached : reached / stride,
      at = position + ox;
    if (ox >= window.outWidth || at < 0 || at >= count) continue;
    const counter = scratch + bytes(at),
      listed = load<u32>(counter);
    store<u16>(lists + listBytes(window) * at + ((<usize>listed) << 1), <u16>(tap + kx));
    store<u32>(counter, listed + 1);
  }
}

/** Adds the weights of the listed taps up, and lays the sums out by channel. */
function addLists(
  args: Conv2dForward,
  window: Window,
  image: i32,
  group: i32,
  start: i32,
  count: i32,
  scratch: usize,
): void {
  const positions = positionsOf(window),
    depth = depthOf(window),
    rows = window.outputs / window.groups,
    slabs = (rows + SLAB - 1) / SLAB;
  const stride = bytes(positions),
    bias = args.biasAt;
  const sums = scratch + COUNTS_BYTES,
    lists = sums + BLOCK_BYTES;
  const output = args.outputAt + stride * (image * window.outputs + group * rows) + bytes(start);
  for (let column = 0; column < rows; column += SLAB) {
    const slab = args.slabsAt + SLAB_BYTES * depth * (group * slabs + column / SLAB);
    for (let p = 0; p < count; p++) {
      const listed = load<i32>(scratch + bytes(p)),
        to = sums + SLAB_BYTES * p;
      addEvents(lists + listBytes(window) * p, listed, slab, SLAB_BYTES, to, rows - column, true);
    }
    for (let r = 0; r < min(SLAB, rows - column); r++) {
      const from = sums + bytes(r),
        to = output + stride * (column + r);
      const initial: f32 = bias ? load<f32>(bias + bytes(group * rows + column + r)) : 0;
      for (let p = 0; p < count; p++) {
        store<f32>(to + bytes(p), load<f32>(from + SLAB_BYTES * p) + initial);
      }
    }
  }
}

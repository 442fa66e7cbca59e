import {
  ChannelSum,
  Conv2dBackwardInput,
  Conv2dBackwardWeight,
  Conv2dForward,
  Window,
} from './generated/arguments';
import {
  LINE_BYTES,
  POSITIONS,
  PRODUCT_DEPTH,
  TAP_BLOCK,
  TILE_BYTES,
  TILE_COLUMNS,
  TILE_ROWS,
} from './generated/sizes';
import { bytes } from './bytes';
import { placeTile } from './linear';
import { sumRow } from './rows';
import { depthOf, gatherTap, imageBytes, positionsOf, scatterTap } from './window';

/**
 * conv2d_forward: what the taps read is gathered into panels of 8 positions (im2col, a block at a time
 * and never in memory as a whole), which a register tile multiplies with six output channels.
 *
 * Items      images x groups x chunks of 64 positions, chunks innermost
 * Scratch    a tile, a line, panels of a chunk and a block of the depth
 */
export function conv2d_forward(args: Conv2dForward, first: i32, last: i32, scratch: usize): void {
  const window = args.window;
  const positions = positionsOf(window),
    chunks = (positions + POSITIONS - 1) / POSITIONS;
  for (let item = first; item < last; item++) {
    const start = (item % chunks) * POSITIONS,
      group = (item / chunks) % window.groups,
      image = item / chunks / window.groups;
    convolve(args, window, image, group, start, min(POSITIONS, positions - start), scratch);
  }
}

/** The output channels of a group at `count` positions. */
export function convolve(
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
    rows = window.outputs / window.groups;
  const input = args.inputAt + imageBytes(window) * image,
    weight = args.weightAt + bytes(depth) * (group * rows),
    bias = args.biasAt;
  const stride = bytes(positions),
    output = args.outputAt + stride * (image * window.outputs + group * rows) + bytes(start);
  if (bias) startChannels(bias + bytes(group * rows), output, stride, rows, count);
  const panels = scratch + TILE_BYTES + LINE_BYTES;
  for (let k = 0; k < depth; k += PRODUCT_DEPTH) {
    const block = min(PRODUCT_DEPTH, depth - k),
      add = bias != 0 || k > 0;
    packPositions(window, input, group, k, block, start, count, scratch);
    for (let row = 0; row < rows; row += TILE_ROWS) {
      const from = weight + bytes(depth) * row + bytes(k),
        to = output + stride * row,
        height = min(TILE_ROWS, rows - row);
      for (let p = 0; p < count; p += TILE_COLUMNS) {
        placeTile(
          from,
          bytes(depth),
          4,
          panels + bytes(p) * block,
          32,
          block,
          to + bytes(p),
          stride,
          height,
          min(TILE_COLUMNS, count - p),
          add,
          scratch,
        );
      }
    }
  }
}

/** Every position of a channel starts with the channel's bias. */
function startChannels(bias: usize, output: usize, stride: usize, rows: i32, count: i32): void {
  for (let row = 0; row < rows; row++) {
    const value = load<f32>(bias + bytes(row)),
      to = output + stride * row;
    for (let p = 0; p < count; p++) store<f32>(to + bytes(p), value);
  }
}

/** Panels [ceil(count / 8)][block][8] of what the taps from `k` on read at positions from `start` on. */
function packPositions(
  window: Window,
  input: usize,
  group: i32,
  k: i32,
  block: i32,
  start: i32,
  count: i32,
  scratch: usize,
): void {
  const line = scratch + TILE_BYTES,
    panels = line + LINE_BYTES;
  for (let i = 0; i < block; i++) {
    gatherTap(window, input, group, k + i, start, count, line);
    for (let p = 0; p < count; p += TILE_COLUMNS) {
      const to = panels + bytes(p) * block + bytes(i * TILE_COLUMNS);
      v128.store(to, v128.load(line + bytes(p)));
      v128.store(to, v128.load(line + bytes(p), 16), 16);
    }
  }
}

/**
 * conv2d_backward_input: the gradients of taps at 64 positions, a product of the weight and the gradient
 * as it lies, added to the places that the taps read (col2im).
 *
 * Items      images x groups, groups innermost
 * Scratch    a tile, gradients of 48 taps at 64 positions
 */
export function conv2d_backward_input(
  args: Conv2dBackwardInput,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const window = args.window;
  const positions = positionsOf(window);
  const plane = window.height * window.width,
    inputs = window.channels / window.groups;
  for (let item = first; item < last; item++) {
    const group = item % window.groups,
      image = item / window.groups;
    const target = args.inputGradientAt + bytes(plane) * (window.channels * image);
    if (!args.accumulate) {
      memory.fill(target + bytes(plane) * (inputs * group), 0, bytes(plane) * inputs);
    }
    for (let start = 0; start < positions; start += POSITIONS) {
      const count = min(POSITIONS, positions - start);
      backwardChunk(args, window, image, group, start, count, scratch);
    }
  }
}

function backwardChunk(
  args: Conv2dBackwardInput,
  window: Window,
  image: i32,
  group: i32,
  start: i32,
  count: i32,
  scratch: usize,
): void {
  const positions = positionsOf(window),
    depth = depthOf(window),
    rows = window.outputs / window.groups;
  const stride = bytes(positions);
  const gradient = args.gradientAt + stride * (image * window.outputs + group * rows),
    weight = args.weightAt + bytes(depth) * (group * rows),
    target = args.inputGradientAt + bytes(window.channels * window.height * window.width) * image;
  const taps = scratch + TILE_BYTES;
  for (let k = 0; k < depth; k += TAP_BLOCK) {
    const block = min(TAP_BLOCK, depth - k);
    for (let tap = 0; tap < block; tap += TILE_ROWS) {
      for (let p = 0; p < count; p += TILE_COLUMNS) {
        placeTile(
          weight + bytes(k + tap),
          4,
          bytes(depth),
          gradient + bytes(start + p),
          stride,
          rows,
          taps + bytes(POSITIONS) * tap + bytes(p),
          bytes(POSITIONS),
          min(TILE_ROWS, block - tap),
          min(TILE_COLUMNS, count - p),
          false,
          scratch,
        );
      }
    }
    for (let tap = 0; tap < block; tap++) {
      scatterTap(window, taps + bytes(POSITIONS) * tap, group, k + tap, start, count, target);
    }
  }
}

/**
 * conv2d_backward_weight: for eight taps at a time what they read is gathered into a panel over the
 * positions, which a register tile multiplies with the gradient of six output channels.
 *
 * Items      lines of partial sums x groups x panels of 8 taps, panels innermost
 * Scratch    a tile, a line, a panel of 384 positions
 */
export function conv2d_backward_weight(
  args: Conv2dBackwardWeight,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const window = args.window;
  const depth = depthOf(window),
    panels = (depth + TILE_COLUMNS - 1) / TILE_COLUMNS,
    chunk = args.chunk;
  for (let item = first; item < last; item++) {
    const tap = (item % panels) * TILE_COLUMNS,
      group = (item / panels) % window.groups,
      line = item / panels / window.groups;
    const start = line * chunk,
      end = min(window.images, start + chunk);
    for (let image = start; image < end; image++) {
      weightTile(args, window, line, image, group, tap, image > start, scratch);
    }
  }
}

/** Contribution of an image to eight taps of a group. */
export function weightTile(
  args: Conv2dBackwardWeight,
  window: Window,
  line: i32,
  image: i32,
  group: i32,
  tap: i32,
  isStarted: bool,
  scratch: usize,
): void {
  const positions = positionsOf(window),
    depth = depthOf(window),
    rows = window.outputs / window.groups;
  const stride = bytes(positions),
    width = min(TILE_COLUMNS, depth - tap);
  const input = args.inputAt + imageBytes(window) * image,
    gradient = args.gradientAt + stride * (image * window.outputs + group * rows),
    partial = args.partialAt + bytes(depth) * (line * window.outputs + group * rows) + bytes(tap);
  const panel = scratch + TILE_BYTES + LINE_BYTES;
  for (let start = 0; start < positions; start += PRODUCT_DEPTH) {
    const count = min(PRODUCT_DEPTH, positions - start);
    packTaps(window, input, group, tap, width, start, count, scratch);
    for (let row = 0; row < rows; row += TILE_ROWS) {
      placeTile(
        gradient + stride * row + bytes(start),
        stride,
        4,
        panel,
        32,
        count,
        partial + bytes(depth) * row,
        bytes(depth),
        min(TILE_ROWS, rows - row),
        width,
        isStarted || start > 0,
        scratch,
      );
    }
  }
}

/** A panel [count][8] of what `width` taps read at positions from `start` on. */
function packTaps(
  window: Window,
  input: usize,
  group: i32,
  tap: i32,
  width: i32,
  start: i32,
  count: i32,
  scratch: usize,
): void {
  const line = scratch + TILE_BYTES,
    panel = line + LINE_BYTES;
  for (let i = 0; i < width; i++) {
    gatherTap(window, input, group, tap + i, start, count, line);
    for (let p = 0; p < count; p++) {
      store<f32>(panel + bytes(p * TILE_COLUMNS + i), load<f32>(line + bytes(p)));
    }
  }
}

/**
 * channel_sum: one line of sums over the positions of each channel for each chunk of images.
 *
 * Items      lines x channels, channels innermost
 */
export function channel_sum(args: ChannelSum, first: i32, last: i32): void {
  const source = args.sourceAt,
    partial = args.partialAt;
  const images = args.images,
    channels = args.channels,
    positions = args.positions,
    chunk = args.chunk;
  for (let item = first; item < last; item++) {
    const start = (item / channels) * chunk,
      end = min(images, start + chunk);
    let sum: f32 = 0;
    for (let image = start; image < end; image++) {
      sum += sumRow(source + bytes(positions) * (image * channels + (item % channels)), positions);
    }
    store<f32>(partial + bytes(item), sum);
  }
}

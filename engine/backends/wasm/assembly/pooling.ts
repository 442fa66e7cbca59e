import { Pool2dBackward, Pool2dForward } from './generated/arguments';
import { POOL_POSITIONS } from './generated/sizes';
import { bytes } from './bytes';
import { gatherTap, imageBytes, positionsOf, scatterTap } from './window';

/**
 * pool2d_forward: factor times the sum of a window of each channel.
 *
 * Items      planes, images x channels
 * Scratch    a chunk of positions, and what gatherTap writes too much
 */
export function pool2d_forward(args: Pool2dForward, first: i32, last: i32, scratch: usize): void {
  const window = args.window;
  const positions = positionsOf(window),
    taps = window.kernelHeight * window.kernelWidth;
  const factor = f32x4.splat(args.factor);
  for (let item = first; item < last; item++) {
    const channel = item % window.channels;
    const input = args.inputAt + imageBytes(window) * (item / window.channels);
    for (let start = 0; start < positions; start += POOL_POSITIONS) {
      const count = min(POOL_POSITIONS, positions - start);
      const to = args.outputAt + bytes(positions) * item + bytes(start);
      memory.fill(to, 0, bytes(count));
      for (let tap = 0; tap < taps; tap++) {
        gatherTap(window, input, channel, tap, start, count, scratch);
        addScaled(scratch, to, factor, count);
      }
    }
  }
}

/**
 * pool2d_backward: each input gets factor times the gradients of the windows it lies in.
 *
 * Items      planes, images x channels
 * Scratch    a chunk of positions
 */
export function pool2d_backward(args: Pool2dBackward, first: i32, last: i32, scratch: usize): void {
  const window = args.window;
  const positions = positionsOf(window),
    taps = window.kernelHeight * window.kernelWidth,
    plane = window.height * window.width;
  const factor = f32x4.splat(args.factor);
  for (let item = first; item < last; item++) {
    const channel = item % window.channels,
      target = args.inputGradientAt + bytes(plane) * (item - channel);
    if (!args.accumulate) memory.fill(target + bytes(plane) * channel, 0, bytes(plane));
    for (let start = 0; start < positions; start += POOL_POSITIONS) {
      const count = min(POOL_POSITIONS, positions - start);
      const from = args.gradientAt + bytes(positions) * item + bytes(start);
      memory.fill(scratch, 0, bytes(count));
      addScaled(from, scratch, factor, count);
      for (let tap = 0; tap < taps; tap++) {
        scatterTap(window, scratch, channel, tap, start, count, target);
      }
    }
  }
}

function addScaled(from: usize, to: usize, factor: v128, count: i32): void {
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const at = bytes(i);
    v128.store(to + at, f32x4.add(v128.load(to + at), f32x4.mul(factor, v128.load(from + at))));
  }
  const scale = f32x4.extract_lane(factor, 0);
  for (; i < count; i++) {
    const at = bytes(i);
    store<f32>(to + at, load<f32>(to + at) + scale * load<f32>(from + at));
  }
}

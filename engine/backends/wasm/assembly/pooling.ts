import { address, bytes, real, whole } from './arguments';
import { gatherTap, imageBytes, positionsOf, scatterTap, Window } from './window';

/** Positions that are worked on at a time. */
const CHUNK: i32 = 256;

/**
 * pool2d_forward: factor times the sum of a window of each channel.
 *
 * Items      planes, images x channels
 * Arguments  input, output, factor, unused, window with a group for each channel
 * Scratch    a chunk of positions, and what gatherTap writes too much
 */
export function pool2d_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const window = Window.at(args + 16);
  const positions = positionsOf(window),
    taps = window.kernelHeight * window.kernelWidth;
  const factor = f32x4.splat(real(args, 2));
  for (let item = first; item < last; item++) {
    const channel = item % window.channels;
    const input = address(args, 0) + imageBytes(window) * (item / window.channels);
    for (let start = 0; start < positions; start += CHUNK) {
      const count = min(CHUNK, positions - start);
      const to = address(args, 1) + bytes(positions) * item + bytes(start);
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
 * Arguments  gradient, gradient of the input, factor, whether that is added to, window with a group for
 *            each channel
 * Scratch    a chunk of positions
 */
export function pool2d_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const window = Window.at(args + 16);
  const positions = positionsOf(window),
    taps = window.kernelHeight * window.kernelWidth,
    plane = window.height * window.width;
  const factor = f32x4.splat(real(args, 2));
  for (let item = first; item < last; item++) {
    const channel = item % window.channels,
      target = address(args, 1) + bytes(plane) * (item - channel);
    if (!whole(args, 3)) memory.fill(target + bytes(plane) * channel, 0, bytes(plane));
    for (let start = 0; start < positions; start += CHUNK) {
      const count = min(CHUNK, positions - start);
      const from = address(args, 0) + bytes(positions) * item + bytes(start);
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

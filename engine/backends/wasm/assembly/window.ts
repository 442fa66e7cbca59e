import { Window } from './generated/arguments';
import { bytes } from './bytes';

/** Bytes from one image to the next. */
export function imageBytes(window: Window): usize {
  const features = window.channels * window.height * window.width;
  return bytes(window.spikes ? (features + 31) >> 5 : features);
}

export function positionsOf(window: Window): i32 {
  return window.outHeight * window.outWidth;
}

/** Taps that an output adds up: the depth of the product. */
export function depthOf(window: Window): i32 {
  return (window.channels / window.groups) * window.kernelHeight * window.kernelWidth;
}

/**
 * Writes what tap `tap` of a group reads at `count` positions from `start` on, zero beyond the edges.
 * May write three floats more.
 */
export function gatherTap(
  window: Window,
  image: usize,
  group: i32,
  tap: i32,
  start: i32,
  count: i32,
  to: usize,
): void {
  const channel = channelOf(window, group, tap),
    dx = shiftX(window, tap),
    dy = shiftY(window, tap);
  let y = start / window.outWidth,
    x = start % window.outWidth;
  for (let left = count; left > 0; y++, x = 0) {
    const run = min(left, window.outWidth - x);
    const iy = y * window.strideY + dy;
    if (iy < 0 || iy >= window.height) fillZeros(to, run);
    else gatherRun(window, image, (channel * window.height + iy) * window.width, dx, x, run, to);
    to += bytes(run);
    left -= run;
  }
}

function channelOf(window: Window, group: i32, tap: i32): i32 {
  const taps = window.kernelHeight * window.kernelWidth;
  return group * (window.channels / window.groups) + tap / taps;
}

/** Offset of a tap from the output position times the stride. */
function shiftX(window: Window, tap: i32): i32 {
  return (tap % window.kernelWidth) * window.dilationX - window.paddingX;
}

function shiftY(window: Window, tap: i32): i32 {
  const row = (tap / window.kernelWidth) % window.kernelHeight;
  return row * window.dilationY - window.paddingY;
}

/** The first output column, `from` or later, whose input `shift` columns on lies at `column` or later. */
function firstReading(column: i32, shift: i32, stride: i32, from: i32): i32 {
  const distance = column - shift;
  return distance <= 0 ? from : max(from, (distance + stride - 1) / stride);
}

function gatherRun(
  window: Window,
  image: usize,
  line: i32,
  dx: i32,
  x: i32,
  run: i32,
  to: usize,
): void {
  const stride = window.strideX,
    end = x + run;
  const inside = min(end, firstReading(0, dx, stride, x));
  const outside = max(inside, min(end, firstReading(window.width, dx, stride, x)));
  fillZeros(to, inside - x);
  const at = to + bytes(inside - x),
    feature = line + inside * stride + dx,
    count = outside - inside;
  if (window.spikes) expandSpikes(image, feature, stride, count, at);
  else copyFloats(image + bytes(feature), stride, count, at);
  fillZeros(to + bytes(outside - x), end - outside);
}

/** Four at a time: what is written too much lies within what the next run writes. */
function fillZeros(to: usize, count: i32): void {
  for (let i = 0; i < count; i += 4) v128.store(to + bytes(i), f32x4.splat(0));
}

function copyFloats(from: usize, stride: i32, count: i32, to: usize): void {
  if (stride == 1) {
    for (let i = 0; i < count; i += 4) v128.store(to + bytes(i), v128.load(from + bytes(i)));
    return;
  }
  for (let i = 0; i < count; i++) store<f32>(to + bytes(i), load<f32>(from + bytes(i * stride)));
}

function expandSpikes(words: usize, feature: i32, stride: i32, count: i32, to: usize): void {
  if (stride == 1) {
    const places = i32x4(1, 2, 4, 8),
      one = f32x4.splat(1);
    for (let i = 0; i < count; i += 4, feature += 4) {
      const bits = <i32>(load<u64>(words + bytes(feature >> 5)) >> <u64>(feature & 31));
      const isSet = i32x4.eq(v128.and(i32x4.splat(bits), places), places);
      v128.store(to + bytes(i), v128.and(isSet, one));
    }
    return;
  }
  for (let i = 0; i < count; i++, feature += stride) {
    const bit = (load<u32>(words + bytes(feature >> 5)) >> (feature & 31)) & 1;
    store<f32>(to + bytes(i), <f32>bit);
  }
}

/** Adds `count` floats, for the positions from `start` on, to the places that a tap of a group reads. */
export function scatterTap(
  window: Window,
  from: usize,
  group: i32,
  tap: i32,
  start: i32,
  count: i32,
  image: usize,
): void {
  const channel = channelOf(window, group, tap),
    dx = shiftX(window, tap),
    dy = shiftY(window, tap),
    stride = window.strideX;
  let y = start / window.outWidth,
    x = start % window.outWidth;
  for (let left = count; left > 0; y++, x = 0) {
    const run = min(left, window.outWidth - x),
      iy = y * window.strideY + dy;
    if (iy >= 0 && iy < window.height) {
      const line = image + bytes((channel * window.height + iy) * window.width);
      const inside = min(x + run, firstReading(0, dx, stride, x));
      const outside = max(inside, min(x + run, firstReading(window.width, dx, stride, x)));
      const to = line + bytes(inside * stride + dx);
      addFloats(from + bytes(inside - x), to, stride, outside - inside);
    }
    from += bytes(run);
    left -= run;
  }
}

function addFloats(from: usize, to: usize, stride: i32, count: i32): void {
  let i = 0;
  if (stride == 1) {
    for (; i + 4 <= count; i += 4) {
      const at = bytes(i);
      v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(from + at)));
    }
  }
  for (; i < count; i++) {
    const at = to + bytes(i * stride);
    store<f32>(at, load<f32>(at) + load<f32>(from + bytes(i)));
  }
}

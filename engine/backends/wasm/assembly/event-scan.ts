import { EventScanBackward, EventScanForward } from './generated/arguments';
import { SCAN_SEQUENCES, SYNAPSE_BLOCK } from './generated/sizes';
import { bytes } from './bytes';
import { loadUpTo, storeUpTo } from './rows';
import { madd, sigmoid4 } from './simd';
import { blocksOf, foldFloats, scatterBlock } from './fan-in';

/** 16 bits hold the sum of so many bytes for certain. */
const MAX_LINKS: i32 = 256;
/** Currents beyond it saturate the membrane like this one. */
const MAX_DRIVE: f32 = 1048576;
const FRESH: u32 = 0x80000000;

/** Words of the state of one expert: membranes in pairs, then spikes. */
function stateWords(width: i32): i32 {
  return (width + 1) / 2 + ((width + 31) >> 5);
}

/**
 * event_scan_forward: neurons in int16 go through the tokens of a sequence. Those of the expert that a token
 * is routed to receive its input and the spikes they fired at their last token; the others rest unchanged.
 *
 *   I = round(theta drive) + gain sum_p w[i, p] s[-1][(o + s p) mod D]
 *   v = clip16((leak v >> 8) + I)      s = 1 if v >= theta, then v = 0
 *
 * Items      sequences
 * Scratch    for each expert a byte mask of spikes with its first 16 repeated, and membranes; then one mask
 */
export function event_scan_forward(
  args: EventScanForward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const experts = args.expertsAt,
    rows = args.rows,
    active = args.active,
    sequence = args.sequence;
  for (let item = first; item < last; item++) {
    wake(args, item, scratch);
    for (let t = 0; t < sequence; t++) {
      for (let k = 0; k < active; k++) {
        const event = k * rows + item * sequence + t,
          expert = load<i32>(experts + bytes(event));
        if (expert < args.experts) step(args, event, expert, scratch);
        else skip(args, event);
      }
    }
    rest(args, item, scratch);
  }
}

/** Bytes of a mask: whole blocks, and 16 neurons more. */
function maskBytes(width: i32): usize {
  return <usize>((blocksOf(width) + 1) * SYNAPSE_BLOCK);
}

function maskOf(scratch: usize, expert: i32, width: i32): usize {
  return scratch + 3 * maskBytes(width) * expert;
}

function membranesOf(scratch: usize, expert: i32, width: i32): usize {
  return maskOf(scratch, expert, width) + maskBytes(width);
}

/** Unpacks the state of a sequence. */
function wake(args: EventScanForward, item: i32, scratch: usize): void {
  const all = args.experts,
    width = args.width,
    word = load<u32>(args.slotsAt + bytes(item));
  const size = stateWords(width);
  const state = args.stateAt + bytes(size * all) * <i32>(word & ~FRESH);
  for (let expert = 0; expert < all; expert++) {
    const mask = maskOf(scratch, expert, width),
      membranes = membranesOf(scratch, expert, width),
      own = state + bytes(size * expert);
    memory.fill(mask, 0, 3 * maskBytes(width));
    if (word & FRESH) continue;
    memory.copy(membranes, own, <usize>(2 * width));
    const spikes = own + bytes((width + 1) / 2);
    for (let n = 0; n < width; n++) {
      const bit = (load<u32>(spikes + bytes(n >> 5)) >> (n & 31)) & 1;
      store<u8>(mask + <usize>n, bit ? 0xff : 0);
    }
    wrapMask(mask, width);
  }
}

/** Packs it again. */
function rest(args: EventScanForward, item: i32, scratch: usize): void {
  const all = args.experts,
    width = args.width,
    word = load<u32>(args.slotsAt + bytes(item));
  const size = stateWords(width);
  const state = args.stateAt + bytes(size * all) * <i32>(word & ~FRESH);
  for (let expert = 0; expert < all; expert++) {
    const mask = maskOf(scratch, expert, width),
      own = state + bytes(size * expert);
    memory.copy(own, membranesOf(scratch, expert, width), <usize>(2 * width));
    if (width & 1) store<i16>(own + <usize>(2 * width), 0);
    const spikes = own + bytes((width + 1) / 2);
    for (let n = 0; n < width; n += 32) {
      let packed: u32 = 0;
      for (let bit = 0; bit < min(32, width - n); bit++) {
        packed |= (<u32>(load<u8>(mask + <usize>(n + bit)) & 1)) << bit;
      }
      store<u32>(spikes + bytes(n >> 5), packed);
    }
  }
}

function wrapMask(mask: usize, width: i32): void {
  for (let n = 0; n < SYNAPSE_BLOCK; n++) {
    store<u8>(mask + <usize>(width + n), load<u8>(mask + <usize>(n % width)));
  }
}

/** A token that nobody reads. */
function skip(args: EventScanForward, event: i32): void {
  const width = args.width,
    words = (width + 31) >> 5;
  memory.fill(args.spikesAt + bytes(words) * event, 0, bytes(words));
  memory.fill(args.currentAt + bytes(width) * event, 0, bytes(width));
}

/** One token of one expert. */
function step(args: EventScanForward, event: i32, expert: i32, scratch: usize): void {
  const width = args.width,
    fanIn = args.fanIn;
  const blocks = blocksOf(width),
    wordsOut = (width + 31) >> 5;
  const mask = maskOf(scratch, expert, width),
    membranes = membranesOf(scratch, expert, width),
    fired = maskOf(scratch, args.experts, width);
  const spikes = args.spikesAt + bytes(wordsOut) * event;
  for (let block = 0; block < blocks; block++) {
    const from = expert * blocks + block,
      start = block * SYNAPSE_BLOCK,
      at = bytes(width) * event + bytes(start);
    const count = min(SYNAPSE_BLOCK, width - start);
    hear(
      mask,
      args.weightAt + <usize>(from * fanIn * SYNAPSE_BLOCK),
      args.topologyAt + bytes(2 * from),
      fanIn,
      width,
    );
    const bits = fire(
      args,
      at,
      membranes + <usize>(2 * start),
      fired + <usize>start,
      width - start,
    );
    store<u16>(spikes + <usize>(2 * block), <u16>(bits & ((1 << count) - 1)));
  }
  if (blocks & 1) store<u16>(spikes + <usize>(2 * blocks), 0);
  memory.copy(mask, fired, <usize>width);
  wrapMask(mask, width);
}

/** Recurrent input of 16 neurons. */
let heard0: v128 = i32x4.splat(0);
let heard1: v128 = i32x4.splat(0);
let heard2: v128 = i32x4.splat(0);
let heard3: v128 = i32x4.splat(0);

function hear(mask: usize, weight: usize, topology: usize, fanIn: i32, width: i32): void {
  const stride = load<i32>(topology, 4);
  let source = load<i32>(topology);
  let a0 = i32x4.splat(0),
    a1 = a0,
    a2 = a0,
    a3 = a0;
  for (let begun = 0; begun < fanIn; begun += MAX_LINKS) {
    let low = i16x8.splat(0),
      high = low;
    for (let p = begun; p < min(fanIn, begun + MAX_LINKS); p++) {
      const w = v128.and(v128.load(weight), v128.load(mask + <usize>source));
      low = i16x8.add(low, i16x8.extend_low_i8x16_s(w));
      high = i16x8.add(high, i16x8.extend_high_i8x16_s(w));
      weight += <usize>SYNAPSE_BLOCK;
      source += stride;
      if (source >= width) source -= width;
    }
    a0 = i32x4.add(a0, i32x4.extend_low_i16x8_s(low));
    a1 = i32x4.add(a1, i32x4.extend_high_i16x8_s(low));
    a2 = i32x4.add(a2, i32x4.extend_low_i16x8_s(high));
    a3 = i32x4.add(a3, i32x4.extend_high_i16x8_s(high));
  }
  heard0 = a0;
  heard1 = a1;
  heard2 = a2;
  heard3 = a3;
}

/** The current of four neurons, written where `args` say. */
function currentAt(args: EventScanForward, at: usize, heard: v128, left: i32): v128 {
  if (left <= 0) return i32x4.splat(0);
  const most = f32x4.splat(MAX_DRIVE);
  const drive = f32x4.mul(f32x4.splat(args.theta), loadUpTo(args.driveAt + at, left));
  const bounded = f32x4.max(f32x4.min(drive, most), f32x4.neg(most));
  const rounded = i32x4.trunc_sat_f32x4_s(f32x4.nearest(bounded));
  const current = i32x4.add(rounded, i32x4.mul(i32x4.splat(args.gain), heard));
  storeUpTo(args.currentAt + at, current, left);
  return current;
}

/** Integrates 16 neurons; the bits of those that fire, and their mask at `fired`. */
function fire(args: EventScanForward, at: usize, membranes: usize, fired: usize, left: i32): i32 {
  const leak = i32x4.splat(args.leak),
    theta = i16x8.splat(<i16>args.theta);
  const v0 = v128.load(membranes),
    v1 = v128.load(membranes, 16);
  const i0 = currentAt(args, at, heard0, left),
    i1 = currentAt(args, at + 16, heard1, left - 4),
    i2 = currentAt(args, at + 32, heard2, left - 8),
    i3 = currentAt(args, at + 48, heard3, left - 12);
  const low = i16x8.narrow_i32x4_s(
    i32x4.add(i32x4.shr_s(i32x4.mul(i32x4.extend_low_i16x8_s(v0), leak), 8), i0),
    i32x4.add(i32x4.shr_s(i32x4.mul(i32x4.extend_high_i16x8_s(v0), leak), 8), i1),
  );
  const high = i16x8.narrow_i32x4_s(
    i32x4.add(i32x4.shr_s(i32x4.mul(i32x4.extend_low_i16x8_s(v1), leak), 8), i2),
    i32x4.add(i32x4.shr_s(i32x4.mul(i32x4.extend_high_i16x8_s(v1), leak), 8), i3),
  );
  const f0 = i16x8.ge_s(low, theta),
    f1 = i16x8.ge_s(high, theta);
  v128.store(membranes, v128.andnot(low, f0));
  v128.store(membranes, v128.andnot(high, f1), 16);
  const both = i8x16.narrow_i16x8_s(f0, f1);
  v128.store(fired, both);
  return i8x16.bitmask(both);
}

/**
 * event_scan_backward: gradient of the drive, back through the tokens and the recurrent synapses, in place
 * of the gradient of the spikes; through the current alone, with the slope of its sigmoid.
 *
 *   g = (gradient + gain / theta sum of w g over the links to the next token) sigma'(I / theta)
 *
 * Items      groups of 4 sequences
 * Scratch    for each expert of 4 sequences a row and 16 floats more
 */
export function event_scan_backward(
  args: EventScanBackward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const rows = args.rows,
    active = args.active,
    sequence = args.sequence;
  const own = bytes(args.width + SYNAPSE_BLOCK) * args.experts;
  for (let group = first; group < last; group++) {
    const start = group * SCAN_SEQUENCES,
      height = min(SCAN_SEQUENCES, rows / sequence - start);
    memory.fill(scratch, 0, own * height);
    for (let t = sequence - 1; t >= 0; t--) {
      for (let k = active - 1; k >= 0; k--) {
        stepBack(args, k * rows + start * sequence + t, height, scratch);
      }
    }
  }
}

/** Gradient of the expert of an event; 0 where there is none. */
function returnedTo(args: EventScanBackward, event: i32, turn: i32, scratch: usize): usize {
  const all = args.experts,
    expert = load<i32>(args.expertsAt + bytes(event));
  if (expert >= all) return 0;
  return scratch + bytes(args.width + SYNAPSE_BLOCK) * (turn * all + expert);
}

/** One token of some sequences, each `sequence` events from the next. */
function stepBack(args: EventScanBackward, event: i32, height: i32, scratch: usize): void {
  const width = args.width,
    sequence = args.sequence;
  const line = bytes(width + SYNAPSE_BLOCK);
  for (let r = 0; r < height; r++) {
    const here = event + r * sequence,
      returned = returnedTo(args, here, r, scratch);
    if (!returned) {
      memory.fill(args.gradientAt + bytes(width) * here, 0, bytes(width));
      continue;
    }
    slopes(args, bytes(width) * here, returned);
    memory.fill(returned, 0, line);
  }
  for (let block = 0; block < blocksOf(width); block++) {
    for (let r = 0; r < height; r++) {
      const here = event + r * sequence,
        returned = returnedTo(args, here, r, scratch);
      if (returned) scatterEvent(args, here, block, returned);
    }
  }
  for (let r = 0; r < height; r++) {
    const returned = returnedTo(args, event + r * sequence, r, scratch);
    if (returned) foldFloats(returned, width);
  }
}

function scatterEvent(args: EventScanBackward, event: i32, block: i32, returned: usize): void {
  const width = args.width,
    fanIn = args.fanIn,
    start = block * SYNAPSE_BLOCK;
  const from = load<i32>(args.expertsAt + bytes(event)) * blocksOf(width) + block;
  scatterBlock(
    returned,
    args.weightAt + <usize>(from * fanIn * SYNAPSE_BLOCK),
    args.topologyAt + bytes(2 * from),
    fanIn,
    width,
    args.gradientAt + bytes(width) * event + bytes(start),
    width - start,
  );
}

function slopes(args: EventScanBackward, at: usize, returned: usize): void {
  const current = args.currentAt + at,
    gradient = args.gradientAt + at,
    width = args.width;
  const unit = f32x4.splat(args.perTheta),
    gain = f32x4.splat(args.gainPerTheta),
    one = f32x4.splat(1);
  for (let n = 0; n < width; n += 4) {
    const left = width - n,
      here = bytes(n);
    const i = f32x4.mul(unit, f32x4.convert_i32x4_s(loadUpTo(current + here, left)));
    const s = sigmoid4(i);
    const slope = f32x4.mul(s, f32x4.sub(one, s));
    const g = madd(gain, v128.load(returned + here), loadUpTo(gradient + here, left));
    storeUpTo(gradient + here, f32x4.mul(g, slope), left);
  }
}

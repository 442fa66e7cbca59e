import {
  CarriedAttentionBackward,
  CarriedAttentionForward,
  CarriedAttentionUpdate,
} from './generated/arguments';
import { SLAB, TILE_ROWS } from './generated/sizes';
import { bytes } from './bytes';
import { lineOf, multiplyRows } from './attention';
import { gatherBits } from './attention-bits';
import { transposeBits, sumEvents, transpose } from './attention-events';
import { storeUpTo } from './rows';
import { madd } from './simd';

/*
 * Attention of the tokens of a chunk over the chunks before it. Each item is one head of one sequence at one
 * time step. States are copied into lines that are padded to whole slabs of 32 columns. The arguments of
 * all three end with: sequence, heads, features of a head, words of a row of spikes.
 */

/** Words between the lines of a state that is padded. */
function paddedLine(headWidth: i32): i32 {
  return ((headWidth + 31) & ~31) + 16;
}

/** A square of `width` lines of `width` floats, with zeros behind each. */
function padSquare(from: usize, width: i32, to: usize, line: usize): void {
  memory.fill(to, 0, line * width);
  for (let d = 0; d < width; d++, from += bytes(width), to += line) {
    memory.copy(to, from, bytes(width));
  }
}

/** to += factor from, `count` floats. */
function addScaled(from: usize, factor: f32, to: usize, count: i32): void {
  const factors = f32x4.splat(factor);
  for (let c = 0; c < count; c += 4) {
    const at = bytes(c);
    storeUpTo(to + at, madd(factors, v128.load(from + at), v128.load(to + at)), count - c);
  }
}

/**
 * carried_attention_forward: o[i] += decay[i + 1] q[i] . state: the lines of the state that a query lists
 * are added up.
 *
 * Items      steps x batch x heads
 */
export function carried_attention_forward(
  args: CarriedAttentionForward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const state = args.stateAt,
    output = args.outputAt,
    sequence = args.sequence;
  const heads = args.heads,
    headWidth = args.headWidth,
    rowBytes = bytes(args.words);
  const words = (headWidth + 31) >> 5,
    line = bytes(paddedLine(headWidth)),
    tokens = bytes(lineOf(sequence));
  const square = scratch,
    query = square + line * headWidth,
    sums = query + tokens * words;
  for (let item = first; item < last; item++) {
    const head = item % heads,
      start = (item / heads) * sequence,
      bit = head * headWidth;
    const from = args.qkvAt + rowBytes * start,
      decay = args.decayAt + bytes(head * (sequence + 1));
    gatherBits(from, rowBytes, sequence, bit, headWidth, query, tokens);
    padSquare(state + bytes(headWidth) * headWidth * item, headWidth, square, line);
    for (let i = 0; i < sequence; i++) {
      const to = output + bytes(heads * headWidth) * (start + i) + bytes(bit);
      for (let c = 0; c < headWidth; c += SLAB) {
        sumEvents(query + bytes(i), tokens, 0, words, square + bytes(c), line, sums + bytes(c));
      }
      addScaled(sums, load<f32>(decay + bytes(i), 4), to, headWidth);
    }
  }
}

/**
 * carried_attention_backward: dq[i] += decay[i + 1] state . g[i], six tokens at a time.
 *
 * Items      steps x batch x heads
 */
export function carried_attention_backward(
  args: CarriedAttentionBackward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const state = args.stateAt,
    sequence = args.sequence,
    heads = args.heads,
    headWidth = args.headWidth;
  const line = bytes(paddedLine(headWidth)),
    row = bytes(heads * headWidth);
  const turned = scratch,
    sums = turned + line * headWidth,
    spill = sums + line * TILE_ROWS;
  for (let item = first; item < last; item++) {
    const head = item % heads,
      start = (item / heads) * sequence;
    const decay = args.decayAt + bytes(head * (sequence + 1)),
      gradient = args.gradientAt + row * start + bytes(head * headWidth),
      output = args.qkvGradientAt + 3 * row * start + bytes(head * headWidth);
    const square = state + bytes(headWidth) * headWidth * item;
    memory.fill(turned, 0, line * headWidth);
    transpose(square, bytes(headWidth), headWidth, headWidth, turned, line);
    for (let i = 0; i < sequence; i += TILE_ROWS) {
      const height = min(TILE_ROWS, sequence - i),
        from = gradient + row * i;
      multiplyRows(from, row, 4, height, turned, line, headWidth, sums, line, headWidth, spill);
      for (let r = 0; r < height; r++) {
        const factor = load<f32>(decay + bytes(i + r), 4);
        addScaled(sums + line * r, factor, output + 3 * row * (i + r), headWidth);
      }
    }
  }
}

/**
 * carried_attention_update: state = kept(sequence) state + sum_j kept(sequence - 1 - j) k[j] v[j]^T, where
 * kept(n) = decay[n] / decay[0]: the values of the tokens that a key lists are added up.
 *
 * Items      steps x batch x heads
 */
export function carried_attention_update(
  args: CarriedAttentionUpdate,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const sequence = args.sequence,
    heads = args.heads,
    headWidth = args.headWidth,
    rowBytes = bytes(args.words);
  const width = heads * headWidth,
    words = (headWidth + 31) >> 5,
    line = bytes(paddedLine(headWidth)),
    tokens = bytes(lineOf(sequence));
  const key = scratch,
    value = key + tokens * words,
    fired = value + tokens * words,
    values = fired + bytes((words << 5) * ((sequence + 31) >> 5)),
    sums = values + line * sequence;
  const slabs = (sequence + 31) >> 5;
  for (let item = first; item < last; item++) {
    const head = item % heads,
      bit = head * headWidth,
      decay = args.decayAt + bytes(head * (sequence + 1));
    const from = args.qkvAt + rowBytes * ((item / heads) * sequence),
      scale = <f32>1 / load<f32>(decay);
    gatherBits(from, rowBytes, sequence, bit + width, headWidth, key, tokens);
    gatherBits(from, rowBytes, sequence, bit + 2 * width, headWidth, value, tokens);
    transposeBits(key, tokens, sequence, headWidth, fired, bytes(words << 5));
    for (let j = 0; j < sequence; j++) {
      const factor = load<f32>(decay + bytes(sequence - 1 - j)) * scale;
      spreadValues(value + bytes(j), tokens, words, factor, values + line * j);
    }
    const kept = load<f32>(decay + bytes(sequence)) * scale;
    let square = args.stateAt + bytes(headWidth) * headWidth * item;
    for (let d = 0; d < headWidth; d++, square += bytes(headWidth)) {
      for (let c = 0; c < headWidth; c += SLAB) {
        const at = bytes(c);
        sumEvents(fired + bytes(d), bytes(words << 5), 0, slabs, values + at, line, sums + at);
      }
      keepAndAdd(square, kept, sums, headWidth);
    }
  }
}

/** The factor where a value fires, zero elsewhere: a padded line. */
function spreadValues(from: usize, stride: usize, words: i32, factor: f32, to: usize): void {
  const factors = f32x4.splat(factor);
  for (let w = 0; w < words; w++, from += stride) {
    let events = load<u32>(from);
    for (let c = 0; c < SLAB; c += 4, to += 16, events >>= 4) {
      const places = v128.and(i32x4.splat(events), i32x4(1, 2, 4, 8));
      v128.store(to, v128.and(factors, i32x4.ne(places, i32x4.splat(0))));
    }
  }
}

/** state = kept state + sums over a line of `count` floats. */
function keepAndAdd(state: usize, kept: f32, sums: usize, count: i32): void {
  const keeps = f32x4.splat(kept);
  for (let c = 0; c < count; c += 4) {
    const at = bytes(c);
    storeUpTo(state + at, madd(keeps, v128.load(state + at), v128.load(sums + at)), count - c);
  }
}

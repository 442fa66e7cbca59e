import { address, bytes, whole } from './arguments';
import { slopeAt } from './neurons';
import { storeUpTo } from './rows';
import { madd } from './simd';

/**
 * A neuron model, for four neurons at a time: everything that tells one from another; docs/design/neurons.md
 * has the equations. Layers are compiled once for each model: its methods are called directly, and on no
 * object.
 *
 * A state is the membrane `p` as it was before its reset and, where the model has one, a second number
 * `q`. `beta` and `theta` are the first two constants of the model, or the neuron's own; `at` is where the
 * constants lie, 4 bytes each.
 */
export interface LayerModel {
  /** Whether beta and theta are each neuron's own, with gradients of their own. */
  isOwn(): bool;
  /** Membrane and second number before the first step. */
  initial(at: usize): v128;
  initialSecond(at: usize): v128;
  /** How far the state is above the threshold, in the surrogate's unit. */
  excess(p: v128, q: v128, theta: v128, at: usize): v128;
  /** All bits of the lanes that fire. */
  fires(p: v128, q: v128, theta: v128, at: usize): v128;
  /** Derivatives of the excess by membrane and second number. */
  excessByMembrane(at: usize): v128;
  excessBySecond(at: usize): v128;
  /** The membrane one step on. */
  next(p: v128, q: v128, current: v128, beta: v128, theta: v128, at: usize): v128;
  /** The second number one step on, when the membrane already is. */
  nextSecond(p: v128, q: v128, membrane: v128, theta: v128, at: usize): v128;
  /**
   * The vector-Jacobian product of a step: stores at `to` the gradients of membrane, second number and
   * current one step earlier, and of the spike where it has an effect other than the reset, which is a
   * constant.
   */
  vjp(
    p: v128,
    q: v128,
    current: v128,
    gp: v128,
    gq: v128,
    beta: v128,
    theta: v128,
    at: usize,
    to: usize,
  ): void;
}

export function storeGradients(
  to: usize,
  membrane: v128,
  second: v128,
  current: v128,
  spike: v128,
): void {
  v128.store(to, membrane);
  v128.store(to, second, 16);
  v128.store(to, current, 32);
  v128.store(to, spike, 48);
}

const WORD: i32 = 32;
/** Bytes of the states of the 32 neurons of a word: membrane and second number of 8 x 4. */
const STATES: usize = 256;
/** Bytes of what four neurons carry back: gradients of membrane, second number, spike, current, beta, threshold. */
const CARRIED: usize = 96;

/** Place of the constants among the arguments. */
const CONSTANTS: i32 = 9;

/** Number 0 (beta) or 1 (threshold) of the neurons from `column` on. */
function ownOf(args: usize, isOwn: bool, index: i32, column: i32): v128 {
  if (!isOwn) return v128.load_splat<f32>(args + bytes(CONSTANTS + index));
  return v128.load(address(args, CONSTANTS + index) + bytes(column));
}

/** Sets `count` neurons to their initial state. */
function initialise<M extends LayerModel>(args: usize, count: i32, states: usize): void {
  const neuron = changetype<M>(0),
    at = args + bytes(CONSTANTS);
  for (let n = 0; n < count; n += 4) {
    v128.store(states + ((<usize>n) << 3), neuron.initial(at));
    v128.store(states + ((<usize>n) << 3), neuron.initialSecond(at), 16);
  }
}

/** One step of `count` neurons of a row from `column` on; returns the bits of those that fire. */
function advance<M extends LayerModel>(
  args: usize,
  current: usize,
  column: i32,
  count: i32,
  before: usize,
  after: usize,
): u32 {
  const neuron = changetype<M>(0),
    isOwn = changetype<M>(0).isOwn(),
    at = args + bytes(CONSTANTS);
  let fired: u32 = 0;
  for (let n = 0; n < count; n += 4) {
    const beta = ownOf(args, isOwn, 0, column + n),
      theta = ownOf(args, isOwn, 1, column + n),
      place = (<usize>n) << 3;
    const p = v128.load(before + place),
      q = v128.load(before + place, 16);
    const membrane = neuron.next(p, q, v128.load(current + bytes(n)), beta, theta, at);
    const second = neuron.nextSecond(p, q, membrane, theta, at);
    v128.store(after + place, membrane);
    v128.store(after + place, second, 16);
    fired |= i32x4.bitmask(neuron.fires(membrane, second, theta, at)) << n;
  }
  return fired;
}

/** 32 neurons through all time steps, four at a time, with their states in scratch. */
export function forward<M extends LayerModel>(
  args: usize,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const steps = whole(args, 1),
    rows = whole(args, 2),
    width = whole(args, 3),
    stride = bytes(whole(args, 4));
  const words = (width + WORD - 1) / WORD,
    strideOut = bytes(rows * words);
  for (let item = first; item < last; item++) {
    const row = item / words,
      column = (item % words) * WORD,
      count = min(WORD, width - column);
    const inside: u32 = count == WORD ? 0xffffffff : (1 << count) - 1;
    let from = address(args, 0) + bytes(row) * width + bytes(column),
      to = address(args, 5) + bytes(item);
    initialise<M>(args, count, scratch);
    for (let t = 0; t < steps; t++, from += stride, to += strideOut) {
      store<u32>(to, advance<M>(args, from, column, count, scratch, scratch) & inside);
    }
  }
}

/** The membranes of 32 neurons before each reset. */
export function membranes<M extends LayerModel>(
  args: usize,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const width = whole(args, 3),
    step = bytes(whole(args, 2)) * width;
  const words = (width + WORD - 1) / WORD;
  for (let item = first; item < last; item++) {
    const column = (item % words) * WORD,
      count = min(WORD, width - column),
      place = bytes(item / words) * width + bytes(column);
    initialise<M>(args, count, scratch);
    for (let t = 0; t < whole(args, 1); t++) {
      const from = address(args, 0) + bytes(whole(args, 4)) * t + place,
        to = address(args, 5) + step * t + place;
      advance<M>(args, from, column, count, scratch, scratch);
      for (let n = 0; n < count; n += 4) {
        storeUpTo(to + bytes(n), v128.load(scratch + ((<usize>n) << 3)), count - n);
      }
    }
  }
}

/**
 * Computes the states of 32 neurons again, keeps them in scratch, and carries the gradient back through the
 * steps; resets are constants.
 */
export function backward<M extends LayerModel>(
  args: usize,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const steps = whole(args, 1),
    width = whole(args, 3),
    stride = bytes(whole(args, 4)),
    step = bytes(whole(args, 2)) * width;
  const words = (width + WORD - 1) / WORD,
    carried = scratch + STATES * (steps + 1);
  for (let item = first; item < last; item++) {
    const column = (item % words) * WORD,
      count = min(WORD, width - column),
      place = bytes(item / words) * width + bytes(column);
    initialise<M>(args, count, scratch);
    for (let t = 0; t < steps; t++) {
      const states = scratch + STATES * t;
      const current = address(args, 0) + stride * t + place;
      advance<M>(args, current, column, count, states, states + STATES);
    }
    memory.fill(carried, 0, 8 * CARRIED);
    for (let t = steps - 1; t >= 0; t--) {
      const gradient = address(args, 5) + step * t + place;
      const isSum = !stride && t < steps - 1;
      const states = scratch + STATES * t;
      stepBack<M>(args, stride * t + place, gradient, column, count, states, carried, isSum);
    }
    if (changetype<M>(0).isOwn()) storeOwn(args, place, count, carried);
  }
}

/** One step of `count` neurons back; `place` is where the step of the current lies, and of its gradient. */
function stepBack<M extends LayerModel>(
  args: usize,
  place: usize,
  gradient: usize,
  column: i32,
  count: i32,
  states: usize,
  carried: usize,
  isSum: bool,
): void {
  const neuron = changetype<M>(0),
    isOwn = changetype<M>(0).isOwn(),
    surrogate = whole(args, 8),
    at = args + bytes(CONSTANTS);
  const current = address(args, 0) + place,
    output = address(args, 6) + place,
    product = carried + 8 * CARRIED;
  const byMembrane = neuron.excessByMembrane(at),
    bySecond = neuron.excessBySecond(at);
  for (let n = 0; n < count; n += 4, carried += CARRIED) {
    const beta = ownOf(args, isOwn, 0, column + n),
      theta = ownOf(args, isOwn, 1, column + n);
    const before = states + ((<usize>n) << 3),
      after = before + STATES;
    const x = neuron.excess(v128.load(after), v128.load(after, 16), theta, at);
    const spike = f32x4.add(v128.load(gradient + bytes(n)), v128.load(carried, 32));
    const excess = f32x4.mul(spike, slopeAt(x, surrogate));
    const gp = madd(excess, byMembrane, v128.load(carried)),
      gq = madd(excess, bySecond, v128.load(carried, 16));
    const p = v128.load(before),
      q = v128.load(before, 16);
    neuron.vjp(p, q, v128.load(current + bytes(n)), gp, gq, beta, theta, at, product);
    v128.store(carried, v128.load(product));
    v128.store(carried, v128.load(product, 16), 16);
    v128.store(carried, v128.load(product, 48), 32);
    let total = v128.load(product, 32);
    if (isSum) total = f32x4.add(total, v128.load(carried, 48));
    v128.store(carried, total, 48);
    storeUpTo(output + bytes(n), total, count - n);
    if (isOwn) {
      const taken = v128.and(f32x4.gt(p, theta), gp);
      v128.store(carried, madd(gp, p, v128.load(carried, 64)), 64);
      v128.store(carried, f32x4.sub(v128.load(carried, 80), f32x4.add(excess, taken)), 80);
    }
  }
}

/** Stores the gradients of beta and threshold of one row's neurons. */
function storeOwn(args: usize, place: usize, count: i32, carried: usize): void {
  for (let n = 0; n < count; n += 4, carried += CARRIED) {
    const to = place + bytes(n);
    storeUpTo(address(args, CONSTANTS + 2) + to, v128.load(carried, 64), count - n);
    storeUpTo(address(args, CONSTANTS + 3) + to, v128.load(carried, 80), count - n);
  }
}

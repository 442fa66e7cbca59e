import { address, bytes, whole } from './arguments';
// oxlint-disable-next-line typescript/consistent-type-imports -- AssemblyScript has no such imports.
import { Alif, EvoLif, Izhikevich, LifZero, LayerModel } from './neuron-models';
import { slopeAt } from './neurons';
import { storeUpTo } from './rows';
import { madd } from './simd';

const WORD: i32 = 32;
/** Bytes of the states of the 32 neurons of a word: membrane and second number of 8 x 4. */
const STATES: usize = 256;
/** Bytes of what four neurons carry back: gradients of membrane, second number, spike, current, beta, threshold. */
const CARRIED: usize = 96;

/** The models, as the backend numbers them, Izhikevich's last. M below is the class of one. */
const LIF_ZERO: i32 = 0;
const ALIF: i32 = 1;

/*
 * Arguments of all six kernels: current, steps, rows, width, words between the steps of the current (0
 * where it is held), spikes, their gradient or membranes, gradient of the current, model, surrogate; then the model's
 * constants or, of neurons with their own, beta, threshold and the gradients of both for each row.
 */
const CONSTANTS: i32 = 9;

/**
 * neuron_forward: 32 neurons through all time steps, four at a time, with their states in scratch.
 *
 * Items      words of spikes of one time step, rows x ceil(width / 32)
 * Scratch    256 bytes
 */
export function neuron_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const model = whole(args, 7);
  if (model == LIF_ZERO) forward<LifZero>(args, first, last, scratch);
  else if (model == ALIF) forward<Alif>(args, first, last, scratch);
  else forward<Izhikevich>(args, first, last, scratch);
}

/** evo_lif_forward: the same for neurons with a beta and a threshold of their own. */
export function evo_lif_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  forward<EvoLif>(args, first, last, scratch);
}

/** Number 0 (beta) or 1 (threshold) of the neurons from `column` on. */
function ownOf(args: usize, isOwn: bool, index: i32, column: i32): v128 {
  if (!isOwn) return v128.load_splat<f32>(args + bytes(CONSTANTS + index));
  return v128.load(address(args, CONSTANTS + index) + bytes(column));
}

/** Puts `count` neurons at rest. */
function restAll<M extends LayerModel>(args: usize, count: i32, states: usize): void {
  const neuron = changetype<M>(0),
    at = args + bytes(CONSTANTS);
  for (let n = 0; n < count; n += 4) {
    v128.store(states + ((<usize>n) << 3), neuron.rest(at));
    v128.store(states + ((<usize>n) << 3), neuron.secondRest(at), 16);
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
    isOwn = idof<M>() == idof<EvoLif>(),
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

function forward<M extends LayerModel>(args: usize, first: i32, last: i32, scratch: usize): void {
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
    restAll<M>(args, count, scratch);
    for (let t = 0; t < steps; t++, from += stride, to += strideOut) {
      store<u32>(to, advance<M>(args, from, column, count, scratch, scratch) & inside);
    }
  }
}

/**
 * neuron_membrane: the membranes of 32 neurons before each reset, for pictures.
 *
 * Items      words of spikes of one time step, rows x ceil(width / 32)
 * Scratch    256 bytes
 */
export function neuron_membrane(args: usize, first: i32, last: i32, scratch: usize): void {
  const model = whole(args, 7);
  if (model == LIF_ZERO) membranes<LifZero>(args, first, last, scratch);
  else if (model == ALIF) membranes<Alif>(args, first, last, scratch);
  else membranes<Izhikevich>(args, first, last, scratch);
}

/** evo_lif_membrane: the same for neurons with a beta and a threshold of their own. */
export function evo_lif_membrane(args: usize, first: i32, last: i32, scratch: usize): void {
  membranes<EvoLif>(args, first, last, scratch);
}

function membranes<M extends LayerModel>(args: usize, first: i32, last: i32, scratch: usize): void {
  const width = whole(args, 3),
    step = bytes(whole(args, 2)) * width;
  const words = (width + WORD - 1) / WORD;
  for (let item = first; item < last; item++) {
    const column = (item % words) * WORD,
      count = min(WORD, width - column),
      place = bytes(item / words) * width + bytes(column);
    restAll<M>(args, count, scratch);
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
 * neuron_backward: computes the states of 32 neurons again, keeps them in scratch, and carries the
 * gradient back through the steps; resets are constants.
 *
 * Items      words of spikes of one time step, rows x ceil(width / 32)
 * Scratch    (steps + 1) x 256 + 8 x 96 + 64 bytes
 */
export function neuron_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const model = whole(args, 7);
  if (model == LIF_ZERO) backward<LifZero>(args, first, last, scratch);
  else if (model == ALIF) backward<Alif>(args, first, last, scratch);
  else backward<Izhikevich>(args, first, last, scratch);
}

/** evo_lif_backward: the same for neurons with a beta and a threshold of their own. */
export function evo_lif_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  backward<EvoLif>(args, first, last, scratch);
}

function backward<M extends LayerModel>(args: usize, first: i32, last: i32, scratch: usize): void {
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
    restAll<M>(args, count, scratch);
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
      retreat<M>(args, stride * t + place, gradient, column, count, states, carried, isSum);
    }
    if (idof<M>() == idof<EvoLif>()) storeOwn(args, place, count, carried);
  }
}

/** One step of `count` neurons back; `place` is where the step of the current lies, and of its gradient. */
function retreat<M extends LayerModel>(
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
    isOwn = idof<M>() == idof<EvoLif>(),
    surrogate = whole(args, 8),
    at = args + bytes(CONSTANTS);
  const current = address(args, 0) + place,
    output = address(args, 6) + place,
    earlier = carried + 8 * CARRIED;
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
    neuron.retreat(p, q, v128.load(current + bytes(n)), gp, gq, beta, theta, at, earlier);
    v128.store(carried, v128.load(earlier));
    v128.store(carried, v128.load(earlier, 16), 16);
    v128.store(carried, v128.load(earlier, 48), 32);
    let total = v128.load(earlier, 32);
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

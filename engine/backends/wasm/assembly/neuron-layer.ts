import { address, bytes, whole } from './arguments';
import {
  EVO_LIF,
  excessByMembrane,
  excessBySecond,
  excessOf,
  firesOf,
  nextMembrane,
  nextSecond,
  restOf,
  retreat,
  secondRestOf,
} from './neuron-models';
import { slopeAt } from './neurons';
import { storeUpTo } from './rows';
import { madd } from './simd';

const WORD: i32 = 32;

/*
 * Arguments of all four kernels: current, steps, rows, width, words between the steps of the current (0
 * where it is held), spikes or their gradient, gradient of the current, model, surrogate; then the model's
 * constants or, of neurons with their own, beta, threshold and the gradients of both for each row.
 */
const CONSTANTS: i32 = 9;

/**
 * neuron_forward: four neurons at a time through all time steps.
 *
 * Items      words of spikes of one time step, rows x ceil(width / 32)
 */
export function neuron_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  forward(args, first, last, whole(args, 7));
}

/** evo_lif_forward: the same for neurons with a beta and a threshold of their own. */
export function evo_lif_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  forward(args, first, last, EVO_LIF);
}

/** Number 0 (beta) or 1 (threshold) of the neurons from `column` on. */
function ownOf(args: usize, model: i32, index: i32, column: i32): v128 {
  if (model != EVO_LIF) return v128.load_splat<f32>(args + bytes(CONSTANTS + index));
  return v128.load(address(args, CONSTANTS + index) + bytes(column));
}

function forward(args: usize, first: i32, last: i32, model: i32): void {
  const current = address(args, 0),
    steps = whole(args, 1),
    rows = whole(args, 2);
  const width = whole(args, 3),
    stride = bytes(whole(args, 4)),
    spikes = address(args, 5);
  const words = (width + WORD - 1) / WORD,
    strideOut = bytes(rows * words),
    at = args + bytes(CONSTANTS);
  for (let item = first; item < last; item++) {
    const row = item / words,
      start = (item % words) * WORD;
    const to = spikes + bytes(item),
      end = min(width, start + WORD);
    for (let t = 0; t < steps; t++) store<u32>(to + strideOut * t, 0);
    for (let column = start; column < end; column += 4) {
      const beta = ownOf(args, model, 0, column),
        theta = ownOf(args, model, 1, column);
      const inside = end - column >= 4 ? 15 : (1 << (end - column)) - 1;
      let from = current + bytes(row) * width + bytes(column),
        word = to;
      let p = restOf(model, at),
        q = secondRestOf(model, at);
      for (let t = 0; t < steps; t++, from += stride, word += strideOut) {
        const next = nextMembrane(model, p, q, v128.load(from), beta, theta, at);
        q = nextSecond(model, p, q, next, theta, at);
        p = next;
        const fired = i32x4.bitmask(firesOf(model, p, q, theta, at)) & inside;
        store<i32>(word, load<i32>(word) | (fired << (column - start)));
      }
    }
  }
}

/**
 * neuron_backward: computes the states of four neurons again, keeps them in scratch, and carries the
 * gradient back through the steps; resets are constants.
 *
 * Items      words of spikes of one time step, rows x ceil(width / 32)
 * Scratch    2 x steps + 4 vectors
 */
export function neuron_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  backward(args, first, last, whole(args, 7), scratch);
}

/** evo_lif_backward: the same for neurons with a beta and a threshold of their own. */
export function evo_lif_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  backward(args, first, last, EVO_LIF, scratch);
}

function backward(args: usize, first: i32, last: i32, model: i32, scratch: usize): void {
  const width = whole(args, 3),
    words = (width + WORD - 1) / WORD;
  for (let item = first; item < last; item++) {
    const start = (item % words) * WORD,
      end = min(width, start + WORD);
    for (let column = start; column < end; column += 4) {
      carryBack(args, model, item / words, column, scratch);
    }
  }
}

/** Four neurons of one row through all steps, and back. */
function carryBack(args: usize, model: i32, row: i32, column: i32, scratch: usize): void {
  const steps = whole(args, 1),
    width = whole(args, 3),
    stride = bytes(whole(args, 4));
  const surrogate = whole(args, 8),
    at = args + bytes(CONSTANTS),
    left = width - column;
  const place = bytes(row) * width + bytes(column),
    step = bytes(whole(args, 2)) * width;
  const current = address(args, 0) + place,
    gradient = address(args, 5) + place,
    output = address(args, 6) + place;
  const beta = ownOf(args, model, 0, column),
    theta = ownOf(args, model, 1, column);

  let p = restOf(model, at),
    q = secondRestOf(model, at);
  for (let t = 0; t < steps; t++) {
    const trail = scratch + ((<usize>t) << 5);
    v128.store(trail, p);
    v128.store(trail, q, 16);
    const next = nextMembrane(model, p, q, v128.load(current + stride * t), beta, theta, at);
    q = nextSecond(model, p, q, next, theta, at);
    p = next;
  }

  const zero = f32x4.splat(0),
    byMembrane = excessByMembrane(model, at),
    bySecond = excessBySecond(model, at);
  const earlier = scratch + ((<usize>steps) << 5);
  let gp = zero,
    gq = zero,
    felt = zero,
    total = zero,
    ofBeta = zero,
    ofTheta = zero;
  for (let t = steps - 1; t >= 0; t--) {
    const slope = slopeAt(excessOf(model, p, q, theta, at), surrogate);
    const excess = f32x4.mul(f32x4.add(v128.load(gradient + step * t), felt), slope);
    gp = madd(excess, byMembrane, gp);
    gq = madd(excess, bySecond, gq);
    const trail = scratch + ((<usize>t) << 5);
    p = v128.load(trail);
    q = v128.load(trail, 16);
    const drive = v128.load(current + stride * t);
    retreat(model, p, q, drive, gp, gq, beta, theta, at, earlier);
    ofBeta = madd(gp, p, ofBeta);
    ofTheta = f32x4.sub(ofTheta, f32x4.add(excess, v128.and(f32x4.gt(p, theta), gp)));
    gp = v128.load(earlier);
    gq = v128.load(earlier, 16);
    felt = v128.load(earlier, 48);
    total = f32x4.add(stride ? zero : total, v128.load(earlier, 32));
    if (stride || t == 0) storeUpTo(output + stride * t, total, left);
  }
  if (model != EVO_LIF) return;
  storeUpTo(address(args, CONSTANTS + 2) + place, ofBeta, left);
  storeUpTo(address(args, CONSTANTS + 3) + place, ofTheta, left);
}

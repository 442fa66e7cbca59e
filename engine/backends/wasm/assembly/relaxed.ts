import { address, bytes, real, whole } from './arguments';
import { betaOf, slopeAt } from './neurons';
import { storeUpTo } from './rows';
import { madd, sigmoid4 } from './simd';

/** Steepness of the sigmoid of relaxed spikes. */
const SLOPE: f32 = 4;

/*
 * Both kernels of neurons begin with: steps, neurons, words between the steps of the current (0 where it is
 * held), beta, threshold, where a beta that moves lies (0 where there is none), current, hardness.
 */

/** (1 - hardness) soft + hardness hard. */
function blend(soft: v128, hard: v128, hardness: v128): v128 {
  return madd(hardness, f32x4.sub(hard, soft), soft);
}

function softSpike(x: v128): v128 {
  return sigmoid4(f32x4.mul(x, f32x4.splat(SLOPE)));
}

/** One time step of four neurons: decay, current and what their last spikes, of any size, took away. */
function integrate(u: v128, s: v128, current: v128, beta: v128, threshold: v128): v128 {
  return madd(beta, u, f32x4.sub(current, f32x4.mul(s, threshold)));
}

/** The spike of a neuron at x = membrane - threshold. */
function spikeAt(x: v128, hardness: v128): v128 {
  const hard = v128.and(f32x4.gt(x, f32x4.splat(0)), f32x4.splat(1));
  return blend(softSpike(x), hard, hardness);
}

/**
 * relaxed_lif_forward: four neurons through all time steps;
 * shaders/relaxed/relaxed_lif_forward.wgsl has the equations.
 *
 * Items      groups of four neurons
 * Arguments  those of its row, then rows x width, words between the steps of the current
 */
export function relaxed_lif_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const steps = whole(args, 4),
    neurons = whole(args, 10),
    stride = bytes(whole(args, 11));
  const beta = f32x4.splat(betaOf(args, 8, 3)),
    threshold = f32x4.splat(real(args, 9)),
    hardness = f32x4.splat(load<f32>(address(args, 1)));
  for (let item = first; item < last; item++) {
    const at = bytes(item << 2),
      left = neurons - (item << 2);
    let u = f32x4.splat(0),
      s = u;
    for (let t = 0; t < steps; t++) {
      u = integrate(u, s, v128.load(address(args, 0) + stride * t + at), beta, threshold);
      s = spikeAt(f32x4.sub(u, threshold), hardness);
      storeUpTo(address(args, 2) + bytes(neurons) * t + at, s, left);
    }
  }
}

/**
 * relaxed_lif_backward: computes the slopes of all time steps again and carries the gradient back.
 *
 * Items      groups of four neurons
 * Arguments  those of its row, then rows x width, words between the steps of the current
 * Scratch    a vector for each step
 */
export function relaxed_lif_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const steps = whole(args, 5),
    neurons = whole(args, 12),
    stride = bytes(whole(args, 13)),
    surrogate = whole(args, 11);
  const beta = f32x4.splat(betaOf(args, 9, 4)),
    threshold = f32x4.splat(real(args, 10)),
    hardness = f32x4.splat(load<f32>(address(args, 1)));
  const one = f32x4.splat(1);
  for (let item = first; item < last; item++) {
    const at = bytes(item << 2),
      left = neurons - (item << 2);
    let u = f32x4.splat(0),
      s = u;
    for (let t = 0; t < steps; t++) {
      u = integrate(u, s, v128.load(address(args, 0) + stride * t + at), beta, threshold);
      const x = f32x4.sub(u, threshold),
        soft = softSpike(x);
      s = spikeAt(x, hardness);
      const steep = f32x4.mul(f32x4.splat(SLOPE), f32x4.mul(soft, f32x4.sub(one, soft)));
      v128.store(scratch + ((<usize>t) << 4), blend(steep, slopeAt(x, surrogate), hardness));
    }
    let d = f32x4.splat(0),
      total = d;
    for (let t = steps - 1; t >= 0; t--) {
      const given = v128.load(address(args, 2) + bytes(neurons) * t + at);
      d = madd(given, v128.load(scratch + ((<usize>t) << 4)), f32x4.mul(beta, d));
      total = stride ? d : f32x4.add(total, d);
      if (stride || t == 0) storeUpTo(address(args, 3) + stride * t + at, total, left);
    }
  }
}

/**
 * decay_scores: what lies far back counts less, the future nothing.
 *
 * Items      rows of scores
 */
export function decay_scores(args: usize, first: i32, last: i32, scratch: usize): void {
  const sequence = whole(args, 3),
    heads = whole(args, 4);
  for (let row = first; row < last; row++) {
    const decay = address(args, 0) + bytes(((row / sequence) % heads) * sequence),
      scores = address(args, 1) + bytes(sequence) * row,
      i = row % sequence;
    for (let j = 0; j <= i; j++) {
      const at = scores + bytes(j);
      store<f32>(at, load<f32>(at) * load<f32>(decay + bytes(i - j)));
    }
    memory.fill(scores + bytes(i + 1), 0, bytes(sequence - 1 - i));
  }
}

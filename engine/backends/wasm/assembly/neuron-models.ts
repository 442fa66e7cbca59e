import { whole } from './arguments';
/* oxlint-disable typescript/consistent-type-imports -- AssemblyScript has no such imports. */
import { Izhikevich } from './izhikevich';
import { backward, forward, LayerModel, membranes, storeGradients } from './neuron-layer';
import { madd } from './simd';

/** Leaky integrate-and-fire with reset by subtraction; beta and theta are each neuron's own. */
class EvoLif implements LayerModel {
  isOwn(): bool {
    return true;
  }
  initial(at: usize): v128 {
    return f32x4.splat(0);
  }
  initialSecond(at: usize): v128 {
    return f32x4.splat(0);
  }
  excess(p: v128, q: v128, theta: v128, at: usize): v128 {
    return f32x4.sub(p, theta);
  }
  fires(p: v128, q: v128, theta: v128, at: usize): v128 {
    return f32x4.gt(p, theta);
  }
  excessByMembrane(at: usize): v128 {
    return f32x4.splat(1);
  }
  excessBySecond(at: usize): v128 {
    return f32x4.splat(0);
  }
  next(p: v128, q: v128, current: v128, beta: v128, theta: v128, at: usize): v128 {
    return f32x4.sub(madd(beta, p, current), v128.and(f32x4.gt(p, theta), theta));
  }
  nextSecond(p: v128, q: v128, membrane: v128, theta: v128, at: usize): v128 {
    return q;
  }
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
  ): void {
    storeGradients(to, f32x4.mul(beta, gp), f32x4.splat(0), gp, f32x4.splat(0));
  }
}

/** Leaky integrate-and-fire with reset to zero. Constants: decay, threshold. */
class LifZero implements LayerModel {
  isOwn(): bool {
    return false;
  }
  initial(at: usize): v128 {
    return f32x4.splat(0);
  }
  initialSecond(at: usize): v128 {
    return f32x4.splat(0);
  }
  excess(p: v128, q: v128, theta: v128, at: usize): v128 {
    return f32x4.sub(p, theta);
  }
  fires(p: v128, q: v128, theta: v128, at: usize): v128 {
    return f32x4.gt(p, theta);
  }
  excessByMembrane(at: usize): v128 {
    return f32x4.splat(1);
  }
  excessBySecond(at: usize): v128 {
    return f32x4.splat(0);
  }
  next(p: v128, q: v128, current: v128, beta: v128, theta: v128, at: usize): v128 {
    return madd(beta, v128.andnot(p, f32x4.gt(p, theta)), current);
  }
  nextSecond(p: v128, q: v128, membrane: v128, theta: v128, at: usize): v128 {
    return q;
  }
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
  ): void {
    const kept = v128.andnot(f32x4.mul(beta, gp), f32x4.gt(p, theta));
    storeGradients(to, kept, f32x4.splat(0), gp, f32x4.splat(0));
  }
}

const ADAPTATION_DECAY: usize = 8;
const ADAPTATION_GAIN: usize = 12;

/** LIF with an adaptive threshold. Constants: decay, threshold, adaptation decay, adaptation gain. */
class Alif implements LayerModel {
  isOwn(): bool {
    return false;
  }
  initial(at: usize): v128 {
    return f32x4.splat(0);
  }
  initialSecond(at: usize): v128 {
    return f32x4.splat(0);
  }
  excess(p: v128, q: v128, theta: v128, at: usize): v128 {
    const raised = f32x4.mul(v128.load_splat<f32>(at + ADAPTATION_GAIN), q);
    return f32x4.sub(f32x4.sub(p, theta), raised);
  }
  fires(p: v128, q: v128, theta: v128, at: usize): v128 {
    return f32x4.gt(this.excess(p, q, theta, at), f32x4.splat(0));
  }
  excessByMembrane(at: usize): v128 {
    return f32x4.splat(1);
  }
  excessBySecond(at: usize): v128 {
    return f32x4.neg(v128.load_splat<f32>(at + ADAPTATION_GAIN));
  }
  next(p: v128, q: v128, current: v128, beta: v128, theta: v128, at: usize): v128 {
    return f32x4.sub(madd(beta, p, current), v128.and(this.fires(p, q, theta, at), theta));
  }
  nextSecond(p: v128, q: v128, membrane: v128, theta: v128, at: usize): v128 {
    const raised = v128.and(this.fires(p, q, theta, at), f32x4.splat(1));
    return madd(v128.load_splat<f32>(at + ADAPTATION_DECAY), q, raised);
  }
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
  ): void {
    const second = f32x4.mul(v128.load_splat<f32>(at + ADAPTATION_DECAY), gq);
    storeGradients(to, f32x4.mul(beta, gp), second, gp, gq);
  }
}

/** The models by their place in LAYER_MODELS of engine/kernels/neurons.ts. */
const LIF_ZERO: i32 = 0;
const ALIF: i32 = 1;

/*
 * Arguments of all six kernels: current, steps, rows, width, words between the steps of the current (0
 * where it is held), spikes, their gradient or membranes, gradient of the current, model, surrogate; then the model's
 * constants or, of neurons with their own, beta, threshold and the gradients of both for each row.
 */

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

/**
 * neuron_membrane: the membranes of 32 neurons before each reset, for plots.
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

import { madd } from './simd';

/** The neuron models, as the backend numbers them. docs/design/neurons.md has their equations. */
export const LIF_ZERO: i32 = 0;
export const EVO_LIF: i32 = 1;
export const ALIF: i32 = 2;

/*
 * A neuron's state is its membrane as it was before the reset and, where the model has one, a second number.
 * `beta` and `theta` are decay and threshold of all but Izhikevich's neuron; `at` is where the constants of
 * the model lie: decay, threshold, adaptation decay, adaptation gain of ALIF, those of Izhikevich below.
 */
const ADAPTATION_DECAY: usize = 8;
const ADAPTATION_GAIN: usize = 12;

const A: usize = 0;
const B: usize = 4;
const C: usize = 8;
const D: usize = 12;
const START: usize = 16;
const DT: usize = 20;
const SUBSTEPS: usize = 24;
const SPAN: usize = 28;
const PEAK: f32 = 30;

function isIzhikevich(model: i32): bool {
  return model > ALIF;
}

function isPublished(at: usize): bool {
  return load<f32>(at + SUBSTEPS) == 2;
}

/** Membrane of a neuron at rest. */
export function restOf(model: i32, at: usize): v128 {
  return isIzhikevich(model) ? v128.load_splat<f32>(at + START) : f32x4.splat(0);
}

/** Second number of a neuron at rest. */
export function secondRestOf(model: i32, at: usize): v128 {
  if (!isIzhikevich(model)) return f32x4.splat(0);
  return f32x4.splat(load<f32>(at + B) * load<f32>(at + START));
}

/** How far the state is above the threshold, in the surrogate's unit. */
export function excessOf(model: i32, p: v128, q: v128, theta: v128, at: usize): v128 {
  if (isIzhikevich(model)) {
    return f32x4.div(f32x4.sub(p, f32x4.splat(PEAK)), v128.load_splat<f32>(at + SPAN));
  }
  const x = f32x4.sub(p, theta);
  if (model != ALIF) return x;
  return f32x4.sub(x, f32x4.mul(v128.load_splat<f32>(at + ADAPTATION_GAIN), q));
}

/** All bits of the lanes that fire. */
export function firesOf(model: i32, p: v128, q: v128, theta: v128, at: usize): v128 {
  if (isIzhikevich(model)) return f32x4.ge(p, f32x4.splat(PEAK));
  if (model == ALIF) return f32x4.gt(excessOf(model, p, q, theta, at), f32x4.splat(0));
  return f32x4.gt(p, theta);
}

/** Derivative of the excess by the membrane. */
export function excessByMembrane(model: i32, at: usize): v128 {
  return f32x4.splat(isIzhikevich(model) ? <f32>1 / load<f32>(at + SPAN) : <f32>1);
}

/** Derivative of the excess by the second number. */
export function excessBySecond(model: i32, at: usize): v128 {
  return f32x4.splat(model == ALIF ? -load<f32>(at + ADAPTATION_GAIN) : <f32>0);
}

/** v + h (0.04 v^2 + 5 v + 140 - u + I) */
function rise(v: v128, u: v128, current: v128, h: v128): v128 {
  const slope = madd(f32x4.splat(0.04), v, f32x4.splat(5));
  const sum = f32x4.add(f32x4.sub(f32x4.splat(140), u), current);
  return madd(h, madd(slope, v, sum), v);
}

/** Its derivative by v. */
function riseByV(v: v128, h: v128): v128 {
  return madd(h, madd(f32x4.splat(0.08), v, f32x4.splat(5)), f32x4.splat(1));
}

function halfStep(at: usize): v128 {
  return f32x4.splat(load<f32>(at + DT) / load<f32>(at + SUBSTEPS));
}

function membraneAfterReset(p: v128, fired: v128, at: usize): v128 {
  return v128.bitselect(v128.load_splat<f32>(at + C), p, fired);
}

function recoveryAfterReset(q: v128, fired: v128, at: usize): v128 {
  return f32x4.add(q, v128.and(fired, v128.load_splat<f32>(at + D)));
}

/** The membrane one step on. */
export function nextMembrane(
  model: i32,
  p: v128,
  q: v128,
  current: v128,
  beta: v128,
  theta: v128,
  at: usize,
): v128 {
  const fired = firesOf(model, p, q, theta, at);
  if (isIzhikevich(model)) {
    const v = membraneAfterReset(p, fired, at),
      u = recoveryAfterReset(q, fired, at),
      h = halfStep(at);
    const next = rise(v, u, current, h);
    return isPublished(at) ? rise(next, u, current, h) : next;
  }
  if (model == LIF_ZERO) return madd(beta, v128.andnot(p, fired), current);
  return f32x4.sub(madd(beta, p, current), v128.and(fired, theta));
}

/** The second number one step on, when the membrane already is. */
export function nextSecond(
  model: i32,
  p: v128,
  q: v128,
  membrane: v128,
  theta: v128,
  at: usize,
): v128 {
  if (model < ALIF) return q;
  const fired = firesOf(model, p, q, theta, at);
  if (model == ALIF) {
    const raised = v128.and(fired, f32x4.splat(1));
    return madd(v128.load_splat<f32>(at + ADAPTATION_DECAY), q, raised);
  }
  const u = recoveryAfterReset(q, fired, at);
  const v = isPublished(at) ? membrane : membraneAfterReset(p, fired, at);
  const rate = f32x4.splat(load<f32>(at + DT) * load<f32>(at + A));
  return madd(rate, f32x4.sub(f32x4.mul(v128.load_splat<f32>(at + B), v), u), u);
}

/**
 * What the gradient (gp, gq) of a state becomes one step earlier, stored at `to`: of the membrane, of the
 * second number, of the current, and of the spike where the model feels it other than by its reset, which
 * is a constant.
 */
export function retreat(
  model: i32,
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
  if (isIzhikevich(model)) {
    retreatIzhikevich(p, q, current, gp, gq, at, to);
    return;
  }
  let membrane = f32x4.mul(beta, gp);
  if (model == LIF_ZERO) {
    membrane = v128.andnot(membrane, firesOf(model, p, q, theta, at));
  }
  const isAdaptive = model == ALIF;
  v128.store(to, membrane);
  v128.store(
    to,
    isAdaptive ? f32x4.mul(v128.load_splat<f32>(at + ADAPTATION_DECAY), gq) : f32x4.splat(0),
    16,
  );
  v128.store(to, gp, 32);
  v128.store(to, isAdaptive ? gq : f32x4.splat(0), 48);
}

function retreatIzhikevich(
  p: v128,
  q: v128,
  current: v128,
  gp: v128,
  gq: v128,
  at: usize,
  to: usize,
): void {
  const fired = f32x4.ge(p, f32x4.splat(PEAK)),
    h = halfStep(at);
  const v = membraneAfterReset(p, fired, at),
    u = recoveryAfterReset(q, fired, at);
  const rate = load<f32>(at + DT) * load<f32>(at + A);
  const byRecovery = f32x4.mul(f32x4.splat(rate * load<f32>(at + B)), gq);
  let byHalf = gp,
    byNext = f32x4.splat(0),
    byV = byRecovery;
  if (isPublished(at)) {
    byNext = f32x4.add(gp, byRecovery);
    byHalf = f32x4.mul(byNext, riseByV(rise(v, u, current, h), h));
    byV = f32x4.splat(0);
  }
  const byDrive = f32x4.mul(h, f32x4.add(byHalf, byNext));
  byV = madd(byHalf, riseByV(v, h), byV);
  v128.store(to, v128.andnot(byV, fired));
  v128.store(to, f32x4.sub(f32x4.mul(f32x4.splat(<f32>1 - rate), gq), byDrive), 16);
  v128.store(to, byDrive, 32);
  v128.store(to, f32x4.splat(0), 48);
}

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
  /** Membrane and second number of a neuron at rest. */
  rest(at: usize): v128;
  secondRest(at: usize): v128;
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
   * What the gradient (gp, gq) of a state becomes one step earlier, stored at `to`: of the membrane, of
   * the second number, of the current, and of the spike where the model feels it other than by its
   * reset, which is a constant.
   */
  retreat(
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

function storeEarlier(to: usize, membrane: v128, second: v128, current: v128, spike: v128): void {
  v128.store(to, membrane);
  v128.store(to, second, 16);
  v128.store(to, current, 32);
  v128.store(to, spike, 48);
}

/** Leaky integrate-and-fire with reset by subtraction; beta and theta are each neuron's own. */
export class EvoLif implements LayerModel {
  rest(at: usize): v128 {
    return f32x4.splat(0);
  }
  secondRest(at: usize): v128 {
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
  retreat(
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
    storeEarlier(to, f32x4.mul(beta, gp), f32x4.splat(0), gp, f32x4.splat(0));
  }
}

/** Leaky integrate-and-fire with reset to zero. Constants: decay, threshold. */
export class LifZero implements LayerModel {
  rest(at: usize): v128 {
    return f32x4.splat(0);
  }
  secondRest(at: usize): v128 {
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
  retreat(
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
    storeEarlier(to, kept, f32x4.splat(0), gp, f32x4.splat(0));
  }
}

const ADAPTATION_DECAY: usize = 8;
const ADAPTATION_GAIN: usize = 12;

/** LIF with an adaptive threshold. Constants: decay, threshold, adaptation decay, adaptation gain. */
export class Alif implements LayerModel {
  rest(at: usize): v128 {
    return f32x4.splat(0);
  }
  secondRest(at: usize): v128 {
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
  retreat(
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
    storeEarlier(to, f32x4.mul(beta, gp), second, gp, gq);
  }
}

const A: usize = 0;
const B: usize = 4;
const C: usize = 8;
const D: usize = 12;
const START: usize = 16;
const DT: usize = 20;
const SUBSTEPS: usize = 24;
const SPAN: usize = 28;
const DRIVE: usize = 32;
const PEAK: f32 = 30;

/** Izhikevich's neuron. Constants: a, b, c, d, start, dt, substeps, span, drive. */
export class Izhikevich implements LayerModel {
  rest(at: usize): v128 {
    return v128.load_splat<f32>(at + START);
  }
  secondRest(at: usize): v128 {
    return f32x4.splat(load<f32>(at + B) * load<f32>(at + START));
  }
  excess(p: v128, q: v128, theta: v128, at: usize): v128 {
    return f32x4.div(f32x4.sub(p, f32x4.splat(PEAK)), v128.load_splat<f32>(at + SPAN));
  }
  fires(p: v128, q: v128, theta: v128, at: usize): v128 {
    return f32x4.ge(p, f32x4.splat(PEAK));
  }
  excessByMembrane(at: usize): v128 {
    return f32x4.splat(<f32>1 / load<f32>(at + SPAN));
  }
  excessBySecond(at: usize): v128 {
    return f32x4.splat(0);
  }
  next(p: v128, q: v128, current: v128, beta: v128, theta: v128, at: usize): v128 {
    const v = membraneAfterReset(p, at),
      u = recoveryAfterReset(p, q, at),
      h = partOf(at),
      driven = f32x4.mul(current, v128.load_splat<f32>(at + DRIVE));
    const next = rise(v, u, driven, h);
    return isPublished(at) ? rise(next, u, driven, h) : next;
  }
  nextSecond(p: v128, q: v128, membrane: v128, theta: v128, at: usize): v128 {
    const u = recoveryAfterReset(p, q, at);
    const v = isPublished(at) ? membrane : membraneAfterReset(p, at);
    const drawn = f32x4.sub(f32x4.mul(v128.load_splat<f32>(at + B), v), u);
    return madd(f32x4.splat(load<f32>(at + DT) * load<f32>(at + A)), drawn, u);
  }
  retreat(
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
    const h = partOf(at),
      v = membraneAfterReset(p, at),
      u = recoveryAfterReset(p, q, at);
    const drive = v128.load_splat<f32>(at + DRIVE),
      driven = f32x4.mul(current, drive);
    const rate = load<f32>(at + DT) * load<f32>(at + A);
    const byRecovery = f32x4.mul(f32x4.splat(rate * load<f32>(at + B)), gq);
    let byHalf = gp,
      byNext = f32x4.splat(0),
      byV = byRecovery;
    if (isPublished(at)) {
      byNext = f32x4.add(gp, byRecovery);
      byHalf = f32x4.mul(byNext, riseByV(rise(v, u, driven, h), h));
      byV = f32x4.splat(0);
    }
    const byDrive = f32x4.mul(h, f32x4.add(byHalf, byNext));
    byV = madd(byHalf, riseByV(v, h), byV);
    const membrane = v128.andnot(byV, f32x4.ge(p, f32x4.splat(PEAK)));
    const second = f32x4.sub(f32x4.mul(f32x4.splat(<f32>1 - rate), gq), byDrive);
    storeEarlier(to, membrane, second, f32x4.mul(drive, byDrive), f32x4.splat(0));
  }
}

function isPublished(at: usize): bool {
  return load<f32>(at + SUBSTEPS) == 2;
}

/** Milliseconds of an Euler step of the membrane. */
function partOf(at: usize): v128 {
  return f32x4.splat(load<f32>(at + DT) / load<f32>(at + SUBSTEPS));
}

function membraneAfterReset(p: v128, at: usize): v128 {
  return v128.bitselect(v128.load_splat<f32>(at + C), p, f32x4.ge(p, f32x4.splat(PEAK)));
}

function recoveryAfterReset(p: v128, q: v128, at: usize): v128 {
  const added = v128.and(f32x4.ge(p, f32x4.splat(PEAK)), v128.load_splat<f32>(at + D));
  return f32x4.add(q, added);
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

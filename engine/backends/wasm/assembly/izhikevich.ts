// oxlint-disable-next-line typescript/consistent-type-imports -- AssemblyScript has no such imports.
import { LayerModel, storeGradients } from './neuron-layer';
import { madd } from './simd';

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
  isOwn(): bool {
    return false;
  }
  initial(at: usize): v128 {
    return v128.load_splat<f32>(at + START);
  }
  initialSecond(at: usize): v128 {
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
    storeGradients(to, membrane, second, f32x4.mul(drive, byDrive), f32x4.splat(0));
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

import { cos4, sin4, wrap4 } from './angle';
import { SynchronyBackward, SynchronyForward } from './generated/arguments';
import { bytes, strideOf } from './bytes';
import { keepUpTo, storeUpTo } from './rows';
import { sumLanes } from './simd';

/** Keeps the direction of a mean of length 0 from being 0 / 0. */
const SOFTENING: f32 = 1e-12;

/**
 * synchrony_forward: Kuramoto phases in groups, each drawn to the mean of its group, and a current that
 * follows their rhythm.
 *
 *   z = mean_j e^{i phi_j}      drive = I (1 + modulation cos(phi - arg z))
 *   phi += omega + K |z| sin(arg z - phi)
 *
 * Items      groups of rows, rows x groups
 */
export function synchrony_forward(args: SynchronyForward, first: i32, last: i32): void {
  const steps = args.steps,
    groups = args.groups,
    size = args.width / groups;
  const pairs = bytes(args.rows * groups),
    step = bytes(args.rows) * args.width;
  const strideIn = bytes(strideOf(args.currentSteps, args.steps, args.rows * args.width)),
    stridePull = bytes(strideOf(args.couplingSteps, args.steps, args.rows * args.groups)),
    modulation = args.modulation;
  for (let item = first; item < last; item++) {
    const inLayer = bytes((item % groups) * size),
      inStep = bytes(item / groups) * args.width + inLayer;
    let current = args.currentAt + inStep,
      drive = args.driveAt + inStep,
      phase = args.phaseAt + inStep;
    const frequency = args.frequencyAt + inLayer;
    memory.copy(phase, args.startAt + inLayer, bytes(size));
    for (let t = 0; t < steps; t++) {
      const x = meanWave(phase, size, 1),
        y = meanWave(phase, size, 0);
      const at = pairs * t + bytes(item);
      const mean = args.meanAt + 2 * at;
      store<f32>(mean, x);
      store<f32>(mean, y, 4);
      store<f32>(args.orderAt + at, Mathf.sqrt(x * x + y * y));
      const pull = load<f32>(args.couplingAt + stridePull * t + bytes(item));
      const depth = modulation / Mathf.sqrt(x * x + y * y + SOFTENING);
      modulate(phase, current, drive, size, x, y, depth);
      if (t < steps - 1) turn(phase, frequency, phase + step, size, x, y, pull);
      phase += step;
      drive += step;
      current += strideIn;
    }
  }
}

/** The mean of the sines of some angles, or of their cosines. */
function meanWave(phase: usize, size: i32, isCosine: bool): f32 {
  let sum = f32x4.splat(0);
  for (let i = 0; i < size; i += 4) {
    const angle = v128.load(phase + bytes(i));
    sum = f32x4.add(sum, keepUpTo(isCosine ? cos4(angle) : sin4(angle), size - i));
  }
  return sumLanes(sum) / <f32>size;
}

/** Re(z conj e^{i angle}) */
function along4(cosine: v128, sine: v128, x: f32, y: f32): v128 {
  return f32x4.add(f32x4.mul(f32x4.splat(x), cosine), f32x4.mul(f32x4.splat(y), sine));
}

/** Im(z conj e^{i angle}) */
function across4(cosine: v128, sine: v128, x: f32, y: f32): v128 {
  return f32x4.sub(f32x4.mul(f32x4.splat(y), cosine), f32x4.mul(f32x4.splat(x), sine));
}

function modulate(
  phase: usize,
  current: usize,
  drive: usize,
  size: i32,
  x: f32,
  y: f32,
  depth: f32,
): void {
  for (let i = 0; i < size; i += 4) {
    const angle = v128.load(phase + bytes(i));
    const along = f32x4.mul(f32x4.splat(depth), along4(cos4(angle), sin4(angle), x, y));
    const value = f32x4.mul(v128.load(current + bytes(i)), f32x4.add(f32x4.splat(1), along));
    storeUpTo(drive + bytes(i), value, size - i);
  }
}

function turn(
  phase: usize,
  frequency: usize,
  next: usize,
  size: i32,
  x: f32,
  y: f32,
  pull: f32,
): void {
  for (let i = 0; i < size; i += 4) {
    const angle = v128.load(phase + bytes(i));
    const drawn = f32x4.mul(f32x4.splat(pull), across4(cos4(angle), sin4(angle), x, y));
    const moved = f32x4.add(f32x4.add(angle, v128.load(frequency + bytes(i))), drawn);
    storeUpTo(next + bytes(i), wrap4(moved), size - i);
  }
}

/**
 * synchrony_backward: gradients of current and coupling, back through phases and their means.
 * shaders/neurons/synchrony_backward.wgsl has the equations.
 *
 * Items      groups of rows, rows x groups
 * Scratch    a float for each neuron of a group, rounded up to whole vectors: gradients of phases
 */
export function synchrony_backward(
  args: SynchronyBackward,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const steps = args.steps,
    groups = args.groups,
    size = args.width / groups;
  const pairs = bytes(args.rows * groups),
    stridePull = bytes(strideOf(args.couplingSteps, args.steps, args.rows * args.groups));
  for (let item = first; item < last; item++) {
    const inStep = bytes(item / groups) * args.width + bytes((item % groups) * size);
    memory.fill(scratch, 0, bytes((size + 3) & ~3));
    let total: f32 = 0;
    for (let t = steps - 1; t >= 0; t--) {
      const mean = args.meanAt + 2 * (pairs * t + bytes(item));
      const pull = stridePull * t + bytes(item);
      const byPull = stepBack(
        args,
        t,
        inStep,
        load<f32>(mean),
        load<f32>(mean, 4),
        load<f32>(args.couplingAt + pull),
        scratch,
      );
      total = stridePull ? byPull : total + byPull;
      store<f32>(args.couplingGradientAt + pull, total);
    }
  }
}

/** One step of a group back; returns the gradient of its coupling. */
function stepBack(
  args: SynchronyBackward,
  t: i32,
  inStep: usize,
  x: f32,
  y: f32,
  coupling: f32,
  carried: usize,
): f32 {
  const size = args.width / args.groups,
    stride = bytes(strideOf(args.currentSteps, args.steps, args.rows * args.width));
  const step = bytes(args.rows) * args.width * t + inStep;
  const current = args.currentAt + stride * t + inStep,
    phase = args.phaseAt + step,
    gradient = args.gradientAt + step,
    output = args.currentGradientAt + stride * t + inStep;
  const add = !stride && t < args.steps - 1;
  const square = x * x + y * y + SOFTENING,
    depth = f32x4.splat(args.modulation / Mathf.sqrt(square));
  const pull = f32x4.splat(coupling),
    one = f32x4.splat(1);
  let byX = f32x4.splat(0),
    byY = byX,
    byPull = byX;
  for (let i = 0; i < size; i += 4) {
    const at = bytes(i),
      left = size - i;
    const angle = v128.load(phase + at),
      cosine = cos4(angle),
      sine = sin4(angle);
    const along = along4(cosine, sine, x, y),
      across = across4(cosine, sine, x, y);
    const g = f32x4.mul(v128.load(gradient + at), depth);
    const p = v128.load(carried + at);
    let value = f32x4.add(v128.load(gradient + at), f32x4.mul(g, along));
    const byAlong = f32x4.mul(g, v128.load(current + at));
    if (add) value = f32x4.add(value, v128.load(output + at));
    storeUpTo(output + at, value, left);

    const shrink = f32x4.mul(along, f32x4.splat(<f32>1 / square)),
      pulled = f32x4.mul(p, pull);
    const alongX = f32x4.sub(cosine, f32x4.mul(shrink, f32x4.splat(x))),
      alongY = f32x4.sub(sine, f32x4.mul(shrink, f32x4.splat(y)));
    const toX = f32x4.sub(f32x4.mul(byAlong, alongX), f32x4.mul(pulled, sine)),
      toY = f32x4.add(f32x4.mul(byAlong, alongY), f32x4.mul(pulled, cosine));
    byX = f32x4.add(byX, keepUpTo(toX, left));
    byY = f32x4.add(byY, keepUpTo(toY, left));
    byPull = f32x4.add(byPull, keepUpTo(f32x4.mul(p, across), left));
    const kept = f32x4.mul(p, f32x4.sub(one, f32x4.mul(pull, along)));
    v128.store(carried + at, f32x4.add(kept, f32x4.mul(byAlong, across)));
  }
  const throughX = sumLanes(byX) / <f32>size,
    throughY = sumLanes(byY) / <f32>size;
  for (let i = 0; i < size; i += 4) {
    const at = bytes(i),
      angle = v128.load(phase + at);
    const through = across4(cos4(angle), sin4(angle), throughX, throughY);
    v128.store(carried + at, f32x4.add(v128.load(carried + at), through));
  }
  return sumLanes(byPull);
}

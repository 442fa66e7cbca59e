import { NeuronStep } from './generated/arguments';
import { LANES } from './generated/sizes';
import { bytes } from './bytes';
import { loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';

/*
 * neuron_step: one time step of a population, a kernel for each model (shaders/simulator/models).
 *
 * Items      words of spikes, ceil(count / 32)
 */

const WORD: i32 = 32;

const LIF: i32 = 0;
const LIF_RESET: i32 = 1;
const LIF_INTEGER: i32 = 2;
const ALIF: i32 = 3;
const IZHIKEVICH: i32 = 4;
const IZHIKEVICH_EULER: i32 = 5;
const ENTANGLED: i32 = 6;

/** Inputs and outputs of a model's step for four neurons; set before each call. */
let input: v128 = i32x4(0, 0, 0, 0);
let own: usize = 0;
let ownLine: usize = 0;
let state: usize = 0;
let stateLine: usize = 0;
let left: i32 = 0;
let time: v128 = i32x4(0, 0, 0, 0);

/** Constant `index` of the four neurons: their own, or the one that all share. */
function constant(index: i32): v128 {
  const at = own + ownLine * index;
  return ownLine > 4 ? loadUpTo(at, left) : v128.load32_splat(at);
}

function carried(index: i32): v128 {
  return loadUpTo(state + stateLine * index, left);
}

function carry(index: i32, lanes: v128): void {
  storeUpTo(state + stateLine * index, lanes, left);
}

/** Steps the neurons of a range of words. */
function each(args: NeuronStep, first: i32, last: i32, model: i32): void {
  const clock = load<u32>(args.clockAt),
    drive = args.driveAt,
    constants = args.constantsAt,
    states = args.statesAt,
    spikes = args.spikesAt;
  const count = args.count,
    slots = <u32>args.slots,
    scale = f32x4.splat(args.scale),
    perNeuron = args.perNeuron != 0;
  const line = args.ringAt + bytes(count) * (clock % slots);
  time = f32x4.splat(args.dt);
  stateLine = bytes(count);
  ownLine = perNeuron ? bytes(count) : 4;
  for (let item = first; item < last; item++) {
    const end = min(count, (item + 1) * WORD);
    let packed: u32 = 0;
    for (let n = item * WORD; n < end; n += LANES) {
      const at = bytes(n);
      left = end - n;
      state = states + at;
      own = perNeuron ? constants + at : constants;
      const arrived = f32x4.convert_i32x4_s(loadUpTo(line + at, left));
      input = f32x4.add(f32x4.mul(scale, arrived), loadUpTo(drive + at, left));
      storeUpTo(line + at, i32x4.splat(0), left);
      storeUpTo(drive + at, i32x4.splat(0), left);
      const fired = i32x4.bitmask(step(model)) & (left >= LANES ? 15 : (1 << left) - 1);
      packed |= fired << (n & (WORD - 1));
    }
    store<u32>(spikes + bytes(item), packed);
  }
}

/** Steps four neurons and gives the lanes that fired as all ones. */
function step(model: i32): v128 {
  if (model == LIF) return leaky(true);
  if (model == LIF_RESET) return leaky(false);
  if (model == LIF_INTEGER) return leakyInteger();
  if (model == ALIF) return adaptive();
  if (model == ENTANGLED) return entangled();
  return spiking(model == IZHIKEVICH);
}

export function lif_step(args: NeuronStep, first: i32, last: i32): void {
  each(args, first, last, LIF);
}

export function lif_reset_step(args: NeuronStep, first: i32, last: i32): void {
  each(args, first, last, LIF_RESET);
}

export function lif_integer_step(args: NeuronStep, first: i32, last: i32): void {
  each(args, first, last, LIF_INTEGER);
}

export function alif_step(args: NeuronStep, first: i32, last: i32): void {
  each(args, first, last, ALIF);
}

export function izhikevich_step(args: NeuronStep, first: i32, last: i32): void {
  each(args, first, last, IZHIKEVICH);
}

export function izhikevich_euler_step(args: NeuronStep, first: i32, last: i32): void {
  each(args, first, last, IZHIKEVICH_EULER);
}

export function entangled_step(args: NeuronStep, first: i32, last: i32): void {
  each(args, first, last, ENTANGLED);
}

/** Constants beta, threshold, K, kappa, mean cosine, mean sine; states u, phi, omega. */
function entangled(): v128 {
  const phase = carried(1),
    x = constant(4),
    y = constant(5),
    threshold = constant(1);
  const cosine = cosines(phase),
    sine = cosines(f32x4.sub(phase, f32x4.splat(QUARTER)));
  const length = f32x4.sqrt(madd(x, x, madd(y, y, f32x4.splat(1e-12)))),
    along = f32x4.div(madd(x, cosine, f32x4.mul(y, sine)), length);
  const before = carried(0),
    kept = f32x4.sub(
      f32x4.mul(constant(0), before),
      v128.and(threshold, f32x4.gt(before, threshold)),
    );
  const u = madd(input, madd(constant(3), along, f32x4.splat(1)), kept),
    pull = f32x4.sub(f32x4.mul(y, cosine), f32x4.mul(x, sine)),
    turned = madd(constant(2), pull, madd(time, carried(2), phase));
  const turns = f32x4.nearest(f32x4.div(turned, f32x4.splat(TURN)));
  carry(0, u);
  carry(1, f32x4.sub(turned, f32x4.mul(turns, f32x4.splat(TURN))));
  return f32x4.gt(u, threshold);
}

const TURN: f32 = 6.283185307179586;
const QUARTER: f32 = 1.5707963267948966;

function cosines(angles: v128): v128 {
  let lanes = f32x4.splat(Mathf.cos(f32x4.extract_lane(angles, 0)));
  lanes = f32x4.replace_lane(lanes, 1, Mathf.cos(f32x4.extract_lane(angles, 1)));
  lanes = f32x4.replace_lane(lanes, 2, Mathf.cos(f32x4.extract_lane(angles, 2)));
  return f32x4.replace_lane(lanes, 3, Mathf.cos(f32x4.extract_lane(angles, 3)));
}

/** Constants beta, threshold, reset, refractory steps; states u, rest. */
function leaky(isSubtractive: bool): v128 {
  const zero = f32x4.splat(0),
    one = f32x4.splat(1),
    threshold = constant(1),
    refractory = constant(3);
  const rest = carried(1),
    isReset = f32x4.gt(rest, refractory),
    remaining = f32x4.max(f32x4.sub(rest, one), zero),
    isHeld = f32x4.gt(remaining, zero);
  let held = carried(0);
  if (!isSubtractive) held = v128.bitselect(constant(2), held, isReset);
  let u = v128.bitselect(held, madd(constant(0), held, input), isHeld);
  if (isSubtractive) u = f32x4.sub(u, v128.and(threshold, isReset));
  const fires = v128.andnot(f32x4.gt(u, threshold), isHeld);
  carry(0, u);
  carry(1, v128.bitselect(f32x4.add(refractory, one), remaining, fires));
  return fires;
}

/** Constants threshold; states V. */
function leakyInteger(): v128 {
  const bounded = f32x4.max(f32x4.min(f32x4.floor(input), f32x4.splat(65536)), f32x4.splat(-65536)),
    current = i32x4.trunc_sat_f32x4_s(bounded),
    v = i32x4.trunc_sat_f32x4_s(carried(0));
  const leaked = i32x4.shr_s(i32x4.mul(v, i32x4.splat(230)), 8);
  let next = i32x4.min_s(i32x4.add(leaked, current), i32x4.splat(32767));
  next = i32x4.max_s(next, i32x4.splat(-32768));
  const fires = i32x4.gt_s(next, i32x4.trunc_sat_f32x4_s(constant(0)));
  carry(0, f32x4.convert_i32x4_s(v128.andnot(next, fires)));
  return fires;
}

/** Constants alpha, rho, theta_0, beta_a; states v, a, s. */
function adaptive(): v128 {
  const theta = constant(2),
    before = carried(2);
  const v = f32x4.sub(madd(constant(0), carried(0), input), f32x4.mul(before, theta)),
    a = madd(constant(1), carried(1), before);
  const fires = f32x4.gt(v, madd(constant(3), a, theta));
  carry(0, v);
  carry(1, a);
  carry(2, v128.and(f32x4.splat(1), fires));
  return fires;
}

/** Constants a, b, c, d; states v, u. Two half-steps and then u from the new v, or a step of Euler's method. */
function spiking(isPublished: bool): v128 {
  const peak = f32x4.splat(30),
    before = carried(0),
    isReset = f32x4.ge(before, peak);
  const v = v128.bitselect(constant(2), before, isReset),
    u = f32x4.add(carried(1), v128.and(constant(3), isReset));
  let next: v128;
  if (isPublished) {
    const half = f32x4.mul(f32x4.splat(0.5), time);
    next = madd(half, slope(v, u), v);
    next = madd(half, slope(next, u), next);
  } else next = madd(time, slope(v, u), v);
  const towards = f32x4.sub(f32x4.mul(constant(1), isPublished ? next : v), u);
  carry(0, next);
  carry(1, madd(f32x4.mul(time, constant(0)), towards, u));
  return f32x4.ge(next, peak);
}

function slope(v: v128, u: v128): v128 {
  const linear = madd(madd(f32x4.splat(0.04), v, f32x4.splat(5)), v, f32x4.splat(140));
  return f32x4.add(f32x4.sub(linear, u), input);
}

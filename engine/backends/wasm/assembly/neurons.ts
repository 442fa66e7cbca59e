import { address, bytes, real, whole } from './arguments';
import { loadSome, madd, sigmoid4, storeSome } from './simd';

const WORD: i32 = 32;

/** Steepness of the fast sigmoid and of the sigmoid. */
const SLOPE: f32 = 25;
const TRIANGLE_HEIGHT: f32 = 0.3;

/** The surrogate gradients, as the backend numbers them. */
const ATAN: i32 = 0;
const FAST_SIGMOID: i32 = 1;
const SIGMOID: i32 = 2;

/** One time step of four neurons: decay, current and the reset of those that fired the step before. */
export function integrate(membrane: v128, current: v128, beta: v128, threshold: v128): v128 {
  const reset = v128.and(f32x4.gt(membrane, threshold), threshold);
  return f32x4.sub(madd(beta, membrane, current), reset);
}

/** The slope that stands in for the derivative of a spike at x = membrane - threshold. */
export function slopeAt(x: v128, surrogate: i32): v128 {
  const one = f32x4.splat(1);
  if (surrogate == ATAN) {
    const y = f32x4.mul(x, f32x4.splat(<f32>Math.PI));
    return f32x4.div(one, madd(y, y, one));
  }
  if (surrogate == FAST_SIGMOID) {
    const y = madd(f32x4.splat(SLOPE), f32x4.abs(x), one);
    return f32x4.div(one, f32x4.mul(y, y));
  }
  if (surrogate == SIGMOID) {
    const s = sigmoid4(f32x4.mul(x, f32x4.splat(SLOPE)));
    return f32x4.mul(f32x4.splat(SLOPE), f32x4.mul(s, f32x4.sub(one, s)));
  }
  return f32x4.mul(
    f32x4.splat(TRIANGLE_HEIGHT),
    f32x4.max(f32x4.splat(0), f32x4.sub(one, f32x4.abs(x))),
  );
}

/** Argument `fixed`, or what lies at the address that argument `moving` is, where it is one. */
export function betaOf(args: usize, fixed: i32, moving: i32): f32 {
  const at = address(args, moving);
  return at ? load<f32>(at) : real(args, fixed);
}

/**
 * lif_forward: 32 neurons through all time steps with their membranes in registers.
 *
 *   u[t] = beta u[t-1] + I[t] - s[t-1] threshold      s[t] = 1 if u[t] > threshold else 0
 *
 * Items      words of spikes of one time step, rows x ceil(width / 32)
 * Arguments  those of its row, then words between the steps of the current
 */
export function lif_forward(args: usize, first: i32, last: i32, scratch: usize): void {
  const current = address(args, 0),
    spikes = address(args, 1),
    steps = whole(args, 3);
  const rows = whole(args, 4),
    width = whole(args, 5),
    stride = bytes(whole(args, 9));
  const beta = betaOf(args, 7, 2),
    threshold = real(args, 8);
  const words = (width + WORD - 1) / WORD;
  for (let item = first; item < last; item++) {
    const row = item / words,
      word = item % words;
    const lanes = min(WORD, width - word * WORD);
    const from = current + bytes(row) * width + bytes(word * WORD);
    const to = spikes + bytes(item);
    if (lanes == WORD) fireWord(from, stride, to, bytes(rows * words), steps, beta, threshold);
    else fireSome(from, stride, to, bytes(rows * words), steps, beta, threshold, lanes);
  }
}

function fireWord(
  from: usize,
  stride: usize,
  to: usize,
  strideOut: usize,
  steps: i32,
  decay: f32,
  level: f32,
): void {
  const beta = f32x4.splat(decay),
    threshold = f32x4.splat(level);
  let u0 = f32x4.splat(0),
    u1 = u0,
    u2 = u0,
    u3 = u0,
    u4 = u0,
    u5 = u0,
    u6 = u0,
    u7 = u0;
  for (let t = 0; t < steps; t++, from += stride, to += strideOut) {
    u0 = integrate(u0, v128.load(from), beta, threshold);
    u1 = integrate(u1, v128.load(from, 16), beta, threshold);
    u2 = integrate(u2, v128.load(from, 32), beta, threshold);
    u3 = integrate(u3, v128.load(from, 48), beta, threshold);
    u4 = integrate(u4, v128.load(from, 64), beta, threshold);
    u5 = integrate(u5, v128.load(from, 80), beta, threshold);
    u6 = integrate(u6, v128.load(from, 96), beta, threshold);
    u7 = integrate(u7, v128.load(from, 112), beta, threshold);
    store<i32>(
      to,
      i32x4.bitmask(f32x4.gt(u0, threshold)) |
        (i32x4.bitmask(f32x4.gt(u1, threshold)) << 4) |
        (i32x4.bitmask(f32x4.gt(u2, threshold)) << 8) |
        (i32x4.bitmask(f32x4.gt(u3, threshold)) << 12) |
        (i32x4.bitmask(f32x4.gt(u4, threshold)) << 16) |
        (i32x4.bitmask(f32x4.gt(u5, threshold)) << 20) |
        (i32x4.bitmask(f32x4.gt(u6, threshold)) << 24) |
        (i32x4.bitmask(f32x4.gt(u7, threshold)) << 28),
    );
  }
}

/** The last word of a row, of which only some lanes are neurons; the bits of the others stay zero. */
function fireSome(
  from: usize,
  stride: usize,
  to: usize,
  strideOut: usize,
  steps: i32,
  decay: f32,
  level: f32,
  lanes: i32,
): void {
  const beta = f32x4.splat(decay),
    threshold = f32x4.splat(level);
  for (let t = 0; t < steps; t++) store<u32>(to + strideOut * t, 0);
  for (let lane = 0; lane < lanes; lane += 4) {
    const count = min(4, lanes - lane);
    let u = f32x4.splat(0);
    for (let t = 0; t < steps; t++) {
      const at = to + strideOut * t;
      u = integrate(u, loadSome(from + stride * t + bytes(lane), count), beta, threshold);
      // A current of zero never fires, so lanes beyond the row set no bit.
      store<i32>(at, load<i32>(at) | (i32x4.bitmask(f32x4.gt(u, threshold)) << lane));
    }
  }
}

/** Neurons that lif_backward takes through all steps at a time; their slopes stay in the first cache. */
const BLOCK: i32 = 256;

/**
 * lif_backward: computes the membranes of a block of neurons again, keeps the slopes of all time steps
 * in scratch, and carries the gradient back through the leak; the reset is detached.
 *
 *   g[t] = gs[t] slope(u[t]) + beta g[t+1]
 *
 * Items      blocks of 256 neurons
 * Arguments  current, gradient of the spikes, gradient of the current (in place of that of the spikes,
 *            where it has as many steps), words between the steps of the current (0 where it is held:
 *            its gradients are added up), steps, neurons, beta, threshold, surrogate, where a beta that moves lies
 * Scratch    steps + 1 rows of 256 floats
 */
export function lif_backward(args: usize, first: i32, last: i32, scratch: usize): void {
  const current = address(args, 0),
    gradient = address(args, 1),
    output = address(args, 2);
  const stride = bytes(whole(args, 3)),
    steps = whole(args, 4),
    neurons = whole(args, 5);
  const beta = f32x4.splat(betaOf(args, 6, 9)),
    threshold = f32x4.splat(real(args, 7));
  const surrogate = whole(args, 8);
  const state = scratch + bytes(BLOCK) * steps;
  for (let block = first; block < last; block++) {
    const start = block * BLOCK,
      count = min(BLOCK, neurons - start);
    memory.fill(state, 0, bytes(BLOCK));
    for (let t = 0; t < steps; t++) {
      const from = current + stride * t + bytes(start);
      slopeRow(from, state, scratch + bytes(BLOCK) * t, count, beta, threshold, surrogate);
    }
    memory.fill(state, 0, bytes(BLOCK));
    for (let t = steps - 1; t >= 0; t--) {
      const from = gradient + bytes(neurons) * t + bytes(start);
      const to = output + stride * t + bytes(start);
      const add = !stride && t < steps - 1;
      carryRow(from, scratch + bytes(BLOCK) * t, state, to, count, beta, add);
    }
  }
}

/** One step of a block: membranes on, slopes out. */
function slopeRow(
  current: usize,
  membranes: usize,
  slopes: usize,
  count: i32,
  beta: v128,
  threshold: v128,
  surrogate: i32,
): void {
  for (let i: usize = 0, end = bytes(count); i < end; i += 16) {
    const u = integrate(v128.load(membranes + i), v128.load(current + i), beta, threshold);
    v128.store(membranes + i, u);
    v128.store(slopes + i, slopeAt(f32x4.sub(u, threshold), surrogate));
  }
}

/** One step of a block back: the carried gradients on, and out, or onto what the output holds. */
function carryRow(
  gradient: usize,
  slopes: usize,
  carried: usize,
  output: usize,
  count: i32,
  beta: v128,
  add: bool,
): void {
  let i: usize = 0;
  for (const end = bytes(count & ~3); i < end; i += 16) {
    const kept = f32x4.mul(beta, v128.load(carried + i));
    const g = madd(v128.load(gradient + i), v128.load(slopes + i), kept);
    v128.store(carried + i, g);
    v128.store(output + i, add ? f32x4.add(g, v128.load(output + i)) : g);
  }
  const rest = count & 3;
  if (!rest) return;
  const kept = f32x4.mul(beta, v128.load(carried + i));
  const g = madd(loadSome(gradient + i, rest), v128.load(slopes + i), kept);
  v128.store(carried + i, g);
  storeSome(output + i, add ? f32x4.add(g, loadSome(output + i, rest)) : g, rest);
}

/**
 * lif_membrane: the membranes before each reset, for plots.
 *
 * Items      rows
 * Arguments  those of its row, then words between the steps of the current
 */
export function lif_membrane(args: usize, first: i32, last: i32, scratch: usize): void {
  const current = address(args, 0),
    membrane = address(args, 1),
    steps = whole(args, 3);
  const rows = whole(args, 4),
    width = whole(args, 5),
    stride = bytes(whole(args, 9));
  const beta = f32x4.splat(betaOf(args, 7, 2)),
    threshold = f32x4.splat(real(args, 8));
  const step = bytes(rows) * width;
  for (let row = first; row < last; row++) {
    for (let column = 0; column < width; column += 4) {
      const at = bytes(row) * width + bytes(column),
        count = min(4, width - column);
      let u = f32x4.splat(0);
      for (let t = 0; t < steps; t++) {
        u = integrate(u, loadSome(current + at + stride * t, count), beta, threshold);
        storeSome(membrane + at + step * t, u, count);
      }
    }
  }
}

/**
 * spike_count: adds the spikes of every neuron to its counter.
 *
 * Items      words of a row of spikes
 */
export function spike_count(args: usize, first: i32, last: i32, scratch: usize): void {
  const spikes = address(args, 0),
    counts = address(args, 1);
  const rows = whole(args, 2),
    width = whole(args, 3);
  const words = (width + WORD - 1) / WORD;
  for (let word = first; word < last; word++) {
    const to = counts + bytes(word * WORD);
    for (let row = 0; row < rows; row++) {
      let bits = load<u32>(spikes + bytes(words) * row + bytes(word));
      while (bits) {
        const at = to + bytes(<i32>ctz(bits));
        store<u32>(at, load<u32>(at) + 1);
        bits &= bits - 1;
      }
    }
  }
}

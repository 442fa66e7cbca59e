import { address, bytes, real, whole } from './arguments';
import { slopeAt } from './neurons';
import { laneMask } from './plasticity';
import { BLOCK, loadUpTo, storeUpTo } from './rows';
import { madd } from './simd';

/**
 * eprop_neurons: one step of adaptive leaky integrate-and-fire neurons, with the slope of their spikes.
 *
 *   v = decay v + I - s threshold      a = rho a + s      A = threshold + gain a      s = 1[v > A]
 *
 * The s on the right are the spikes of the step before, which lie where the new ones are put.
 *
 * Items      words of spikes, rows x ceil(width / 32)
 */
export function eprop_neurons(args: usize, first: i32, last: i32, scratch: usize): void {
  const current = address(args, 0),
    membrane = address(args, 1),
    adaptation = address(args, 2);
  const spikes = address(args, 3),
    slope = address(args, 4),
    width = whole(args, 6);
  const decay = f32x4.splat(real(args, 7)),
    threshold = f32x4.splat(real(args, 8)),
    rho = f32x4.splat(real(args, 9)),
    gain = f32x4.splat(real(args, 10)),
    one = f32x4.splat(1);
  const surrogate = whole(args, 11);
  const words = (width + 31) >> 5;
  for (let item = first; item < last; item++) {
    const start = (item % words) << 5,
      count = min(32, width - start);
    const from = bytes(width) * (item / words) + bytes(start);
    const before = load<u32>(spikes + bytes(item));
    let word: u32 = 0;
    for (let n = 0; n < count; n += 4) {
      const at = from + bytes(n),
        left = count - n,
        fired = laneMask(before >> n);
      const driven = madd(decay, loadUpTo(membrane + at, left), loadUpTo(current + at, left));
      const v = f32x4.sub(driven, v128.and(threshold, fired));
      const a = madd(rho, loadUpTo(adaptation + at, left), v128.and(one, fired));
      const x = f32x4.sub(v, madd(gain, a, threshold));
      storeUpTo(membrane + at, v, left);
      storeUpTo(adaptation + at, a, left);
      storeUpTo(slope + at, slopeAt(x, surrogate), left);
      const inside = left >= 4 ? 15 : (1 << left) - 1;
      word |= (<u32>(i32x4.bitmask(f32x4.gt(x, f32x4.splat(0))) & inside)) << n;
    }
    store<u32>(spikes + bytes(item), word);
  }
}

/**
 * eprop_update: eligibilities of one step, filtered as the readout filters spikes, times what each
 * neuron should have done.
 *
 *   e = psi_j (z_i - gain eps)      eps = rho eps + e      c = decay c + e      g += L_j c
 *
 * Items      sources
 * Arguments  trace, slope, signal, filtered eligibility c, gradient g, adaptation eps (or 0: without),
 *            rows, sources, targets, decay, rho, gain
 */
export function eprop_update(args: usize, first: i32, last: i32, scratch: usize): void {
  const trace = address(args, 0),
    slope = address(args, 1),
    signal = address(args, 2);
  const filtered = address(args, 3),
    gradient = address(args, 4),
    adaptation = address(args, 5);
  const rows = whole(args, 6),
    pre = whole(args, 7),
    post = whole(args, 8);
  const decay = f32x4.splat(real(args, 9)),
    rho = f32x4.splat(real(args, 10)),
    gain = f32x4.splat(real(args, 11));
  for (let i = first; i < last; i++) {
    const to = gradient + bytes(post) * i;
    for (let b = 0; b < rows; b++) {
      const z = f32x4.splat(load<f32>(trace + bytes(b * pre + i)));
      const line = bytes(post) * (b * pre + i),
        neurons = bytes(b * post);
      for (let j = 0; j < post; j += 4) {
        const at = line + bytes(j),
          left = post - j;
        const psi = loadUpTo(slope + neurons + bytes(j), left);
        let e = z;
        if (adaptation != 0) {
          const eps = loadUpTo(adaptation + at, left);
          e = f32x4.mul(psi, f32x4.sub(z, f32x4.mul(gain, eps)));
          storeUpTo(adaptation + at, madd(rho, eps, e), left);
        } else e = f32x4.mul(psi, z);
        const c = madd(decay, loadUpTo(filtered + at, left), e);
        storeUpTo(filtered + at, c, left);
        const wanted = loadUpTo(signal + neurons + bytes(j), left);
        const sum = madd(wanted, c, loadUpTo(to + bytes(j), left));
        storeUpTo(to + bytes(j), sum, left);
      }
    }
  }
}

/**
 * readout_error: leaky readout neurons, how far they are from their target, and half its square.
 *
 *   y = decay y + I      error = y - target      loss += error^2 / 2
 *
 * Items      blocks of 256 neurons
 */
export function readout_error(args: usize, first: i32, last: i32, scratch: usize): void {
  const current = address(args, 0),
    target = address(args, 1),
    membrane = address(args, 2);
  const error = address(args, 3),
    loss = address(args, 4);
  const decay = f32x4.splat(real(args, 6)),
    half = f32x4.splat(0.5);
  const end = min(whole(args, 5), last * BLOCK);
  for (let i = first * BLOCK; i < end; i += 4) {
    const at = bytes(i),
      left = end - i;
    const y = madd(decay, loadUpTo(membrane + at, left), loadUpTo(current + at, left));
    const difference = f32x4.sub(y, loadUpTo(target + at, left));
    storeUpTo(membrane + at, y, left);
    storeUpTo(error + at, difference, left);
    const square = f32x4.mul(half, f32x4.mul(difference, difference));
    storeUpTo(loss + at, f32x4.add(loadUpTo(loss + at, left), square), left);
  }
}

/**
 * select_step: copies the step that the clock names out of many.
 *
 * Items      one
 */
export function select_step(args: usize, first: i32, last: i32, scratch: usize): void {
  if (first > 0 || last == 0) return;
  const size = bytes(whole(args, 3)),
    step = load<u32>(address(args, 1)) % whole(args, 4);
  memory.copy(address(args, 2), address(args, 0) + size * step, size);
}

import { address, bytes, real, whole } from './arguments';
import { BLOCK, keepUpTo, storeUpTo, sumRow } from './rows';
import { madd, sumLanes } from './simd';

/**
 * squared_norm: partial sums of the squares of the gradients.
 *
 * Items      chunks
 */
export function squared_norm(args: usize, first: i32, last: i32, scratch: usize): void {
  const gradients = address(args, 0),
    partial = address(args, 1);
  const count = whole(args, 2),
    chunk = whole(args, 3);
  for (let item = first; item < last; item++) {
    const start = item * chunk;
    store<f32>(
      partial + bytes(item),
      sumSquares(gradients + bytes(start), min(chunk, count - start)),
    );
  }
}

function sumSquares(from: usize, count: i32): f32 {
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  let left = count;
  for (; left >= 16; left -= 16, from += 64) {
    const g0 = v128.load(from),
      g1 = v128.load(from, 16);
    const g2 = v128.load(from, 32),
      g3 = v128.load(from, 48);
    s0 = madd(g0, g0, s0);
    s1 = madd(g1, g1, s1);
    s2 = madd(g2, g2, s2);
    s3 = madd(g3, g3, s3);
  }
  for (; left > 0; left -= 4, from += 16) {
    const g = keepUpTo(v128.load(from), left);
    s0 = madd(g, g, s0);
  }
  return sumLanes(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)));
}

/**
 * gradient_norm: the global norm of the gradient and the factor that clips it, -1 when the norm is not
 * finite.
 *
 * Items      1
 */
export function gradient_norm(args: usize, first: i32, last: i32, scratch: usize): void {
  const partial = address(args, 0),
    clock = address(args, 1),
    rates = address(args, 2);
  const norms = address(args, 3),
    scale = address(args, 4);
  const squares = sumRow(partial, whole(args, 5)),
    norm = sqrt<f32>(squares);
  const slot = load<u32>(clock, 4) % <u32>whole(args, 6);
  const clipped = min<f32>(1, load<f32>(rates, 8) / (norm + <f32>1e-6));
  store<f32>(norms + ((<usize>slot) << 2), norm);
  store<f32>(scale, isFinite(squares) ? clipped : -1);
}

/**
 * adamw: one step of Adam with decoupled weight decay; a negative scale skips it.
 *
 *   g = gradient scale      m = b1 m + (1 - b1) g      v = b2 v + (1 - b2) g^2
 *   p = p - rate (decay p) - rate (m / c1) / (sqrt(v / c2) + epsilon)
 *
 * Items      blocks of 256 parameters
 * Arguments  those of its row, then 1 - beta1, 1 - beta2
 */
export function adamw(args: usize, first: i32, last: i32, scratch: usize): void {
  if (load<f32>(address(args, 4)) < 0) return;
  const rates = address(args, 5),
    start = first * BLOCK,
    end = min(whole(args, 6), last * BLOCK);
  const decayed = whole(args, 7);
  const shrink = <f32>1 - load<f32>(rates) * load<f32>(rates, 4);
  stepParameters(args, start, min(end, decayed), shrink);
  stepParameters(args, max(start, decayed), end, 1);
}

function stepParameters(args: usize, start: i32, end: i32, shrink: f32): void {
  const parameters = address(args, 0),
    gradients = address(args, 1);
  const momentum = address(args, 2),
    variance = address(args, 3),
    rates = address(args, 5);
  const scale = v128.load_splat<f32>(address(args, 4)),
    kept = f32x4.splat(shrink);
  const b1 = f32x4.splat(real(args, 8)),
    b2 = f32x4.splat(real(args, 9));
  const epsilon = f32x4.splat(real(args, 10));
  const rest1 = f32x4.splat(real(args, 11)),
    rest2 = f32x4.splat(real(args, 12));
  const rate = f32x4.splat(load<f32>(rates) / load<f32>(rates, 12));
  const correction = f32x4.splat(<f32>1 / load<f32>(rates, 16));
  for (let i = start; i < end; i += 4) {
    const at = bytes(i),
      left = end - i;
    const g = f32x4.mul(v128.load(gradients + at), scale);
    const m = madd(b1, v128.load(momentum + at), f32x4.mul(rest1, g));
    const v = madd(b2, v128.load(variance + at), f32x4.mul(rest2, f32x4.mul(g, g)));
    const root = f32x4.add(f32x4.sqrt(f32x4.mul(v, correction)), epsilon);
    const p = f32x4.mul(v128.load(parameters + at), kept);
    storeUpTo(momentum + at, m, left);
    storeUpTo(variance + at, v, left);
    storeUpTo(parameters + at, f32x4.sub(p, f32x4.div(f32x4.mul(rate, m), root)), left);
  }
}

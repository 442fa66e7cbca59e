import type { Surrogate } from '../../engine/kernels/neurons.ts';

/*
 * Spikes are steps, so the forward pass of neurons has no useful differences. What their gradients claim
 * to be is the derivative of a smooth function, whose spikes are the surrogate's integral.
 */
const STEP = 1e-5;

/** Integrals of the surrogates. */
export const smoothSpike: Record<Surrogate, (x: number) => number> = {
  atan: (x) => Math.atan(Math.PI * x) / Math.PI,
  fast_sigmoid: (x) => x / (1 + 25 * Math.abs(x)),
  sigmoid: (x) => 1 / (1 + Math.exp(-25 * x)),
  triangle: (x) => {
    const inside = Math.max(-1, Math.min(1, x));
    return 0.3 * (inside - (Math.sign(inside) * inside ** 2) / 2);
  },
};

/**
 * The largest difference between a gradient and central differences of `loss`, relative to 1 + magnitude, at up to
 * `count` places that lie evenly over `x`.
 */
export function worstDifference(
  x: Float64Array,
  gradient: ArrayLike<number>,
  loss: () => number,
  count = Infinity,
): number {
  const stride = Math.max(1, x.length / count);
  let worst = 0;
  for (let at = 0; at < x.length; at += stride) {
    const i = Math.floor(at);
    const centre = x[i]!;
    x[i] = centre + STEP;
    const above = loss();
    x[i] = centre - STEP;
    const below = loss();
    x[i] = centre;
    const expected = (above - below) / (2 * STEP);
    const error = Math.abs(gradient[i]! - expected) / (1 + Math.abs(expected));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

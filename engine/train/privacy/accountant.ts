import { EngineError } from '../../errors.ts';
import { renyiDivergence, type SampledGaussian } from './sampled-gaussian.ts';

/** How often examples are looked at, and how improbable a breach of epsilon must be. */
export interface PrivacyTerms {
  /** Probability of each example to be in the sample of a step: batch size over examples. */
  readonly rate: number;
  readonly steps: number;
  /** Well below one over the number of examples. */
  readonly delta: number;
  /** Rényi orders, all above 1, of which the best counts. */
  readonly orders?: readonly number[];
}

/** Tenths serve great epsilons, powers of two small ones. */
const renyiOrders: readonly number[] = [
  ...Array.from({ length: 99 }, (_, i) => (i + 11) / 10),
  ...Array.from({ length: 53 }, (_, i) => i + 11),
  ...Array.from({ length: 8 }, (_, i) => 2 ** (i + 6)),
];

/** Below it noise hides next to nothing, and its integrals take long. */
const LEAST_NOISE = 0.1;
const MOST_NOISE = 1e4;
/** Of the noise that `noiseFor` finds. */
const PRECISION = 1e-6;

/**
 * The epsilon at `delta` that a training by differentially private SGD has spent: whoever sees all its
 * parameters can hardly tell whether one example was among the data. Rényi divergences of the steps add up
 * (Mironov 2017); the least epsilon that follows from any order holds. Samples are Poisson, neighbours
 * differ by one example added or removed, and gradients are clipped for each example by itself.
 */
export function epsilonAfter(spending: PrivacyTerms & { readonly noise: number }): number {
  checkTerms(spending);
  const { noise, steps } = spending;
  if (!(noise >= LEAST_NOISE && noise < Number.POSITIVE_INFINITY)) {
    refuse(`noise is ${noise}: expected a number of at least ${LEAST_NOISE}`);
  }
  return steps === 0 ? 0 : leastEpsilon(spending, spending);
}

/** The least noise, one millionth too much at most, with which `epsilonAfter` does not exceed `epsilon`. */
export function noiseFor(budget: PrivacyTerms & { readonly epsilon: number }): number {
  checkTerms(budget);
  const { epsilon, rate, steps } = budget;
  if (!(epsilon > 0 && epsilon < Number.POSITIVE_INFINITY)) {
    refuse(`epsilon is ${epsilon}: expected a positive number`);
  }
  if (steps === 0) refuse('steps is 0: expected at least 1, as nothing is spent without steps');
  const isEnough = (noise: number) => leastEpsilon({ noise, rate }, budget) <= epsilon;
  if (!isEnough(MOST_NOISE)) {
    refuse(`epsilon is ${epsilon} after ${steps} steps: no noise up to ${MOST_NOISE} is enough`);
  }
  let [low, high] = bracket(isEnough);
  while (high > low * (1 + PRECISION)) {
    const middle = Math.sqrt(low * high);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** A noise that is not enough and one that is, or twice the least noise. Starts at 1, as small noise takes long. */
function bracket(isEnough: (noise: number) => boolean): [low: number, high: number] {
  let noise = 1;
  if (!isEnough(noise)) {
    while (!isEnough(2 * noise)) noise *= 2;
    return [noise, 2 * noise];
  }
  while (noise > LEAST_NOISE) {
    const less = Math.max(noise / 2, LEAST_NOISE);
    if (!isEnough(less)) return [less, noise];
    noise = less;
  }
  return [noise, noise];
}

/**
 * The epsilon at `delta` of a mechanism with this Rényi divergence of this order: proposition 12 of Canonne,
 * Kamath & Steinke 2020, after theorem 21 of Balle et al. 2020. A divergence so small that even the total
 * variation stays within delta (Bretagnolle & Huber 1979) leaves nothing to spend.
 */
export function epsilonOfDivergence(divergence: number, order: number, delta: number): number {
  if (-Math.expm1(-divergence) < delta ** 2) return 0;
  const rest = (Math.log(delta) + Math.log(order)) / (order - 1);
  return Math.max(0, divergence + Math.log1p(-1 / order) - rest);
}

function leastEpsilon(
  step: SampledGaussian,
  { steps, delta, orders = renyiOrders }: PrivacyTerms,
): number {
  return orders.reduce((least, order) => {
    const divergence = steps * renyiDivergence(step, order);
    return Math.min(least, epsilonOfDivergence(divergence, order, delta));
  }, Number.POSITIVE_INFINITY);
}

function checkTerms({ rate, steps, delta, orders = renyiOrders }: PrivacyTerms): void {
  if (!(rate > 0 && rate <= 1)) refuse(`rate is ${rate}: expected a number above 0, up to 1`);
  if (!(Number.isSafeInteger(steps) && steps >= 0)) {
    refuse(`steps is ${steps}: expected a whole number of at least 0`);
  }
  if (!(delta > 0 && delta < 1)) refuse(`delta is ${delta}: expected a number between 0 and 1`);
  const bad = orders.find((order) => !(order > 1 && order < Number.POSITIVE_INFINITY));
  if (bad !== undefined) refuse(`an order is ${bad}: expected a number above 1`);
  if (orders.length === 0) refuse('orders is empty: expected at least one number above 1');
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', `privacy: ${message}`);
}

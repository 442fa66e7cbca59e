import { EngineError } from '../../errors.ts';

/** How often examples are looked at, and how improbable a breach of epsilon must be. */
interface PrivacyTerms {
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
const MIN_NOISE = 0.1;
const MAX_NOISE = 1e4;
/** Of the noise that `noiseFor` finds. */
const PRECISION = 1e-6;

/**
 * The epsilon at `delta` that a training by differentially private SGD has spent: an observer of all its
 * parameters can hardly tell whether one example was among the data. Rényi divergences of the steps add up
 * (Mironov 2017); the least epsilon that follows from any order holds. Samples are Poisson, neighbours
 * differ by one example added or removed, and gradients are clipped for each example by itself.
 */
export function epsilonAfter(spending: PrivacyTerms & { readonly noise: number }): number {
  checkTerms(spending);
  const { noise, steps } = spending;
  if (!(noise >= MIN_NOISE && noise < Number.POSITIVE_INFINITY)) {
    refuse(`noise is ${noise}: expected a number of at least ${MIN_NOISE}`);
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
  if (!isEnough(MAX_NOISE)) {
    refuse(`epsilon is ${epsilon} after ${steps} steps: no noise up to ${MAX_NOISE} is enough`);
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
  while (noise > MIN_NOISE) {
    const less = Math.max(noise / 2, MIN_NOISE);
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

/** One step of differentially private SGD: gradients clipped per example, summed over a Poisson sample, noised. */
interface SampledGaussian {
  /** Standard deviation of the noise over the clipping norm. */
  readonly noise: number;
  /** Probability of each example to be in the sample of a step, above 0 and up to 1. */
  readonly rate: number;
}

/** Standard deviations of the standard normal beyond which its density is left out: below 1e-31 of its top. */
const TAIL = 12;

/**
 * The Rényi divergence of order alpha > 1, in nats, between answers of one step with and without an example:
 * `log(A) / (alpha - 1)` with `A = E[L^alpha]`, where `L = 1 + rate (exp((2 x - 1) / (2 noise^2)) - 1)` and
 * `x ~ N(0, noise^2)`. Of the two directions it is the greater one (Mironov, Talwar & Zhang 2019, section 3).
 *
 * As `E[L] = 1`, `A - 1 = E[L^alpha - 1 - alpha (L - 1)]`, which has no negative term. Summed in log space it
 * keeps its digits at rates where it is below the last bit of A, and where A is beyond a double.
 */
export function renyiDivergence(step: SampledGaussian, order: number): number {
  if (step.rate === 1) return order / (2 * step.noise ** 2);
  const excess = Number.isInteger(order) ? binomialExcess(step, order) : integral(step, order);
  return logOnePlusExp(excess) / (order - 1);
}

/** `log(A - 1)` for a whole order: `sum over k >= 2 of C(order, k) (1 - q)^(order - k) q^k (e^(k (k - 1) / 2 noise^2) - 1)`. */
function binomialExcess({ noise, rate }: SampledGaussian, order: number): number {
  const sum = createLogSum();
  const [taken, left] = [Math.log(rate), Math.log1p(-rate)];
  let logBinomial = Math.log(order);
  for (let k = 2; k <= order; k++) {
    logBinomial += Math.log((order - k + 1) / k);
    const growth = logExpMinusOne((k * (k - 1)) / (2 * noise ** 2));
    sum.add(logBinomial + k * taken + (order - k) * left + growth);
  }
  return sum.value();
}

/**
 * `log(A - 1)` for any order, by the trapezoidal rule over y = x / noise. Its error falls exponentially in the
 * width of the strip where the integrand is analytic over the spacing: pi noise, where L has its zeros.
 * The integrand grows at most as `exp(max(order, 2) y / noise)`, which says where the last peak can be.
 */
function integral({ noise, rate }: SampledGaussian, order: number): number {
  const sum = createLogSum();
  const spacing = Math.min(0.25, 0.4 * noise);
  const end = Math.max(order, 2) / noise + TAIL;
  for (let y = -TAIL; y <= end; y += spacing) {
    sum.add(logGap(order, rate, y / noise - 1 / (2 * noise ** 2)) - y ** 2 / 2);
  }
  return sum.value() + Math.log(spacing / Math.sqrt(2 * Math.PI));
}

/** `log(L^order - 1 - order (L - 1))` for `L = 1 + rate (e^z - 1)`. */
function logGap(order: number, rate: number, z: number): number {
  const u = rate * Math.expm1(z);
  if (Math.abs(order * u) < 1e-3) {
    const third = 1 + ((order - 3) / 4) * u * (1 + ((order - 4) / 5) * u);
    const second = Math.log1p(((order - 2) / 3) * u * third);
    return Math.log((order * (order - 1)) / 2) + 2 * Math.log(Math.abs(u)) + second;
  }
  // e^z overflows where noise is small.
  const l = z < 30 ? Math.log1p(u) : Math.log(rate) + z + Math.log1p((1 / rate - 1) * Math.exp(-z));
  if (l <= 1) return Math.log(Math.expm1(order * l) - order * u);
  return (
    order * l + Math.log1p((order - 1) * Math.exp(-order * l) - order * Math.exp((1 - order) * l))
  );
}

/** The logarithm of a sum whose terms are given by their logarithms. */
function createLogSum() {
  let greatest = Number.NEGATIVE_INFINITY;
  let share = 0;
  return {
    add(term: number): void {
      if (term === Number.NEGATIVE_INFINITY) return;
      if (term > greatest) {
        share = share * Math.exp(greatest - term) + 1;
        greatest = term;
      } else share += Math.exp(term - greatest);
    },
    value: (): number => greatest + Math.log(share),
  };
}

/** `log(1 + e^x)` */
const logOnePlusExp = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** `log(e^x - 1)` for x >= 0 */
const logExpMinusOne = (x: number): number =>
  x < 1 ? Math.log(Math.expm1(x)) : x + Math.log1p(-Math.exp(-x));

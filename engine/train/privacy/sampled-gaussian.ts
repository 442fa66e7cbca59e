/** One step of differentially private SGD: gradients clipped per example, summed over a Poisson sample, noised. */
export interface SampledGaussian {
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

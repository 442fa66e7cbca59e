import { EngineError } from '../errors.ts';
import { keyOf } from '../random/philox.ts';
import { createDraws } from '../simulator/draws.ts';

interface BootstrapOptions {
  /** Default 1000. */
  readonly resamples?: number;
  /** Probability that the interval holds the true value, default 0.95. */
  readonly confidence?: number;
  /** Default 0. */
  readonly seed?: number;
}

/** A measurement, and the interval between two quantiles of its resamples. */
interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLE_STREAM = 0x52534d50;

/**
 * Percentile interval of any statistic of a sample (Efron 1979). `statistic` is given the places of a
 * resample, drawn with replacement from 0 to below `count`, in an array that the next resample overwrites.
 */
export function bootstrapInterval(
  count: number,
  statistic: (places: Uint32Array) => number,
  options: BootstrapOptions = {},
): Interval {
  if (!(Number.isSafeInteger(count) && count > 0)) {
    refuse(`a sample of ${count}: expected a whole number of at least 1`);
  }
  const { resamples, confidence, seed } = checked(options);
  const { below } = createDraws(keyOf(seed), RESAMPLE_STREAM);
  const places = Uint32Array.from({ length: count }, (_, i) => i);
  const value = statistic(places);
  const values = Float64Array.from({ length: resamples }, () => {
    for (let i = 0; i < count; i++) places[i] = below(count);
    return statistic(places);
  });
  return intervalOf(value, values, confidence);
}

interface MeanBootstrap {
  /** An independent piece (a window, an image, a query): the sum over its parts, and how many they are (default 1). */
  add(sum: number, parts?: number): void;
  /** Of the sum of all sums over all parts; null before anything was added. */
  interval(): Interval | null;
}

/**
 * Interval of a mean over pieces of unequal size (nats per character over windows, say), in memory that
 * does not grow with them: every piece is in each resample as often as a Poisson draw with mean 1 says, which is
 * the bootstrap in the limit of many pieces (Chamandy et al. 2012). Below a few dozens take `bootstrapInterval`.
 */
export function createMeanBootstrap(options: BootstrapOptions = {}): MeanBootstrap {
  const { resamples, confidence, seed } = checked(options);
  const { uniform } = createDraws(keyOf(seed), RESAMPLE_STREAM);
  const [sums, counts] = [new Float64Array(resamples), new Float64Array(resamples)];
  let [total, count] = [0, 0];
  return {
    add(sum, parts = 1) {
      if (!Number.isFinite(sum) || !(parts > 0 && Number.isFinite(parts))) {
        refuse(
          `a piece with sum ${sum} over ${parts} parts: expected finite numbers, parts above 0`,
        );
      }
      total += sum;
      count += parts;
      for (let i = 0; i < resamples; i++) {
        const times = poissonOne(uniform());
        sums[i] = (sums[i] ?? 0) + times * sum;
        counts[i] = (counts[i] ?? 0) + times * parts;
      }
    },
    interval() {
      if (count === 0) return null;
      const means = sums.map((sum, i) => sum / (counts[i] ?? 0));
      // With a handful of pieces a resample can have none of them.
      return intervalOf(
        total / count,
        means.filter((mean) => !Number.isNaN(mean)),
        confidence,
      );
    },
  };
}

/** The Poisson number with mean 1 at this quantile. */
function poissonOne(uniform: number): number {
  let [times, probability] = [0, Math.exp(-1)];
  let rest = uniform - probability;
  // The probabilities add up to 1 less a rounding error, which must not make the loop endless.
  while (rest >= 0 && times < 20) {
    times += 1;
    probability /= times;
    rest -= probability;
  }
  return times;
}

function intervalOf(value: number, values: Float64Array, confidence: number): Interval {
  const sorted = values.toSorted();
  const tail = (1 - confidence) / 2;
  return { value, low: quantile(sorted, tail), high: quantile(sorted, 1 - tail) };
}

/** Linear between the two nearest of ascending values. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

function checked({
  resamples = 1000,
  confidence = 0.95,
  seed = 0,
}: BootstrapOptions): Required<BootstrapOptions> {
  if (!(Number.isSafeInteger(resamples) && resamples >= 2)) {
    refuse(`resamples is ${resamples}: expected a whole number of at least 2`);
  }
  if (!(confidence > 0 && confidence < 1)) {
    refuse(`confidence is ${confidence}: expected a number between 0 and 1`);
  }
  if (!(Number.isSafeInteger(seed) && seed >= 0)) {
    refuse(`seed is ${seed}: expected a whole number of at least 0`);
  }
  return { resamples, confidence, seed };
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', `bootstrap: ${message}`);
}

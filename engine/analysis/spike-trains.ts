import { EngineError } from '../errors.ts';

/** The times at which one neuron fired, ascending, in the unit the caller chose (mostly ms). */
export type SpikeTrain = readonly number[];

/** Trains of a raster of 0 and 1, `[T][N]`; a spike of step t is at t * dt. */
export function spikeTrainsOf(
  raster: ArrayLike<number>,
  [steps, neurons]: readonly [steps: number, neurons: number],
  dt = 1,
): SpikeTrain[] {
  if (raster.length !== steps * neurons) {
    throw new EngineError(
      'shape-mismatch',
      `a raster of ${raster.length} values is not [${steps}, ${neurons}]`,
    );
  }
  const trains = Array.from({ length: neurons }, (): number[] => []);
  for (let i = 0; i < raster.length; i += 1) {
    if (raster[i] !== 0) trains[i % neurons]?.push(Math.floor(i / neurons) * dt);
  }
  return trains;
}

/** Spikes a second, for times in milliseconds over `durationMs`. */
export const rateHz = (train: SpikeTrain, durationMs: number): number =>
  (1000 * train.length) / durationMs;

/** Inter-spike intervals. */
export const intervalsOf = (train: SpikeTrain): number[] =>
  train.slice(1).map((time, i) => time - (train[i] ?? 0));

/** Coefficient of variation of the intervals: 0 for a clock, 1 for a Poisson process. Null below two. */
export function coefficientOfVariation(train: SpikeTrain): number | null {
  const intervals = intervalsOf(train);
  if (intervals.length < 2) return null;
  const { mean, variance } = momentsOf(intervals);
  return mean === 0 ? null : Math.sqrt(variance) / mean;
}

/**
 * CV2, which a slow change of the rate does not blow up: the mean of
 * `2 |I[i+1] - I[i]| / (I[i+1] + I[i])` (Holt et al. 1996). Null below two intervals.
 */
export function localVariation(train: SpikeTrain): number | null {
  const intervals = intervalsOf(train);
  if (intervals.length < 2) return null;
  const terms = intervals.slice(1).map((next, i) => {
    const before = intervals[i] ?? 0;
    return (2 * Math.abs(next - before)) / (next + before);
  });
  return momentsOf(terms).mean;
}

/** Variance over mean of the spike counts in windows: 1 for a Poisson process. Null without spikes. */
export function fanoFactor(train: SpikeTrain, duration: number, window: number): number | null {
  const counts = countsOf(train, duration, window);
  if (counts.length < 2) return null;
  const { mean, variance } = momentsOf(counts);
  return mean === 0 ? null : variance / mean;
}

/** Spike counts in the whole windows of a raster; an incomplete window at its end is ignored. */
export function countsOf(train: SpikeTrain, duration: number, window: number): number[] {
  if (!(window > 0) || !(duration > 0)) {
    throw new EngineError(
      'invalid-setting',
      `a window of ${window} in a recording of ${duration}, expected both above 0`,
    );
  }
  const counts = Array.from({ length: Math.floor(duration / window) }, () => 0);
  for (const time of train) {
    const bin = Math.floor(time / window);
    if (bin < counts.length) counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** Mean and variance (of the whole, not of a sample). Of nothing, both are 0. */
export function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const count = Math.max(values.length, 1);
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  return { mean, variance };
}

import type { SpikeEvents } from './recorders.ts';

const MS = 1000;

/** Firing rate and regularity of a population. */
export interface SpikeStatistics {
  readonly spikes: number;
  /** Mean over all neurons, in Hz. */
  readonly rateHz: number;
  /**
   * Mean coefficient of variation of the intervals, over neurons with at least `MIN_INTERVALS`: 0 for
   * clocks, 1 for Poisson processes. NaN if there is no such neuron.
   */
  readonly isiCv: number;
  /** Neurons that the mean is over. */
  readonly measured: number;
}

/** Below this the variation of the intervals is unreliable. */
const MIN_INTERVALS = 5;

interface Observed {
  readonly count: number;
  /** Steps that were recorded. */
  readonly steps: number;
  readonly dt: number;
}

/** Statistics of a whole recording. */
export function spikeStatistics(events: SpikeEvents, { count, steps, dt }: Observed) {
  const meter = createSpikeMeter(count, dt);
  meter.add(events);
  return meter.statistics(steps);
}

/** Adds spikes up as they are recorded, in memory that does not grow. */
export interface SpikeMeter {
  /** Spikes after those that were added before. */
  add(events: SpikeEvents): void;
  /** Statistics of all spikes added, over this number of steps. */
  statistics(steps: number): SpikeStatistics;
}

/** A meter of `count` neurons whose steps are `dt` milliseconds long. */
export function createSpikeMeter(count: number, dt: number): SpikeMeter {
  const last = new Float64Array(count).fill(Number.NaN);
  const [intervals, sums, squares] = [0, 1, 2].map(() => new Float64Array(count)) as Triple;
  let spikes = 0;
  return {
    add({ step, neuron }) {
      spikes += step.length;
      for (let i = 0; i < step.length; i++) {
        const [at, who] = [step[i] ?? 0, neuron[i] ?? 0];
        const interval = at - (last[who] ?? 0);
        last[who] = at;
        if (Number.isNaN(interval)) continue;
        intervals[who] = (intervals[who] ?? 0) + 1;
        sums[who] = (sums[who] ?? 0) + interval;
        squares[who] = (squares[who] ?? 0) + interval * interval;
      }
    },
    statistics(steps) {
      let [total, measured] = [0, 0];
      for (let who = 0; who < count; who++) {
        const n = intervals[who] ?? 0;
        if (n < MIN_INTERVALS) continue;
        const mean = (sums[who] ?? 0) / n;
        const variance = Math.max(0, (squares[who] ?? 0) / n - mean * mean);
        total += Math.sqrt(variance) / mean;
        measured++;
      }
      const rateHz = (MS * spikes) / (count * steps * dt);
      return { spikes, rateHz, isiCv: total / measured, measured };
    },
  };
}

type Triple = [Float64Array, Float64Array, Float64Array];

/**
 * Rates in Hz per bin of `binSteps` steps, from the population's spike counts per step; an incomplete bin is
 * ignored.
 */
export function binRates(
  counts: Uint32Array,
  { count, dt }: Omit<Observed, 'steps'>,
  binSteps: number,
): Float64Array {
  const perSpike = MS / (count * binSteps * dt);
  return Float64Array.from({ length: Math.floor(counts.length / binSteps) }, (_, bin) => {
    const within = counts.subarray(bin * binSteps, (bin + 1) * binSteps);
    return perSpike * within.reduce((sum, spikes) => sum + spikes, 0);
  });
}

/** Counts of values in bins of equal width over their range. */
export interface Histogram {
  readonly min: number;
  readonly max: number;
  readonly counts: Uint32Array;
}

/** Of weights or states. Where all values are the same, the first bin holds them. */
export function histogram(values: Float32Array, bins: number): Histogram {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const counts = new Uint32Array(bins);
  const width = (max - min) / bins;
  for (const value of values) {
    const bin = width > 0 ? Math.min(bins - 1, Math.floor((value - min) / width)) : 0;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { min, max, counts };
}

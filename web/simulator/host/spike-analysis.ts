import type { SpikeEvents } from '../../../engine/index.ts';

/** What is known of a population's spikes since the beginning, or since the last `forget`. */
export interface SpikeFigures {
  readonly spikes: number;
  /** Mean over the neurons, Hz. */
  readonly rate: number;
  /** Mean over the neurons with at least three intervals; NaN while there are none. */
  readonly variation: number;
  /** [INTERVAL_BINS] of INTERVAL_BIN_MS each: inter-spike intervals, longer ones in none. */
  readonly intervals: Uint32Array<ArrayBuffer>;
}

export const INTERVAL_BINS = 50;
export const INTERVAL_BIN_MS = 4;

/** Intervals that a neuron must have for its coefficient of variation to say something. */
const ENOUGH_INTERVALS = 3;

/** Counts spikes and inter-spike intervals of one population while they come. */
export function createSpikeAnalysis(neurons: number, dt: number) {
  const last = new Float64Array(neurons).fill(Number.NaN);
  const counts = new Float64Array(neurons);
  const sums = new Float64Array(neurons);
  const squares = new Float64Array(neurons);
  const intervals = new Uint32Array(INTERVAL_BINS);
  let spikes = 0;
  let steps = 0;

  function fired(neuron: number, step: number) {
    spikes++;
    const before = last[neuron] ?? Number.NaN;
    last[neuron] = step;
    if (Number.isNaN(before)) return;
    const interval = (step - before) * dt;
    counts[neuron] = (counts[neuron] ?? 0) + 1;
    sums[neuron] = (sums[neuron] ?? 0) + interval;
    squares[neuron] = (squares[neuron] ?? 0) + interval * interval;
    const bin = Math.floor(interval / INTERVAL_BIN_MS);
    if (bin < INTERVAL_BINS) intervals[bin] = (intervals[bin] ?? 0) + 1;
  }

  function meanVariation(): number {
    let [sum, known] = [0, 0];
    for (let neuron = 0; neuron < neurons; neuron++) {
      const count = counts[neuron] ?? 0;
      if (count < ENOUGH_INTERVALS) continue;
      const mean = (sums[neuron] ?? 0) / count;
      // Rounding may put the variance of a clock just below zero.
      const variance = Math.max(0, (squares[neuron] ?? 0) / count - mean * mean);
      sum += Math.sqrt(variance) / mean;
      known++;
    }
    return sum / known;
  }

  return {
    /** Takes up the spikes of so many further steps. */
    add({ step, neuron }: SpikeEvents, count: number) {
      steps += count;
      for (let i = 0; i < step.length; i++) fired(neuron[i] ?? 0, step[i] ?? 0);
    },
    figures: (): SpikeFigures => ({
      spikes,
      rate: (spikes * 1000) / (neurons * Math.max(1, steps) * dt),
      variation: meanVariation(),
      intervals: intervals.slice(),
    }),
  };
}

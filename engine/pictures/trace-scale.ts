import { roundStep } from './round-ticks.ts';

/** Membrane potentials of some neurons, and where they fired, over the same steps. */
export interface Traces {
  readonly neurons: number;
  /** One neuron's potentials, oldest first. */
  potentials(neuron: number): Float32Array;
  /** One neuron's spikes as 0 and 1, oldest first. */
  fired(neuron: number): Uint8Array;
}

/** One threshold for all neurons, or [neurons] of them where each has its own; NaN where it is not known. */
export type Thresholds = number | ArrayLike<number>;

export function thresholdOf(thresholds: Thresholds, neuron: number): number {
  return typeof thresholds === 'number' ? thresholds : (thresholds[neuron] ?? Number.NaN);
}

/** The potentials at the lower and the upper edge of a lane. */
export interface TraceScale {
  readonly low: number;
  readonly high: number;
}

/** The scale moves in steps of this part of the threshold, so that it stands still most of the time. */
const GRID = 0.5;

/** A scale that holds all potentials of all neurons, rest (0) and the thresholds; the same for every lane. */
export function scaleOf(traces: Traces, thresholds: Thresholds): TraceScale {
  let [low, high, unit] = [0, 0, Number.NaN];
  for (let neuron = 0; neuron < traces.neurons; neuron++) {
    const threshold = thresholdOf(thresholds, neuron);
    if (Number.isFinite(threshold)) {
      unit = Math.max(unit || 0, Math.abs(threshold));
      high = Math.max(high, threshold);
    }
    for (const value of traces.potentials(neuron)) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const largest = Math.max(high, -low);
  // Without a threshold the potentials say themselves how large they are.
  const grid = GRID * (Number.isNaN(unit) && largest > 0 ? roundStep(largest) : unit || 1);
  return {
    low: Math.floor(low / grid) * grid,
    high: Math.ceil((high * 1.02) / grid) * grid || grid,
  };
}

import type { TraceBuffer } from '../buffers/trace-buffer.ts';

/** One threshold for all neurons, or [neurons] of them where each has its own. */
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
export function scaleOf(buffer: TraceBuffer, thresholds: Thresholds): TraceScale {
  let [low, high, unit] = [0, 0, 0];
  for (let neuron = 0; neuron < buffer.neurons; neuron++) {
    const threshold = thresholdOf(thresholds, neuron);
    unit = Math.max(unit, Math.abs(threshold));
    high = Math.max(high, threshold);
    for (const value of buffer.potentials(neuron)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  const grid = GRID * (unit || 1);
  return {
    low: Math.floor(low / grid) * grid,
    high: Math.ceil((high * 1.02) / grid) * grid || grid,
  };
}

import { createSpikeMeter, type SpikeEvents, type SpikeStatistics } from '../../../engine/index.ts';

/** Statistics of a population's spikes since the start. */
export interface SpikeFigures extends SpikeStatistics {
  /** [INTERVAL_BINS] of INTERVAL_BIN_MS each: inter-spike intervals, longer ones in none. */
  readonly intervals: Uint32Array<ArrayBuffer>;
}

export const INTERVAL_BINS = 50;
export const INTERVAL_BIN_MS = 4;

/** Counts spikes and inter-spike intervals of one population while they come. */
export function createSpikeAnalysis(neurons: number, dt: number) {
  const meter = createSpikeMeter(neurons, dt);
  const last = new Float64Array(neurons).fill(Number.NaN);
  const intervals = new Uint32Array(INTERVAL_BINS);
  let steps = 0;
  return {
    /** Takes up the spikes of so many further steps. */
    add(events: SpikeEvents, count: number) {
      steps += count;
      meter.add(events);
      const { step, neuron } = events;
      for (let i = 0; i < step.length; i++) {
        const [at, who] = [step[i] ?? 0, neuron[i] ?? 0];
        const bin = Math.floor(((at - (last[who] ?? Number.NaN)) * dt) / INTERVAL_BIN_MS);
        last[who] = at;
        if (bin < INTERVAL_BINS) intervals[bin] = (intervals[bin] ?? 0) + 1;
      }
    },
    figures: (): SpikeFigures => ({
      ...meter.statistics(Math.max(1, steps)),
      intervals: intervals.slice(),
    }),
  };
}

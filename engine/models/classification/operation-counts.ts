import type { SpikeCounts } from '../../evaluation/sections.ts';
import { breakEvenRate, energyOf } from '../../evaluation/spike-use.ts';

/** Operations of a spiking classifier per example. */
export interface OperationsPerExample {
  /** Time steps of the neurons. */
  readonly steps: number;
  /** Frames of an input, each shown for an equal share of the steps; 1 for an image. */
  readonly frames: number;
  /** In the order in which they fire. */
  readonly layers: readonly {
    readonly name: string;
    /** `[neurons]`: weights that a spike of each adds to a sum. */
    readonly fanOut: Float64Array;
  }[];
  /** Products with weights whatever fires: those of what is given as numbers. */
  readonly products: number;
  /** Membranes times the steps in which they leak. */
  readonly updates: number;
  /** Products of a network of the same weights whose neurons give a number once for each frame. */
  readonly denseMacs: number;
}

/** Spike counts of `units` examples, from the spikes `u32[neurons]` of each layer. */
export function spikesOfOperations(
  { steps, frames, layers, products, updates, denseMacs }: OperationsPerExample,
  counts: readonly Uint32Array[],
  units: number,
): SpikeCounts {
  const fired = layers.map(({ name, fanOut }, index) => {
    const own = counts[index] ?? new Uint32Array(0);
    const events = own.reduce((sum, count, neuron) => sum + count * (fanOut[neuron] ?? 0), 0);
    return { name, neurons: fanOut.length, spikes: sumOf(own), events };
  });
  const total = sumOf(fired.map(({ spikes }) => spikes));
  const neurons = sumOf(fired.map((layer) => layer.neurons));
  const done = {
    synapticOps: sumOf(fired.map(({ events }) => events)),
    updates: units * updates,
    products: units * products,
    denseMacs: units * denseMacs,
  };
  const { synapticOps } = done;
  return {
    use: {
      total,
      rate: units === 0 ? 0 : total / (neurons * steps * units),
      breakEvenRate: breakEvenRate(steps / frames),
      synapticOps,
      denseMacs: done.denseMacs,
      energy: energyOf(done),
    },
    steps,
    frames,
    units,
    layers: fired.map(({ name, neurons: own, spikes }) => ({ name, neurons: own, spikes })),
  };
}

/** The fan-out of neurons that all feed as many weights. */
export function evenFanOut(neurons: number, weights: number): Float64Array {
  return new Float64Array(neurons).fill(weights);
}

export function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

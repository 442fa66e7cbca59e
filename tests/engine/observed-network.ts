import type { Observation } from '../../engine/layers/observe.ts';

interface Pattern {
  readonly steps: number;
  readonly count?: number;
  /** Neurons of each layer. */
  readonly layers: Readonly<Record<string, number>>;
  readonly fires: (at: { step: number; example: number; neuron: number }) => boolean;
}

/** An observation in which neurons fire as `fires` says; their membranes are 0.1 for each step. */
export function observed({ steps, count = 1, layers, fires }: Pattern): Observation {
  return {
    steps,
    count,
    layers: Object.entries(layers).map(([name, neurons]) => {
      const spikes = new Uint8Array(steps * count * neurons);
      const rates = new Float32Array(neurons);
      spikes.forEach((_, at) => {
        const row = Math.floor(at / neurons);
        const [step, example, neuron] = [Math.floor(row / count), row % count, at % neurons];
        if (!fires({ step, example, neuron })) return;
        spikes[at] = 1;
        rates[neuron]! += 1 / (steps * count);
      });
      const membranes = Float32Array.from(
        spikes,
        (_, at) => 0.1 * Math.floor(at / (neurons * count)),
      );
      return { name, shape: [neurons], spikes, membranes, rates };
    }),
  };
}

import { grainOf, real, single, type WasmBinders } from './commands.ts';

/** Lanes of a vector: neurons that a kernel of engine/backends/wasm/assembly/leaky.ts takes at a time. */
const LANES = 4;
/** Items below this number are not worth another thread's attention. */
const LEAST_GRAIN = 256;

export const leakyBinders: WasmBinders<'lif_membrane_backward' | 'membrane_spike_count'> = {
  lif_membrane_backward: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, currentSteps, beta } = attributes;
    const items = Math.ceil((rows * width) / LANES);
    const isHeld = currentSteps === 1 && steps > 1;
    const ends = [at(operands.gradient), at(operands.currentGradient)];
    return single({
      kernel: 'lif_membrane_backward',
      items,
      grain: grainOf(items, threads, LEAST_GRAIN),
      args: [...ends, steps, rows * width, Number(isHeld), real(beta)],
    });
  },
  membrane_spike_count: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, threshold } = attributes;
    const items = Math.ceil((rows * width) / LANES);
    return single({
      kernel: 'membrane_spike_count',
      items,
      grain: grainOf(items, threads, LEAST_GRAIN),
      args: [at(operands.membrane), at(operands.counts), steps, rows * width, real(threshold)],
    });
  },
};

import type { RecurrentAttributes } from '../../graph/recurrent-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { grainOf, real, single, type WasmBinders } from './commands.ts';
import { SURROGATES } from './neuron-binders.ts';

/* The sizes of engine/backends/wasm/assembly/{recurrent,events,tile}.ts. */
const GROUP_ROWS = 8;
const DEPTH_BLOCK = 256;
const SLAB = 32;
const TILE_ROWS = 6;
const TILE_COLUMNS = 8;
const TILE_BYTES = 4 * TILE_ROWS * TILE_COLUMNS;

export const recurrentBinders: WasmBinders<keyof RecurrentAttributes> = {
  recurrent_lif_forward: ({ operands, attributes }, { at, shared, threads }) => {
    const { steps, rows, width, currentSteps, beta, threshold } = attributes;
    const slabs = Math.ceil(width / SLAB);
    const groups = Math.ceil(rows / GROUP_ROWS);
    const stride = currentSteps === 1 && steps > 1 ? 0 : rows * width;
    const pack = {
      kernel: 'pack_slabs',
      items: slabs,
      grain: grainOf(slabs, threads),
      args: [at(operands.weight), shared, width, width],
    };
    const play = {
      kernel: 'recurrent_lif_forward',
      items: groups,
      grain: 1,
      args: [
        ...[at(operands.current), shared, at(operands.spikes), at(operands.membrane)],
        ...[at(operands.bias), steps, rows, width, stride, real(beta), real(threshold)],
      ],
      scratchBytes: GROUP_ROWS * (4 * Math.ceil(width / DEPTH_BLOCK) + 64 * wordsPerRow(width)),
    };
    return { commands: [pack, play], sharedBytes: 4 * slabs * SLAB * width };
  },
  recurrent_lif_backward: ({ operands, attributes }, { at, shared, threads }) => {
    const { steps, rows, width, beta, threshold, surrogate } = attributes;
    const panels = Math.ceil(width / TILE_COLUMNS);
    const pack = {
      kernel: 'pack_panels',
      items: panels,
      grain: grainOf(panels, threads),
      args: [at(operands.weight), shared, width, width, 1],
    };
    const play = {
      kernel: 'recurrent_lif_backward',
      items: Math.ceil(rows / TILE_ROWS),
      grain: 1,
      args: [
        ...[at(operands.membrane), shared, at(operands.gradient), steps, rows, width],
        ...[real(beta), real(threshold), SURROGATES[surrogate]],
      ],
      scratchBytes: TILE_BYTES,
    };
    return { commands: [pack, play], sharedBytes: 4 * panels * TILE_COLUMNS * width };
  },
  delay_steps: ({ operands, attributes: { count, steps, delay } }, { at }) =>
    single({
      kernel: 'delay_steps',
      items: 1,
      grain: 1,
      args: [at(operands.source), at(operands.target), count * steps, count * delay],
    }),
};

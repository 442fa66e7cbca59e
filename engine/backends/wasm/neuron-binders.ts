import type { KernelAttributes, Surrogate } from '../../graph/kernel-attributes.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { type Bound, grainOf, real, single, type WasmBinders } from './commands.ts';

/** The numbers of engine/backends/wasm/assembly/neurons.ts. */
export const SURROGATES: Readonly<Record<Surrogate, number>> = {
  atan: 0,
  fast_sigmoid: 1,
  sigmoid: 2,
  triangle: 3,
};
const BLOCK = 256;

/** Words between the time steps of a current; one that is held is read again and again. */
function strideOf({ steps, rows, width, currentSteps }: KernelAttributes['lif_forward']): number {
  return currentSteps === 1 && steps > 1 ? 0 : rows * width;
}

/**
 * lif_backward with a beta that moves or none, on a current, a gradient and an output, with the words
 * between steps of the first and last.
 */
function backward(
  [decay, ...tensors]: readonly [
    decay: number,
    current: number,
    gradient: number,
    output: number,
    stride: number,
  ],
  { steps, rows, width, beta, threshold, surrogate }: KernelAttributes['lif_backward'],
  threads: number,
): Bound {
  const items = Math.ceil((rows * width) / BLOCK);
  return single({
    kernel: 'lif_backward',
    items,
    grain: grainOf(items, threads),
    args: [
      ...tensors,
      ...[steps, rows * width],
      ...[real(beta), real(threshold), SURROGATES[surrogate], decay],
    ],
    scratchBytes: 4 * BLOCK * (steps + 1),
  });
}

export const neuronBinders: WasmBinders<
  | 'lif_forward'
  | 'lif_backward'
  | 'lif_backward_held'
  | 'lif_membrane'
  | 'spike_count'
  | 'slot_spike_count'
> = {
  lif_forward: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, beta, threshold } = attributes;
    const items = rows * wordsPerRow(width);
    return single({
      kernel: 'lif_forward',
      items,
      grain: grainOf(items, threads, 32),
      args: [
        ...[at(operands.current), at(operands.spikes), steps, rows, width, strideOf(attributes)],
        ...[real(beta), real(threshold), at(operands.decay)],
      ],
    });
  },
  lif_backward: ({ operands: { current, gradient, decay }, attributes }, { at, threads }) => {
    const stride = attributes.rows * attributes.width;
    const tensors = [at(decay), at(current), at(gradient), at(gradient), stride] as const;
    return backward(tensors, attributes, threads);
  },
  lif_backward_held: ({ operands, attributes }, { at, threads }) => {
    const { current, spikeGradient, currentGradient, decay } = operands;
    const ends = [at(current), at(spikeGradient), at(currentGradient)] as const;
    const tensors = [at(decay), ...ends, 0] as const;
    return backward(tensors, attributes, threads);
  },
  lif_membrane: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, beta, threshold } = attributes;
    return single({
      kernel: 'lif_membrane',
      items: rows,
      grain: grainOf(rows, threads),
      args: [
        ...[at(operands.current), at(operands.membrane), steps, rows, width, strideOf(attributes)],
        ...[real(beta), real(threshold), at(operands.decay)],
      ],
    });
  },
  spike_count: ({ operands, attributes: { rows, width } }, { at }) =>
    single({
      kernel: 'spike_count',
      items: wordsPerRow(width),
      grain: 1,
      args: [at(operands.spikes), at(operands.counts), rows, width],
    }),
  slot_spike_count: ({ operands, attributes }, { at, threads }) => {
    const { steps, rows, width, layers, layer } = attributes;
    return single({
      kernel: 'slot_spike_count',
      items: rows,
      grain: grainOf(rows, threads),
      args: [
        ...[at(operands.spikes), at(operands.slots), at(operands.counts), steps, rows],
        ...[wordsPerRow(width), layers, layer],
      ],
    });
  },
};

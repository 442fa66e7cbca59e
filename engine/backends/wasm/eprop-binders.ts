import type { EpropAttributes, epropRoles } from '../../graph/eprop-kernels.ts';
import type { KernelName } from '../../graph/kernel-table.ts';
import { type Tensor, wordsPerRow } from '../../graph/tensor.ts';
import { type Bound, grainOf, real, type Site, single, type WasmBinders } from './commands.ts';
import { perElement } from './items.ts';
import { SURROGATES } from './neuron-binders.ts';

/** With or without adaptation: the same kernel. */
function update(
  tensors: readonly (Tensor | undefined)[],
  { rows, pre, post, decay }: EpropAttributes['eprop_update'],
  { adaptationDecay, adaptationGain }: { adaptationDecay: number; adaptationGain: number },
  { at, threads }: Site,
): Bound {
  const sizes = [rows, pre, post];
  const rule = [real(decay), real(adaptationDecay), real(adaptationGain)];
  return single({
    kernel: 'eprop_update',
    items: pre,
    grain: grainOf(pre, threads),
    args: [...tensors.map(at), ...sizes, ...rule],
  });
}

export const epropBinders: WasmBinders<Extract<KernelName, keyof typeof epropRoles>> = {
  eprop_neurons: ({ operands, attributes }, { at, threads }) => {
    const { current, membrane, adaptation, spikes, slope } = operands;
    const { rows, width, decay, threshold, adaptationDecay, adaptationGain } = attributes;
    const items = rows * wordsPerRow(width);
    const numbers = [decay, threshold, adaptationDecay, adaptationGain].map(real);
    const surrogate = SURROGATES[attributes.surrogate];
    return single({
      kernel: 'eprop_neurons',
      items,
      grain: grainOf(items, threads, 8),
      args: [
        ...[current, membrane, adaptation, spikes, slope].map(at),
        ...[width, ...numbers, surrogate],
      ],
    });
  },
  eprop_update: ({ operands, attributes }, site) => {
    const { trace, slope, signal, eligibility, gradient } = operands;
    const plain = { adaptationDecay: 0, adaptationGain: 0 };
    const tensors = [trace, slope, signal, eligibility, gradient, undefined];
    return update(tensors, attributes, plain, site);
  },
  eprop_adaptive_update: ({ operands, attributes }, site) => {
    const { trace, slope, signal, eligibility, gradient, adaptation } = operands;
    const tensors = [trace, slope, signal, eligibility, gradient, adaptation];
    return update(tensors, attributes, attributes, site);
  },
  readout_error: ({ operands, attributes: { count, decay } }, site) => {
    const { current, target, membrane, error, loss } = operands;
    const places = [current, target, membrane, error, loss].map(site.at);
    return perElement('readout_error', count, [...places, count, real(decay)], site);
  },
};

import { wordsPerRow } from '../../graph/tensor.ts';
import { grainOf, real, single, type WasmBinders } from './commands.ts';
import { perElement, perGroup, perRow } from './items.ts';

/** Draws of four numbers that a thread takes at least. */
const LEAST_DRAWS = 16;

/** Both ends of a training step: tokens, losses, the optimiser and random numbers. */
export const trainingBinders: WasmBinders<
  | 'embedding_forward'
  | 'token_chain'
  | 'embedding_backward'
  | 'cross_entropy_forward'
  | 'cross_entropy_backward'
  | 'mean_loss'
  | 'squared_norm'
  | 'gradient_norm'
  | 'adamw'
  | 'random_uniform'
  | 'random_spikes'
> = {
  embedding_forward: ({ operands, attributes: { rows, width, vocabulary } }, site) => {
    const { ids, table, output } = operands;
    const args = [site.at(ids), site.at(table), site.at(output), width, vocabulary];
    return perRow('embedding_forward', rows, args, site);
  },
  token_chain: ({ operands: { ids, chain }, attributes: { rows } }, { at, shared }) => {
    // At most half of the slots are taken.
    const bits = Math.ceil(Math.log2(2 * rows));
    const args = [at(ids), at(chain), rows, shared, bits];
    const command = { kernel: 'token_chain', items: 1, grain: 1, args };
    return { commands: [command], sharedBytes: 4 * 2 ** bits };
  },
  embedding_backward: ({ operands, attributes: { rows, width, vocabulary } }, site) => {
    const { ids, gradient, tableGradient } = operands;
    const ends = [site.at(ids), site.at(gradient), site.at(tableGradient)];
    return perGroup('embedding_backward', width, [...ends, rows, width, vocabulary], site);
  },
  cross_entropy_forward: ({ operands, attributes: { rows, width } }, site) => {
    const { logits, targets, losses, scale, weights } = operands;
    const ends = [logits, targets, losses, scale].map(site.at);
    const args = [...ends, width, site.at(weights)];
    return perRow('cross_entropy_forward', rows, args, site);
  },
  cross_entropy_backward: ({ operands, attributes: { rows, width } }, site) => {
    const { logits, targets, scale, logitsGradient, weights } = operands;
    const ends = [logits, targets, scale, logitsGradient].map(site.at);
    const args = [...ends, rows, width, site.at(weights)];
    return perRow('cross_entropy_backward', rows, args, site);
  },
  mean_loss: ({ operands: { losses, clock, history }, attributes: { rows, slots } }, { at }) => {
    const args = [at(losses), at(clock), at(history), rows, slots];
    return single({ kernel: 'mean_loss', items: 1, grain: 1, args });
  },
  squared_norm: ({ operands: { gradients, partial }, attributes: { count, chunk } }, site) => {
    const args = [site.at(gradients), site.at(partial), count, chunk];
    return perRow('squared_norm', Math.ceil(count / chunk), args, site);
  },
  gradient_norm: ({ operands, attributes: { rows, slots } }, { at }) => {
    const { partial, clock, rates, norms, scale } = operands;
    const args = [at(partial), at(clock), at(rates), at(norms), at(scale), rows, slots];
    return single({ kernel: 'gradient_norm', items: 1, grain: 1, args });
  },
  adamw: ({ operands, attributes }, site) => {
    const { parameters, gradients, momentum, variance, scale, rates } = operands;
    const { count, decayed, beta1, beta2, epsilon } = attributes;
    const args = [
      site.at(parameters),
      site.at(gradients),
      site.at(momentum),
      site.at(variance),
      site.at(scale),
      site.at(rates),
      count,
      decayed,
      real(beta1),
      real(beta2),
      real(epsilon),
      real(1 - beta1),
      real(1 - beta2),
    ];
    return perElement('adamw', count, args, site);
  },
  random_uniform: ({ operands: { clock, output }, attributes: { count, stream } }, site) => {
    const items = Math.ceil(count / 4);
    return single({
      kernel: 'random_uniform',
      items,
      grain: grainOf(items, site.threads, LEAST_DRAWS),
      args: [site.at(clock), site.at(output), count, stream],
    });
  },
  random_spikes: ({ operands, attributes }, site) => {
    const { rows, width, stream, probabilityRows } = attributes;
    const { probabilities, clock, spikes } = operands;
    const ends = [site.at(probabilities), site.at(clock), site.at(spikes)];
    const words = rows * wordsPerRow(width);
    return perRow('random_spikes', words, [...ends, width, stream, probabilityRows], site);
  },
};

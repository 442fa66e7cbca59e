import { real, type WasmBinders } from './commands.ts';
import { perChunk, perElement, perGroup, perRow } from './items.ts';

/** Moving and adding up, over time steps too, and the mixture of both paths. */
export const memoryBinders: WasmBinders<
  | 'fill'
  | 'add'
  | 'copy'
  | 'sum_steps'
  | 'mean_steps_forward'
  | 'mean_steps_backward'
  | 'reduce_rows'
  | 'column_sum'
  | 'readout_mix_forward'
  | 'readout_mix_backward'
  | 'readout_mix_backward_mix'
> = {
  fill: ({ operands: { target }, attributes: { count, value } }, site) =>
    perElement('fill', count, [site.at(target), count, real(value)], site),
  add: ({ operands: { addend, target }, attributes: { count } }, site) =>
    perElement('add', count, [site.at(addend), site.at(target), count], site),
  copy: ({ operands: { source, target }, attributes: { count } }, site) =>
    perElement('copy', count, [site.at(source), site.at(target), count], site),
  sum_steps: ({ operands: { source, target }, attributes }, site) => {
    const { count, steps, accumulate } = attributes;
    const args = [site.at(source), site.at(target), count, steps, real(1), Number(accumulate)];
    return perElement('sum_steps', count, args, site);
  },
  mean_steps_forward: ({ operands: { source, target }, attributes: { count, steps } }, site) => {
    const args = [site.at(source), site.at(target), count, steps, real(1 / steps), 0];
    return perElement('sum_steps', count, args, site);
  },
  mean_steps_backward: ({ operands: { gradient, target }, attributes }, site) => {
    const { count, steps, accumulate } = attributes;
    const ends = [site.at(gradient), site.at(target)];
    const args = [...ends, count, steps, real(1 / steps), Number(accumulate)];
    return perElement('mean_steps_backward', count, args, site);
  },
  reduce_rows: ({ operands: { partial, total }, attributes }, site) => {
    const { rows, width, accumulate } = attributes;
    const args = [site.at(partial), site.at(total), rows, width, Number(accumulate)];
    return perGroup('reduce_rows', width, args, site);
  },
  column_sum: ({ operands: { source, partial }, attributes }, site) => {
    const { rows, width, chunk } = attributes;
    const args = [site.at(source), site.at(partial), rows, width, chunk];
    return perChunk('column_sum', attributes, args, site);
  },
  readout_mix_forward: ({ operands, attributes: { count } }, site) => {
    const { direct, deep, mix, output } = operands;
    const args = [site.at(direct), site.at(deep), site.at(mix), site.at(output), count];
    return perElement('readout_mix_forward', count, args, site);
  },
  readout_mix_backward: ({ operands, attributes }, site) => {
    const { mix, gradient, directGradient, deepGradient } = operands;
    const { count, accumulateDirect, accumulateDeep } = attributes;
    const args = [
      site.at(mix),
      site.at(gradient),
      site.at(directGradient),
      site.at(deepGradient),
      count,
      Number(accumulateDirect),
      Number(accumulateDeep),
    ];
    return perElement('readout_mix_backward', count, args, site);
  },
  readout_mix_backward_mix: ({ operands, attributes: { count, chunk } }, site) => {
    const { direct, deep, mix, gradient, partial } = operands;
    const args = [
      site.at(direct),
      site.at(deep),
      site.at(mix),
      site.at(gradient),
      site.at(partial),
      count,
      chunk,
    ];
    return perRow('readout_mix_backward_mix', Math.ceil(count / chunk), args, site);
  },
};

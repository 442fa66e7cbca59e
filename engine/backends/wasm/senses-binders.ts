import type { SensesAttributes } from '../../graph/senses-kernels.ts';
import { real, type WasmBinders } from './commands.ts';
import { perElement, perRow } from './items.ts';

export const sensesBinders: WasmBinders<keyof SensesAttributes> = {
  hold_steps_forward: ({ operands, attributes: { count, steps, hold } }, site) => {
    const { source, target } = operands;
    return perRow(
      'hold_steps_forward',
      steps,
      [site.at(source), site.at(target), count, hold],
      site,
    );
  },
  hold_steps_backward: ({ operands, attributes }, site) => {
    const { count, steps, hold, accumulate } = attributes;
    const ends = [site.at(operands.gradient), site.at(operands.target)];
    return perRow('hold_steps_backward', steps, [...ends, count, hold, Number(accumulate)], site);
  },
  clipped_sum: ({ operands: { addend, scale, sum }, attributes: { count } }, site) => {
    const args = [site.at(addend), site.at(scale), site.at(sum), count];
    return perElement('clipped_sum', count, args, site);
  },
  private_gradient: ({ operands: { clock, sum, gradient }, attributes }, site) => {
    const { count, offset, stream, deviation, factor } = attributes;
    const ends = [site.at(clock), site.at(sum), site.at(gradient)];
    const args = [...ends, count, offset, stream, real(deviation), real(factor)];
    return perElement('private_gradient', count, args, site);
  },
};

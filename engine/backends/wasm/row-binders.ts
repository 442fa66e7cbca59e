import { type Bound, real, type WasmBinders } from './commands.ts';
import { perChunk, perRow } from './items.ts';

/** The same commands with scratch for a row. */
function withRow({ commands }: Bound, width: number): Bound {
  return { commands: commands.map((command) => ({ ...command, scratchBytes: 4 * width })) };
}

/** Kernels over rows of features: norms and token shifts. */
export const rowBinders: WasmBinders<
  | 'layer_norm_forward'
  | 'layer_norm_backward_input'
  | 'layer_norm_backward_parameters'
  | 'rms_norm_forward'
  | 'rms_norm_backward_input'
  | 'rms_norm_backward_parameters'
  | 'token_shift_forward'
  | 'token_shift_backward_input'
  | 'token_shift_backward_mix'
  | 'token_shift_step'
> = {
  layer_norm_forward: ({ operands, attributes: { rows, width, epsilon } }, site) => {
    const { input, gain, offset, output, statistics } = operands;
    const args = [
      site.at(input),
      site.at(gain),
      site.at(offset),
      site.at(output),
      site.at(statistics),
      width,
      real(epsilon),
    ];
    return perRow('layer_norm_forward', rows, args, site);
  },
  layer_norm_backward_input: ({ operands, attributes: { rows, width, accumulate } }, site) => {
    const { input, gain, statistics, gradient, inputGradient } = operands;
    const args = [
      site.at(input),
      site.at(gain),
      site.at(statistics),
      site.at(gradient),
      site.at(inputGradient),
      width,
      Number(accumulate),
    ];
    return perRow('layer_norm_backward_input', rows, args, site);
  },
  layer_norm_backward_parameters: ({ operands, attributes }, site) => {
    const { input, statistics, gradient, gainPartial, offsetPartial } = operands;
    const { rows, width, chunk } = attributes;
    const args = [
      site.at(input),
      site.at(statistics),
      site.at(gradient),
      site.at(gainPartial),
      site.at(offsetPartial),
      rows,
      width,
      chunk,
    ];
    return perChunk('layer_norm_backward_parameters', attributes, args, site);
  },
  rms_norm_forward: ({ operands, attributes: { rows, width, epsilon } }, site) => {
    const { input, gain, output, statistics } = operands;
    const args = [
      site.at(input),
      site.at(gain),
      site.at(output),
      site.at(statistics),
      width,
      real(epsilon),
    ];
    return perRow('rms_norm_forward', rows, args, site);
  },
  rms_norm_backward_input: ({ operands, attributes: { rows, width, accumulate } }, site) => {
    const { input, gain, statistics, gradient, inputGradient } = operands;
    const args = [
      site.at(input),
      site.at(gain),
      site.at(statistics),
      site.at(gradient),
      site.at(inputGradient),
      width,
      Number(accumulate),
    ];
    return perRow('rms_norm_backward_input', rows, args, site);
  },
  rms_norm_backward_parameters: ({ operands, attributes }, site) => {
    const { input, statistics, gradient, gainPartial } = operands;
    const { rows, width, chunk } = attributes;
    const args = [
      site.at(input),
      site.at(statistics),
      site.at(gradient),
      site.at(gainPartial),
      rows,
      width,
      chunk,
    ];
    return perChunk('rms_norm_backward_parameters', attributes, args, site);
  },
  token_shift_forward: ({ operands, attributes: { rows, width, sequence } }, site) => {
    const { input, mix, output } = operands;
    const args = [site.at(input), site.at(mix), site.at(output), width, sequence];
    return withRow(perRow('token_shift_forward', rows, args, site), width);
  },
  token_shift_backward_input: ({ operands, attributes }, site) => {
    const { gradient, mix, inputGradient } = operands;
    const { rows, width, sequence, accumulate } = attributes;
    const args = [
      site.at(gradient),
      site.at(mix),
      site.at(inputGradient),
      width,
      sequence,
      Number(accumulate),
    ];
    return withRow(perRow('token_shift_backward_input', rows, args, site), width);
  },
  token_shift_backward_mix: ({ operands, attributes }, site) => {
    const { input, gradient, partial } = operands;
    const { rows, width, sequence, chunk } = attributes;
    const ends = [site.at(input), site.at(gradient), site.at(partial)];
    const args = [...ends, rows, width, sequence, chunk];
    return perChunk('token_shift_backward_mix', attributes, args, site);
  },
  token_shift_step: ({ operands, attributes: { steps, rows, width, slots } }, site) => {
    const { input, mix, previous, output } = operands;
    const ends = [site.at(input), site.at(mix), site.at(previous), site.at(output)];
    const args = [...ends, width, site.at(operands.slots), rows, slots];
    return withRow(perRow('token_shift_step', steps * rows, args, site), width);
  },
};

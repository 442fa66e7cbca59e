import type { DistillationAttributes } from '../../graph/distillation-kernels.ts';
import { real, type WasmBinders } from './commands.ts';
import { perRow } from './items.ts';

export const distillationBinders: WasmBinders<keyof DistillationAttributes> = {
  distillation_forward: ({ operands, attributes }, site) => {
    const { logits, teacher, targets, losses, scale } = operands;
    const { rows, width, temperature, blend } = attributes;
    const ends = [logits, teacher, targets, losses, scale].map(site.at);
    const args = [...ends, width, real(temperature), real(blend)];
    return perRow('distillation_forward', rows, args, site);
  },
  distillation_backward: ({ operands, attributes }, site) => {
    const { logits, teacher, targets, scale, logitsGradient } = operands;
    const { rows, width, temperature, blend } = attributes;
    const ends = [logits, teacher, targets, scale, logitsGradient].map(site.at);
    const args = [...ends, rows, width, real(temperature), real(blend)];
    return perRow('distillation_backward', rows, args, site);
  },
  softmax_rows: ({ operands: { logits, output }, attributes }, site) => {
    const { rows, width, temperature } = attributes;
    const args = [site.at(logits), site.at(output), width, real(temperature)];
    return perRow('softmax_rows', rows, args, site);
  },
};

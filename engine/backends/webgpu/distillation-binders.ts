import type { DistillationAttributes } from '../../graph/distillation-kernels.ts';
import { type Binder, perElement, perRow } from './dispatch.ts';

export const distillationBinders: { readonly [K in keyof DistillationAttributes]: Binder<K> } = {
  distillation_forward: (call, profile) =>
    perRow('loss/distillation_forward', call, call.attributes.rows, profile),
  distillation_backward: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('loss/distillation_backward', call, rows * width, profile);
  },
  softmax_rows: (call, profile) => perRow('loss/softmax_rows', call, call.attributes.rows, profile),
};

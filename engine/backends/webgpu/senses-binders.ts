import type { SensesAttributes } from '../../graph/senses-kernels.ts';
import { type Binder, perElement } from './dispatch.ts';

/** How WebGPU plays what only classifiers of pictures and sounds need. */
export const sensesBinders: { readonly [K in keyof SensesAttributes]: Binder<K> } = {
  hold_steps_forward: (call, profile) => {
    const { count, steps, hold } = call.attributes;
    return perElement('memory/hold_steps_forward', call, count * steps * hold, profile);
  },
  hold_steps_backward: (call, profile) => {
    const { count, steps } = call.attributes;
    return perElement('memory/hold_steps_backward', call, count * steps, profile);
  },
  clipped_sum: (call, profile) =>
    perElement('privacy/clipped_sum', call, call.attributes.count, profile),
  private_gradient: (call, profile) =>
    perElement('privacy/private_gradient', call, Math.ceil(call.attributes.count / 4), profile),
};

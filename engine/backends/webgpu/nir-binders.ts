import { type Binder, perElement } from './dispatch.ts';

/** How WebGPU plays the kernels of imported networks. */
export const nirBinders: {
  readonly integrate_fire: Binder<'integrate_fire'>;
  readonly delay_steps: Binder<'delay_steps'>;
} = {
  integrate_fire: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('neurons/integrate_fire', call, rows * width, profile);
  },
  delay_steps: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('memory/delay_steps', call, rows * width, profile);
  },
};

import { type Binder, perElement } from './dispatch.ts';

/** How WebGPU plays the kernels of imported networks. */
export const nirBinders: {
  readonly integrate_fire: Binder<'integrate_fire'>;
  readonly delay_features: Binder<'delay_features'>;
} = {
  integrate_fire: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('neurons/integrate_fire', call, rows * width, profile);
  },
  delay_features: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('memory/delay_features', call, rows * width, profile);
  },
};

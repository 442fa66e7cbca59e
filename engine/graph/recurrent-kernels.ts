import type { Surrogate } from './kernel-attributes.ts';

/** Neurons that hear their own layer's spikes of the step before. */
export const recurrentRoles = {
  recurrent_lif_forward: {
    current: 'read',
    weight: 'read',
    spikes: 'write',
    membrane: 'write',
    bias: 'read?',
  },
  recurrent_lif_backward: { membrane: 'read', weight: 'read', gradient: 'update' },
  delay_steps: { source: 'read', target: 'write' },
} as const;

interface Neurons {
  readonly steps: number;
  readonly rows: number;
  readonly width: number;
  readonly beta: number;
  readonly threshold: number;
}

export interface RecurrentAttributes {
  /** `currentSteps` is 1 where the current is the same in every step and stored once, else `steps`. */
  readonly recurrent_lif_forward: Neurons & { readonly currentSteps: number };
  /** The gradient of the spikes becomes that of the current, for every step. */
  readonly recurrent_lif_backward: Neurons & { readonly surrogate: Surrogate };
  /** Words of any kind, `delay` steps later; zero before. */
  readonly delay_steps: {
    readonly count: number;
    readonly steps: number;
    readonly delay: number;
  };
}

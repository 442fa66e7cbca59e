/** The kernels that imported networks (engine/nir) are played with: operands with their roles, and attributes. */
export const nirKernelRoles = {
  integrate_fire: { drive: 'read', parameters: 'read', membrane: 'update', output: 'write' },
  delay_features: { input: 'read', delays: 'read', past: 'update', output: 'write' },
} as const;

/**
 * What a spike does to the membrane u that passed the threshold. `value`: it becomes the reset value.
 * `subtract`: the reset value is subtracted at once. `delayed`: it is subtracted in the next step, after
 * the leak. `none`: there are no spikes, and the output is the membrane.
 */
export type SpikeReset = 'none' | 'value' | 'subtract' | 'delayed';

interface Steps {
  /** Time steps of one play. */
  readonly steps: number;
  readonly rows: number;
  readonly width: number;
}

export interface NirKernelAttributes {
  /** `parameters` is [5][width]: decay, gain, drift, threshold, reset. */
  readonly integrate_fire: Steps & { readonly reset: SpikeReset };
  /** `delays` are steps, u32[width], each at most `depth`; `past` is [depth][rows][width], the oldest first. */
  readonly delay_features: Steps & { readonly depth: number };
}

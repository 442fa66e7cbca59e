import type { Surrogate } from './kernel-attributes.ts';

/** Kernels of e-prop (Bellec et al. 2020): gradients that go along in time with the network. */
export const epropRoles = {
  eprop_neurons: {
    current: 'read',
    membrane: 'update',
    adaptation: 'update',
    spikes: 'update',
    slope: 'write',
  },
  eprop_update: {
    trace: 'read',
    slope: 'read',
    signal: 'read',
    eligibility: 'update',
    gradient: 'update',
  },
  eprop_adaptive_update: {
    trace: 'read',
    slope: 'read',
    signal: 'read',
    eligibility: 'update',
    gradient: 'update',
    adaptation: 'update',
  },
  readout_error: {
    current: 'read',
    target: 'read',
    membrane: 'update',
    error: 'write',
    loss: 'update',
  },
} as const;

interface Rows {
  readonly rows: number;
  readonly width: number;
}

/** Synapses `pre x post` with an eligibility for each of `rows` sequences. */
interface Eligibilities {
  readonly rows: number;
  readonly pre: number;
  readonly post: number;
  /** Fraction of the filtered eligibility kept per step: that of the readout. */
  readonly decay: number;
}

export interface EpropAttributes {
  readonly eprop_neurons: Rows & {
    /** Fraction of the membrane kept per step. */
    readonly decay: number;
    readonly threshold: number;
    /** Fraction of the adaptation kept per step. */
    readonly adaptationDecay: number;
    /** By how much the threshold rises with the adaptation; 0 for plain LIF. */
    readonly adaptationGain: number;
    readonly surrogate: Surrogate;
  };
  readonly eprop_update: Eligibilities;
  readonly eprop_adaptive_update: Eligibilities & {
    readonly adaptationDecay: number;
    readonly adaptationGain: number;
  };
  readonly readout_error: {
    readonly count: number;
    readonly decay: number;
  };
}

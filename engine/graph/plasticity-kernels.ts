/**
 * Kernels of learning rules that walk synapses, one call a step. `spikes` are the bits of one step.
 * Synapses are either sparse or dense. Sparse ones lie by source, `rowStart u32[pre + 1]` and
 * `target u32[synapses]`, and are found by target through `columnStart u32[post + 1]` with
 * `synapseOf, source u32[synapses]`; of dense ones there are `pre x post`, and no index is given.
 */
export const plasticityRoles = {
  spike_trace: { spikes: 'read', trace: 'update' },
  stdp_depress: {
    spikes: 'read',
    trace: 'read',
    slow: 'read?',
    rowStart: 'read?',
    target: 'read?',
    weight: 'update',
  },
  stdp_potentiate: {
    spikes: 'read',
    trace: 'read',
    slow: 'read?',
    columnStart: 'read?',
    synapseOf: 'read?',
    source: 'read?',
    weight: 'update',
  },
  reward_update: { reward: 'read', eligibility: 'update', weight: 'update' },
  bcm_update: {
    spikes: 'read',
    activity: 'read',
    threshold: 'read',
    rowStart: 'read?',
    target: 'read?',
    weight: 'update',
  },
  bcm_threshold: { activity: 'read', threshold: 'update' },
  synaptic_scaling: { clock: 'read', rate: 'read', target: 'read?', weight: 'update' },
  incoming_normalise: { columnStart: 'read?', synapseOf: 'read?', weight: 'update' },
  competing_lif: {
    current: 'read',
    offset: 'read',
    membrane: 'update',
    refractory: 'update',
    spikes: 'write',
  },
  lateral_inhibition: { spikes: 'read', membrane: 'update' },
  select_step: { source: 'read', clock: 'read', target: 'write' },
} as const;

interface Rows {
  readonly rows: number;
  readonly width: number;
}

/** Weights never leave these. */
export interface WeightBounds {
  readonly low: number;
  readonly high: number;
}

interface Projection {
  /** Neurons that synapses come from. */
  readonly pre: number;
  /** Neurons that synapses lead to. */
  readonly post: number;
}

/** One side of spike-timing dependent plasticity. */
interface StdpSide extends Projection, WeightBounds {
  /** Amplitude for a pair of spikes. */
  readonly pair: number;
  /** Amplitude for a triplet of spikes; 0 where there is no slow trace. */
  readonly triplet: number;
  /** What is left of the slow trace, which holds the step before, in this step. */
  readonly slowDecay: number;
  /** Change in proportion to the distance from the bound that is moved towards. */
  readonly soft: boolean;
}

export interface PlasticityAttributes {
  readonly spike_trace: Rows & {
    /** Fraction kept per step. */
    readonly decay: number;
    /** What a spike adds. */
    readonly increment: number;
    /** A spike sets the trace to the increment: only the nearest spike counts. */
    readonly saturates: boolean;
  };
  readonly stdp_depress: StdpSide;
  readonly stdp_potentiate: StdpSide;
  readonly reward_update: WeightBounds & {
    /** Synapses. */
    readonly count: number;
    readonly decay: number;
    readonly rate: number;
  };
  readonly bcm_update: Projection & WeightBounds & { readonly rate: number };
  readonly bcm_threshold: {
    readonly count: number;
    /** y0, at which the mean activity comes to rest. */
    readonly setpoint: number;
    /** dt / tau_theta */
    readonly rate: number;
  };
  readonly synaptic_scaling: WeightBounds & {
    /** Synapses. */
    readonly count: number;
    readonly post: number;
    readonly gain: number;
    readonly setpoint: number;
    /** Scales where the clock's step is a multiple of it. */
    readonly interval: number;
  };
  /** `total` is what the weights of each target add up to afterwards. */
  readonly incoming_normalise: Projection & { readonly total: number };
  readonly competing_lif: Rows & {
    readonly decay: number;
    readonly threshold: number;
    readonly reset: number;
    /** Steps after a spike in which a neuron neither integrates nor fires. */
    readonly refractorySteps: number;
  };
  readonly lateral_inhibition: Rows & { readonly strength: number };
  /** `source` has `steps` times `count` words. */
  readonly select_step: { readonly count: number; readonly steps: number };
}

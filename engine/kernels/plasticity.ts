import type { AttributesOf } from '../graph/kernel.ts';
import { SURROGATES } from './neurons.ts';
import { kernelsOf, ROWS } from './table.ts';

/** Weights never leave these. */
const BOUNDS = { low: 'float', high: 'float' } as const;
export type WeightBounds = AttributesOf<typeof BOUNDS>;

const PROJECTION = {
  /** Neurons that synapses come from. */
  pre: 'int',
  /** Neurons that synapses lead to. */
  post: 'int',
} as const;

/** One side of spike-timing dependent plasticity. */
const STDP = {
  ...PROJECTION,
  /** Amplitude for a pair of spikes. */
  pair: 'float',
  /** Amplitude for a triplet of spikes; 0 where there is no slow trace. */
  triplet: 'float',
  /** Fraction of the slow trace, which holds the step before, that remains in this step. */
  slowDecay: 'float',
  ...BOUNDS,
  /** Change in proportion to the distance from the bound that is moved towards. */
  soft: 'flag',
} as const;

/**
 * Learning rules that walk synapses, one call a step. `spikes` are the bits of one step.
 * Synapses are either sparse or dense. Sparse ones lie by source, `rowStart u32[pre + 1]` and
 * `target u32[synapses]`, and are found by target through `columnStart u32[post + 1]` with
 * `synapseOf, source u32[synapses]`; of dense ones there are `pre x post`, and no index is given.
 */
export const plasticityKernels = kernelsOf('plasticity', {
  spike_trace: {
    operands: { spikes: 'read', trace: 'update' },
    attributes: {
      ...ROWS,
      /** Fraction kept per step. */
      decay: 'float',
      /** Increment per spike. */
      increment: 'float',
      /** A spike sets the trace to the increment: only the nearest spike counts. */
      saturates: 'flag',
    },
  },
  stdp_depress: {
    operands: {
      spikes: 'read',
      trace: 'read',
      slow: 'read?',
      rowStart: 'read?',
      target: 'read?',
      weight: 'update',
    },
    attributes: STDP,
  },
  stdp_potentiate: {
    operands: {
      spikes: 'read',
      trace: 'read',
      slow: 'read?',
      columnStart: 'read?',
      synapseOf: 'read?',
      source: 'read?',
      weight: 'update',
    },
    attributes: STDP,
  },
  reward_update: {
    operands: { reward: 'read', eligibility: 'update', weight: 'update' },
    attributes: {
      /** Synapses. */
      count: 'int',
      decay: 'float',
      rate: 'float',
      ...BOUNDS,
    },
  },
  bcm_update: {
    operands: {
      spikes: 'read',
      activity: 'read',
      threshold: 'read',
      rowStart: 'read?',
      target: 'read?',
      weight: 'update',
    },
    attributes: { ...PROJECTION, rate: 'float', ...BOUNDS },
  },
  bcm_threshold: {
    operands: { activity: 'read', threshold: 'update' },
    attributes: {
      count: 'int',
      /** y0, at which the mean activity comes to rest. */
      setpoint: 'float',
      /** dt / tau_theta */
      rate: 'float',
    },
  },
  synaptic_scaling: {
    operands: { clock: 'read', rate: 'read', target: 'read?', weight: 'update' },
    attributes: {
      /** Synapses. */
      count: 'int',
      post: 'int',
      gain: 'float',
      setpoint: 'float',
      /** Scales where the clock's step is a multiple of it. */
      interval: 'int',
      ...BOUNDS,
    },
  },
  /** The weights of each target add up to `total` afterwards. */
  incoming_normalise: {
    operands: { columnStart: 'read?', synapseOf: 'read?', weight: 'update' },
    attributes: { ...PROJECTION, total: 'float' },
  },
  competing_lif: {
    operands: {
      current: 'read',
      offset: 'read',
      membrane: 'update',
      refractory: 'update',
      spikes: 'write',
    },
    attributes: {
      ...ROWS,
      decay: 'float',
      threshold: 'float',
      reset: 'float',
      /** Steps after a spike in which a neuron neither integrates nor fires. */
      refractorySteps: 'int',
    },
  },
  lateral_inhibition: {
    operands: { spikes: 'read', membrane: 'update' },
    attributes: { ...ROWS, strength: 'float' },
  },
  /** `source` has `steps` times `count` words. */
  select_step: {
    operands: { source: 'read', clock: 'read', target: 'write' },
    attributes: { count: 'int', steps: 'int' },
  },
});

/** Synapses `pre x post` with an eligibility for each of `rows` sequences. */
const ELIGIBILITIES = {
  rows: 'int',
  pre: 'int',
  post: 'int',
  /** Fraction of the filtered eligibility kept per step: that of the readout. */
  decay: 'float',
} as const;

const ADAPTATION = {
  /** Fraction of the adaptation kept per step. */
  adaptationDecay: 'float',
  /** By how much the threshold rises with the adaptation; 0 for plain LIF. */
  adaptationGain: 'float',
} as const;

/** E-prop (Bellec et al. 2020): gradients that are carried forward in time with the network. */
export const epropKernels = kernelsOf('eprop', {
  eprop_neurons: {
    operands: {
      current: 'read',
      membrane: 'update',
      adaptation: 'update',
      spikes: 'update',
      slope: 'write',
    },
    attributes: {
      ...ROWS,
      /** Fraction of the membrane kept per step. */
      decay: 'float',
      threshold: 'float',
      ...ADAPTATION,
      surrogate: SURROGATES,
    },
  },
  eprop_update: {
    operands: {
      trace: 'read',
      slope: 'read',
      signal: 'read',
      eligibility: 'update',
      gradient: 'update',
    },
    attributes: ELIGIBILITIES,
  },
  eprop_adaptive_update: {
    operands: {
      trace: 'read',
      slope: 'read',
      signal: 'read',
      eligibility: 'update',
      gradient: 'update',
      adaptation: 'update',
    },
    attributes: { ...ELIGIBILITIES, ...ADAPTATION },
  },
  readout_error: {
    operands: {
      current: 'read',
      target: 'read',
      membrane: 'update',
      error: 'write',
      loss: 'update',
    },
    attributes: { count: 'int', decay: 'float' },
  },
});

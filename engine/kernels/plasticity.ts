import type { AttributesOf } from '../graph/kernel.ts';
import { equations } from '../kernel-language/written-kernel.ts';
import { float, kernelsOf, ROWS } from './table.ts';

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

/** The share of the amplitude for triplets that is left of the slow trace. */
const SLOW = {
  slowAmplitude: float((a: AttributesOf<typeof STDP>) => a.triplet * a.slowDecay),
} as const;

const BY_ROWS = { over: { row: 'rows', column: 'width' } } as const;

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
    write: equations(({ saturates }) => ({
      ...BY_ROWS,
      shapes: { spikes: 'bits[rows, width]', trace: 'f32[rows, width]' },
      equations: `
        left = decay * trace
        trace = spikes ? ${saturates === true ? 'increment' : 'left + increment'} : left`,
    })),
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
    derived: SLOW,
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
    derived: SLOW,
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
    write: equations({
      over: { synapse: 'count' },
      shapes: { reward: 'f32[2]', eligibility: 'f32[count]', weight: 'f32[count]' },
      equations: `
        factor = rate * (reward[0] - reward[1])
        weight = min(high, max(low, weight + factor * eligibility))
        eligibility = decay * eligibility`,
    }),
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
    write: equations({
      over: { neuron: 'count' },
      shapes: { activity: 'f32[count]', threshold: 'f32[count]' },
      equations: `
        aim = activity * activity * (1 / setpoint)
        threshold = threshold + (aim - threshold) * rate`,
    }),
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
    write: equations(({ target }) => ({
      over: target === true ? { synapse: 'count' } : { source: 'count / post', neuron: 'post' },
      shapes: {
        clock: 'u32[4]',
        rate: 'f32[post]',
        target: 'u32[count]',
        weight: target === true ? 'f32[count]' : 'f32[count / post, post]',
      },
      equations: `
        isDue = clock[0] % u32(interval) == 0
        factor = 1 + gain * (setpoint - rate[${target === true ? 'target' : 'neuron'}])
        weight = isDue ? max(low, min(high, weight * factor)) : weight`,
    })),
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
    write: equations({
      ...BY_ROWS,
      shapes: {
        current: 'f32[rows, width]',
        offset: 'f32[width]',
        membrane: 'f32[rows, width]',
        refractory: 'u32[rows, width]',
        spikes: 'bits[rows, width]',
      },
      equations: `
        rested = refractory == 0
        v = decay * membrane + (rested ? current : 0)
        fired = rested && v > threshold + offset
        membrane = fired ? reset : v
        refractory = fired ? u32(refractorySteps) : max(refractory, 1) - 1
        spikes = fired`,
    }),
  },
  lateral_inhibition: {
    operands: { spikes: 'read', membrane: 'update' },
    attributes: { ...ROWS, strength: 'float' },
    write: equations({
      ...BY_ROWS,
      shapes: { spikes: 'bits[rows, width]', membrane: 'f32[rows, width]' },
      equations: `
        own = f32(spikes)
        membrane = membrane - strength * (rowSum(own) - own)`,
    }),
  },
  /** `source` has `steps` times `count` words. */
  select_step: {
    operands: { source: 'read', clock: 'read', target: 'write' },
    attributes: { count: 'int', steps: 'int' },
    write: equations({
      over: { word: 'count' },
      shapes: { source: 'u32[steps, count]', clock: 'u32[4]', target: 'u32[count]' },
      equations: 'target = source[clock[0] % u32(steps), word]',
    }),
  },
});

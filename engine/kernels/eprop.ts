import { equations } from '../kernel-language/written-kernel.ts';
import { type Surrogate, SURROGATES } from './neurons.ts';
import { SLOPES } from './surrogates.ts';
import { kernelsOf, ROWS } from './table.ts';

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

/** Every synapse, the sequences one after the other: their gradients are added up. */
const ELIGIBILITY = {
  over: { source: 'pre', row: 'rows', neuron: 'post' },
  scan: 'row',
  shapes: {
    trace: 'f32[rows, pre]',
    slope: 'f32[rows, post]',
    signal: 'f32[rows, post]',
    eligibility: 'f32[rows, pre, post]',
    gradient: 'f32[pre, post]',
    adaptation: 'f32[rows, pre, post]',
  },
} as const;

const updateWith = (eligibility: string, ...others: readonly string[]) => `
  state sum = gradient
  e = ${eligibility}
  filtered = decay * eligibility + e
  eligibility = filtered
  ${others.join('\n')}
  sum = sum + signal * filtered
  after
  gradient = sum`;

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
    write: equations(({ surrogate }) => ({
      over: { row: 'rows', column: 'width' },
      shapes: {
        current: 'f32[rows, width]',
        membrane: 'f32[rows, width]',
        adaptation: 'f32[rows, width]',
        spikes: 'bits[rows, width]',
        slope: 'f32[rows, width]',
      },
      equations: `
        v = decay * membrane + current - (spikes ? threshold : 0)
        a = adaptationDecay * adaptation + f32(spikes)
        x = v - (threshold + adaptationGain * a)
        membrane = v
        adaptation = a
        slope = ${SLOPES[surrogate as Surrogate]}
        spikes = x > 0`,
    })),
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
    write: equations({ ...ELIGIBILITY, equations: updateWith('slope * trace') }),
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
    write: equations({
      ...ELIGIBILITY,
      equations: updateWith(
        'slope * (trace - adaptationGain * adaptation)',
        'adaptation = adaptationDecay * adaptation + e',
      ),
    }),
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
    write: equations({
      over: { element: 'count' },
      shapes: {
        current: 'f32[count]',
        target: 'f32[count]',
        membrane: 'f32[count]',
        error: 'f32[count]',
        loss: 'f32[count]',
      },
      equations: `
        y = decay * membrane + current
        difference = y - target
        loss = loss + difference * difference / 2
        membrane = y
        error = difference`,
    }),
  },
});

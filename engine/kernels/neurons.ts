import { equations } from '../kernel-language/written-kernel.ts';
import { layerGradient, layerOf, leakGradient } from './neuron-equations.ts';
import { kernelsOf, oneOf, ROWS, STEPS } from './table.ts';

/** Pseudo-derivatives of the spike's step. */
export const SURROGATES = ['atan', 'fast_sigmoid', 'sigmoid', 'triangle'] as const;
/**
 * The slope that stands in for the derivative of a spike, of x, the distance of the membrane from the threshold:
 *
 *   atan          1 / (1 + (pi x)^2)
 *   fast_sigmoid  1 / (1 + 25 |x|)^2
 *   sigmoid       25 s (1 - s), s = 1 / (1 + exp(-25 x))
 *   triangle      0.3 max(0, 1 - |x|)
 */
export type Surrogate = (typeof SURROGATES)[number];

/**
 * The effect of a spike on the membrane u that passed the threshold. `value`: it becomes the reset value.
 * `subtract`: the reset value is subtracted at once. `delayed`: it is subtracted in the next step, after
 * the leak. `none`: there are no spikes, and the output is the membrane.
 */
const SPIKE_RESETS = ['none', 'value', 'subtract', 'delayed'] as const;
export type SpikeReset = (typeof SPIKE_RESETS)[number];

export const LAYER = {
  ...STEPS,
  /** 1 where the current is the same in every step and stored once, else `steps`. */
  currentSteps: 'int',
} as const;

export const LIF = {
  ...LAYER,
  /** Fraction of the membrane kept per step, where the operand `decay` is absent. */
  beta: 'float',
  threshold: 'float',
} as const;

/** Of gradients through the steps of a layer. */
export const BACK = {
  surrogate: SURROGATES,
  /** States are kept every sqrt(T) steps alone: less memory, and the steps are run twice. */
  checkpoints: 'flag?',
} as const;

export const LIF_BACKWARD = { ...STEPS, beta: 'float', threshold: 'float', ...BACK } as const;

/**
 * The neuron models of `neuron_*` with their constants, the same for all neurons of a layer. The
 * equations are in docs/design/neurons.md.
 */
export const LAYER_MODELS = {
  lif_zero: {
    /** Fraction of the membrane kept per step. */
    decay: 'float',
    threshold: 'float',
  },
  alif: {
    /** Fraction of the membrane kept per step. */
    decay: 'float',
    /** Threshold of a neuron at rest. */
    threshold: 'float',
    /** Fraction of the adaptation kept per step. */
    adaptationDecay: 'float',
    /** By how much the threshold rises with the adaptation. */
    adaptationGain: 'float',
  },
  izhikevich: {
    /** Rate of the recovery variable, its sensitivity to the membrane, and both resets. */
    a: 'float',
    b: 'float',
    c: 'float',
    d: 'float',
    /** Membrane before the first step, mV; the recovery variable starts at `b` times it. */
    start: 'float',
    /** Milliseconds of a step. */
    dt: 'float',
    /** 1: Euler; 2: as published, the membrane in two half-steps and the recovery from the new one. */
    substeps: 'float',
    /** Millivolts that the surrogate takes for one unit. */
    span: 'float',
    /** Millivolts per millisecond that one unit of current drives. */
    drive: 'float',
  },
} as const;

export const MODEL = oneOf(LAYER_MODELS);

const OVER_STEPS = {
  over: { step: 'steps', row: 'rows', column: 'width' },
  scan: 'step',
} as const;

/** The membrane u after the spike that it may have fired. */
const AFTER_SPIKE: Readonly<Record<SpikeReset, string>> = {
  none: 'u',
  delayed: 'u',
  value: 'u > threshold ? reset : u',
  subtract: 'u > threshold ? u - reset : u',
};

/** A gradient that is summed over the steps, but not over the rows. */
const ONE_PLACE = { element: 'f32', axes: ['rows', 'width'] } as const;

/** Neurons over all time steps from rest, and their gradients. */
export const neuronKernels = kernelsOf('neurons', {
  lif_forward: {
    operands: { current: 'read', spikes: 'write', decay: 'read?' },
    attributes: LIF,
    write: layerOf('spikes', 'lif'),
  },
  /** The gradient of the spikes becomes that of the current, which has as many steps. */
  lif_backward: {
    operands: { current: 'read', gradient: 'update', decay: 'read?' },
    attributes: LIF_BACKWARD,
    write: layerGradient(
      { given: { spikes: 'gradient' }, wanted: { current: 'gradient' } },
      { which: 'lif', shape: 'f32[steps, rows, width]' },
    ),
  },
  /** The same for a current that is stored once: its gradients are summed over the steps. */
  lif_backward_held: {
    operands: {
      current: 'read',
      spikeGradient: 'read',
      currentGradient: 'write',
      decay: 'read?',
    },
    attributes: LIF_BACKWARD,
    write: layerGradient(
      { given: { spikes: 'spikeGradient' }, wanted: { current: 'currentGradient' } },
      { which: 'lif', shape: 'f32[rows, width]' },
    ),
  },
  lif_membrane: {
    operands: { current: 'read', membrane: 'write', decay: 'read?' },
    attributes: LIF,
    write: layerOf('membrane', 'lif'),
  },
  lif_membrane_backward: {
    operands: { gradient: 'read', currentGradient: 'write' },
    attributes: { ...LAYER, beta: 'float' },
    write: leakGradient(),
  },
  spike_count: { operands: { spikes: 'read', counts: 'update' }, attributes: ROWS },
  /** `counts` has a line for each slot with a place for each of `layers` layers. */
  slot_spike_count: {
    operands: { spikes: 'read', slots: 'read', counts: 'update' },
    attributes: { ...STEPS, layers: 'int', layer: 'int' },
  },
  membrane_spike_count: {
    operands: { membrane: 'read', counts: 'write' },
    attributes: { ...STEPS, threshold: 'float' },
    write: equations({
      ...OVER_STEPS,
      shapes: { membrane: 'f32[steps, rows, width]', counts: 'u32[rows, width]' },
      equations: `
        state count = u32(0)
        count = count + u32(membrane > threshold)
        after
        counts = count`,
    }),
  },

  neuron_forward: {
    operands: { current: 'read', spikes: 'write' },
    attributes: { ...LAYER, model: MODEL },
    write: layerOf('spikes'),
  },
  /** The gradient of a current of one step is summed over the steps. */
  neuron_backward: {
    operands: { current: 'read', gradient: 'read', currentGradient: 'write' },
    attributes: { ...LAYER, model: MODEL, ...BACK },
    write: layerGradient({ given: { spikes: 'gradient' }, wanted: { current: 'currentGradient' } }),
  },
  neuron_membrane: {
    operands: { current: 'read', membrane: 'write' },
    attributes: { ...LAYER, model: MODEL },
    write: layerOf('membrane'),
  },
  evo_lif_forward: {
    operands: { current: 'read', spikes: 'write', beta: 'read', threshold: 'read' },
    attributes: LAYER,
    write: layerOf('spikes', 'evo_lif'),
  },
  /** Gradients of beta and threshold are those of each row, `[rows, width]`. */
  evo_lif_backward: {
    operands: {
      current: 'read',
      gradient: 'read',
      currentGradient: 'write',
      beta: 'read',
      threshold: 'read',
      betaGradient: 'write',
      thresholdGradient: 'write',
    },
    attributes: { ...LAYER, ...BACK },
    write: layerGradient(
      {
        given: { spikes: 'gradient' },
        wanted: {
          current: 'currentGradient',
          beta: 'betaGradient',
          threshold: 'thresholdGradient',
        },
        layouts: { betaGradient: ONE_PLACE, thresholdGradient: ONE_PLACE },
      },
      { which: 'evo_lif' },
    ),
  },
  evo_lif_membrane: {
    operands: { current: 'read', membrane: 'write', beta: 'read', threshold: 'read' },
    attributes: LAYER,
    write: layerOf('membrane', 'evo_lif'),
  },
  /** Leaky integrate-and-fire in int16. */
  integer_lif: {
    operands: { current: 'read', membrane: 'update', spikes: 'write' },
    attributes: {
      ...LAYER,
      /** 256ths of the membrane kept per step. */
      leak: 'int',
      threshold: 'int',
      /** Start from the membranes as they are instead of from 0. */
      carried: 'flag',
    },
  },
  /** Neurons of imported networks. `parameters` is [5][width]: decay, gain, drift, threshold, reset. */
  integrate_fire: {
    operands: { drive: 'read', parameters: 'read', membrane: 'update', output: 'write' },
    attributes: { ...STEPS, reset: SPIKE_RESETS },
    write: equations(({ reset }) => ({
      ...OVER_STEPS,
      shapes: {
        drive: 'f32[steps, rows, width]',
        parameters: 'f32[5, width]',
        membrane: 'f32[rows, width]',
        output: 'f32[steps, rows, width]',
      },
      equations: `
        state v = membrane
        decay = parameters[0, column]
        threshold = parameters[3, column]
        reset = parameters[4, column]
        u = decay * v + parameters[1, column] * drive + parameters[2, column]
        u = ${reset === 'delayed' ? 'v > threshold ? u - reset : u' : 'u'}
        output = ${reset === 'none' ? 'u' : 'f32(u > threshold)'}
        v = ${AFTER_SPIKE[reset as SpikeReset]}
        after
        membrane = v`,
    })),
  },
  /** Neurons that receive their own layer's spikes of the step before. */
  recurrent_lif_forward: {
    operands: {
      current: 'read',
      weight: 'read',
      spikes: 'write',
      membrane: 'write',
      bias: 'read?',
    },
    attributes: LIF,
  },
  /** The gradient of the spikes becomes that of the current, for every step. */
  recurrent_lif_backward: {
    operands: { membrane: 'read', weight: 'read', gradient: 'update' },
    attributes: { ...STEPS, beta: 'float', threshold: 'float', surrogate: SURROGATES },
  },
  /** `rows` of `width` features become as many of `2 width` currents, each with `offset` added. */
  signed_drive: {
    operands: { input: 'read', range: 'read', drive: 'write' },
    attributes: { ...ROWS, offset: 'float' },
    write: equations({
      over: { row: 'rows', column: 'width' },
      shapes: { input: 'f32[rows, width]', range: 'f32[width]', drive: 'f32[rows, 2 * width]' },
      equations: `
        share = input / range
        drive[row, column] = share + offset
        drive[row, column + width] = offset - share`,
    }),
  },
});

/** Shape of the `u32` tensor with the membranes of a layer: two int16 a word, the even neuron in the lower half. */
export function integerMembraneShape(rows: number, width: number): [number, number] {
  return [rows, Math.ceil(width / 2)];
}

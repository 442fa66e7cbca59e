import { kernelsOf, oneOf, ROWS, STEPS } from './table.ts';

/** Pseudo-derivatives of the spike's step. */
export const SURROGATES = ['atan', 'fast_sigmoid', 'sigmoid', 'triangle'] as const;
export type Surrogate = (typeof SURROGATES)[number];

/** Ways to turn the loss into a reward. */
const REWARD_MODES = ['ema_delta', 'raw', 'clipped_raw'] as const;
export type RewardMode = (typeof REWARD_MODES)[number];

/**
 * The effect of a spike on the membrane u that passed the threshold. `value`: it becomes the reset value.
 * `subtract`: the reset value is subtracted at once. `delayed`: it is subtracted in the next step, after
 * the leak. `none`: there are no spikes, and the output is the membrane.
 */
const SPIKE_RESETS = ['none', 'value', 'subtract', 'delayed'] as const;
export type SpikeReset = (typeof SPIKE_RESETS)[number];

const LAYER = {
  ...STEPS,
  /** 1 where the current is the same in every step and stored once, else `steps`. */
  currentSteps: 'int',
} as const;

const LIF = {
  ...LAYER,
  /** Fraction of the membrane kept per step, where the operand `decay` is absent. */
  beta: 'float',
  threshold: 'float',
} as const;

const LIF_BACKWARD = {
  ...STEPS,
  beta: 'float',
  threshold: 'float',
  surrogate: SURROGATES,
} as const;

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

const MODEL = oneOf(LAYER_MODELS);

const SYNCHRONY = {
  ...STEPS,
  /** Groups of neighbours, `width / groups` neurons each. */
  groups: 'int',
  currentSteps: 'int',
  /** 1 where the coupling is the same in every step and stored once, else `steps`. */
  couplingSteps: 'int',
  /** Depth with which the rhythm of a group modulates the current. */
  modulation: 'float',
} as const;

/** Neurons over all time steps from rest, their gradients, and the rules that steer them in training. */
export const neuronKernels = kernelsOf('neurons', {
  lif_forward: {
    operands: { current: 'read', spikes: 'write', decay: 'read?' },
    attributes: LIF,
  },
  /** The gradient of the spikes becomes that of the current, which has as many steps. */
  lif_backward: {
    operands: { current: 'read', gradient: 'update', decay: 'read?' },
    attributes: LIF_BACKWARD,
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
  },
  lif_membrane: {
    operands: { current: 'read', membrane: 'write', decay: 'read?' },
    attributes: LIF,
  },
  lif_membrane_backward: {
    operands: { gradient: 'read', currentGradient: 'write' },
    attributes: { ...LAYER, beta: 'float' },
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
  },

  neuron_forward: {
    operands: { current: 'read', spikes: 'write' },
    attributes: { ...LAYER, model: MODEL },
  },
  /** The gradient of a current of one step is summed over the steps. */
  neuron_backward: {
    operands: { current: 'read', gradient: 'read', currentGradient: 'write' },
    attributes: { ...LAYER, model: MODEL, surrogate: SURROGATES },
  },
  neuron_membrane: {
    operands: { current: 'read', membrane: 'write' },
    attributes: { ...LAYER, model: MODEL },
  },
  evo_lif_forward: {
    operands: { current: 'read', spikes: 'write', beta: 'read', threshold: 'read' },
    attributes: LAYER,
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
    attributes: { ...LAYER, surrogate: SURROGATES },
  },
  evo_lif_membrane: {
    operands: { current: 'read', membrane: 'write', beta: 'read', threshold: 'read' },
    attributes: LAYER,
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
    attributes: LIF_BACKWARD,
  },
  /** `rows` of `width` features become as many of `2 width` currents, each with `offset` added. */
  signed_drive: {
    operands: { input: 'read', range: 'read', drive: 'write' },
    attributes: { ...ROWS, offset: 'float' },
  },

  synchrony_forward: {
    operands: {
      current: 'read',
      coupling: 'read',
      frequency: 'read',
      start: 'read',
      drive: 'write',
      phase: 'write',
      mean: 'write',
      order: 'write',
    },
    attributes: SYNCHRONY,
  },
  synchrony_backward: {
    operands: {
      current: 'read',
      coupling: 'read',
      phase: 'read',
      mean: 'read',
      gradient: 'read',
      currentGradient: 'write',
      couplingGradient: 'write',
    },
    attributes: SYNCHRONY,
  },
  energy_gate: {
    operands: {
      spikes: 'read',
      importance: 'read',
      supply: 'read',
      energy: 'update',
      gated: 'write',
      open: 'write',
    },
    attributes: {
      ...STEPS,
      /** Rows of one batch entry, which its neurons pass one after the other. */
      sequence: 'int',
      capacity: 'float',
      /** Cost of a spike, times the importance of its neuron. */
      consumption: 'float',
      /** Supply of a step, times the operand of that name. */
      rate: 'float',
      /** Minimum energy that a spike needs. */
      threshold: 'float',
      /** Start from the energy as it is instead of from the capacity. */
      carried: 'flag',
    },
  },
  mask_gradient: { operands: { mask: 'read', gradient: 'update' }, attributes: STEPS },
  reward_signal: {
    operands: {
      history: 'read',
      clock: 'read',
      state: 'update',
      reward: 'write',
      move: 'write',
      supply: 'write',
    },
    attributes: {
      mode: REWARD_MODES,
      /** Places of the loss history. */
      slots: 'int',
      /** Fraction of the running means of loss and reward kept per step. */
      lossDecay: 'float',
      baselineDecay: 'float',
      /** Largest reward in either direction; the unit of the supply in every mode. */
      clip: 'float',
      /** First step of beta as a fraction of its distance from 1, and the steps after which it is half. */
      step: 'float',
      horizon: 'float',
      /** Fraction of the supply that the worst reward leaves. */
      minSupply: 'float',
    },
  },
  reward_decay: {
    operands: { move: 'read', beta: 'update' },
    attributes: { count: 'int', lowest: 'float', highest: 'float' },
  },
});

/** Steepness of the sigmoid of relaxed spikes: at the threshold as steep as the arctangent's surrogate. */
export const RELAXED_SLOPE = 4;

/** Spikes between 0 and 1 for the beginning of training, and attention over them. */
export const relaxedKernels = kernelsOf('relaxed', {
  relaxed_lif_forward: {
    operands: { current: 'read', hardness: 'read', spikes: 'write', decay: 'read?' },
    attributes: LIF,
  },
  relaxed_lif_backward: {
    operands: {
      current: 'read',
      hardness: 'read',
      gradient: 'read',
      currentGradient: 'write',
      decay: 'read?',
    },
    attributes: { ...LIF, surrogate: SURROGATES },
  },
  /** `rows` of `sequence` scores; row r is the query of token r % sequence of head r / sequence % heads. */
  decay_scores: {
    operands: { decay: 'read', scores: 'update' },
    attributes: { rows: 'int', sequence: 'int', heads: 'int' },
  },
});

/** Shape of the `u32` tensor with the membranes of a layer: two int16 a word, the even neuron in the lower half. */
export function integerMembraneShape(rows: number, width: number): [number, number] {
  return [rows, Math.ceil(width / 2)];
}

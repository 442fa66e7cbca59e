import type { Surrogate } from './kernel-attributes.ts';

/** Kernels of the neuron layers beside plain LIF, and of the rules that steer neurons while training. */
export const layerRoles = {
  neuron_forward: { current: 'read', spikes: 'write' },
  neuron_backward: { current: 'read', gradient: 'read', currentGradient: 'write' },
  evo_lif_forward: { current: 'read', spikes: 'write', beta: 'read', threshold: 'read' },
  evo_lif_backward: {
    current: 'read',
    gradient: 'read',
    currentGradient: 'write',
    beta: 'read',
    threshold: 'read',
    betaGradient: 'write',
    thresholdGradient: 'write',
  },
  neuron_membrane: { current: 'read', membrane: 'write' },
  evo_lif_membrane: { current: 'read', membrane: 'write', beta: 'read', threshold: 'read' },
  integer_lif: { current: 'read', membrane: 'update', spikes: 'write' },
  curve_forward: { input: 'read', output: 'write' },
  curve_backward: { input: 'read', gradient: 'read', inputGradient: 'update' },
  synchrony_forward: {
    current: 'read',
    coupling: 'read',
    frequency: 'read',
    start: 'read',
    drive: 'write',
    phase: 'write',
    mean: 'write',
    order: 'write',
  },
  synchrony_backward: {
    current: 'read',
    coupling: 'read',
    phase: 'read',
    mean: 'read',
    gradient: 'read',
    currentGradient: 'write',
    couplingGradient: 'write',
  },
  energy_gate: {
    spikes: 'read',
    importance: 'read',
    supply: 'read',
    energy: 'update',
    gated: 'write',
    open: 'write',
  },
  mask_gradient: { mask: 'read', gradient: 'update' },
  reward_signal: {
    history: 'read',
    clock: 'read',
    state: 'update',
    reward: 'write',
    move: 'write',
    supply: 'write',
  },
  reward_decay: { move: 'read', beta: 'update' },
} as const;

interface Steps {
  /** Time steps T. */
  readonly steps: number;
  /** Rows per time step, batch times sequence. */
  readonly rows: number;
  /** Neurons of a row. */
  readonly width: number;
}

interface Layer extends Steps {
  /** 1 where the current is the same in every step and stored once, else `steps`. */
  readonly currentSteps: number;
}

/** The constants of a neuron model whose neurons are all alike. docs/design/neurons.md has the equations. */
export type LayerModel =
  | {
      readonly model: 'lif_zero';
      /** Fraction of the membrane kept per step. */
      readonly decay: number;
      readonly threshold: number;
    }
  | {
      readonly model: 'alif';
      /** Fraction of the membrane kept per step. */
      readonly decay: number;
      /** Threshold of a neuron at rest. */
      readonly threshold: number;
      /** Fraction of the adaptation kept per step. */
      readonly adaptationDecay: number;
      /** By how much the threshold rises with the adaptation. */
      readonly adaptationGain: number;
    }
  | {
      readonly model: 'izhikevich';
      /** Rate of the recovery variable, its sensitivity to the membrane, and both resets. */
      readonly a: number;
      readonly b: number;
      readonly c: number;
      readonly d: number;
      /** Membrane before the first step, mV; the recovery variable starts at `b` times it. */
      readonly start: number;
      /** Milliseconds of a step. */
      readonly dt: number;
      /** 1: Euler; 2: as published, the membrane in two half-steps and the recovery from the new one. */
      readonly substeps: number;
      /** Millivolts that the surrogate takes for one unit. */
      readonly span: number;
      /** Millivolts per millisecond that one unit of current drives. */
      readonly drive: number;
    };

export type LayerModelName = LayerModel['model'];

interface WithSurrogate {
  readonly surrogate: Surrogate;
}

interface Synchrony extends Layer {
  /** Groups of neighbours, `width / groups` neurons each. */
  readonly groups: number;
  /** 1 where the coupling is the same in every step and stored once, else `steps`. */
  readonly couplingSteps: number;
  /** How deep the rhythm of a group modulates the current. */
  readonly modulation: number;
}

/** How the loss becomes a reward. */
export type RewardMode = 'ema_delta' | 'raw' | 'clipped_raw';

export interface LayerAttributes {
  readonly neuron_forward: Layer & LayerModel;
  /** The gradient of a current of one step is summed over the steps. */
  readonly neuron_backward: Layer & LayerModel & WithSurrogate;
  readonly evo_lif_forward: Layer;
  /** Gradients of beta and threshold are those of each row, `[rows, width]`. */
  readonly evo_lif_backward: Layer & WithSurrogate;
  readonly neuron_membrane: Layer & LayerModel;
  readonly evo_lif_membrane: Layer;
  readonly integer_lif: Layer & {
    /** 256ths of the membrane kept per step. */
    readonly leak: number;
    readonly threshold: number;
    /** Start from the membranes as they are instead of from 0. */
    readonly carried: boolean;
  };
  readonly curve_forward: { readonly count: number; readonly curve: Curve };
  readonly curve_backward: {
    readonly count: number;
    readonly curve: Curve;
    readonly accumulate: boolean;
  };
  readonly synchrony_forward: Synchrony;
  readonly synchrony_backward: Synchrony;
  readonly energy_gate: Steps & {
    /** Rows of one batch entry, which its neurons pass one after the other. */
    readonly sequence: number;
    readonly capacity: number;
    /** What a spike costs, times the importance of its neuron. */
    readonly consumption: number;
    /** What a step supplies, times the operand of that name. */
    readonly rate: number;
    /** Least energy that a spike needs. */
    readonly threshold: number;
    /** Start from the energy as it is instead of from the capacity. */
    readonly carried: boolean;
  };
  readonly mask_gradient: Steps;
  readonly reward_signal: {
    readonly mode: RewardMode;
    /** Places of the loss history. */
    readonly slots: number;
    /** Fraction of the running means of loss and reward kept per step. */
    readonly lossDecay: number;
    readonly baselineDecay: number;
    /** Largest reward in either direction; the unit of the supply in every mode. */
    readonly clip: number;
    /** First step of beta as a share of its distance from 1, and the steps after which it is half. */
    readonly step: number;
    readonly horizon: number;
    /** What the worst reward leaves of the supply. */
    readonly leastSupply: number;
  };
  readonly reward_decay: {
    readonly count: number;
    readonly lowest: number;
    readonly highest: number;
  };
}

/**
 * Monotonic curves: two that keep a trained number in its range, (0, 1) and positive; the natural
 * logarithm, which takes what is below LEAST_LOG_INPUT for that; and the rectifier of float networks.
 */
export type Curve = 'sigmoid' | 'softplus' | 'log' | 'relu';

/** The same in shaders/activation/curve_*.wgsl and engine/backends/wasm/assembly/curves.ts. */
export const LEAST_LOG_INPUT = 1e-10;

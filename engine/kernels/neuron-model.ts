import type { WrittenNeuron } from './written-neuron.ts';

/** A number that a model takes: one for a whole population, or one for each neuron. */
export interface NeuronParameter {
  readonly name: string;
  /** As it stands in the equations, such as `τ`. */
  readonly symbol: string;
  /** `ms`, `mV`, or empty where it has none. */
  readonly unit: string;
  readonly initial: number;
  /** Range of allowed values, inclusive. */
  readonly minimum: number;
  readonly maximum: number;
}

/** A number that a neuron carries from step to step. */
export interface NeuronState {
  readonly name: string;
  readonly symbol: string;
  readonly unit: string;
  readonly initial: number;
}

/**
 * A neuron as the simulator runs it: one step from carried states and an input to new states and
 * whether it fired. The same shape for the models of the catalogue and for those of plugins.
 */
export interface NeuronModel {
  readonly name: string;
  /** At least one. */
  readonly states: readonly NeuronState[];
  /** At least one. */
  readonly parameters: readonly NeuronParameter[];
  /**
   * The numbers that a step is given, from parameters in their order and dt in ms: what costs much and
   * stays the same, such as `exp(-dt / tau)`. Left out, a step is given the parameters themselves.
   */
  readonly constants?: (parameters: readonly number[], dt: number) => readonly number[];
  /**
   * A state that is a phase in radians. The mean of its cosine and that of its sine over the population,
   * as they are before the step, are the last two constants then; all neurons share the parameters.
   */
  readonly phase?: string;
  /**
   * WGSL that declares
   * `fn step(state: ptr<function, array<f32, S>>, constants: array<f32, P>, input: f32, dt: f32) -> bool`
   * with S states and P constants; whatever else it declares begins with `model_`. Left out by the models
   * of the catalogue, which have a file in shaders/simulator/models and a kernel of the WASM backend.
   */
  readonly wgsl?: string;
  /** The equations that it was made from, in place of WGSL. */
  readonly written?: WrittenNeuron;
  /** The same in TypeScript: overwrites `state`, tells whether the neuron fired. dt in ms. */
  readonly step: NeuronStep;
}

export type NeuronStep = (
  state: Float64Array,
  constants: Float64Array,
  input: number,
  dt: number,
) => boolean;

/** Number of constants that a step of the model receives. */
export function constantCount(model: NeuronModel): number {
  const initial = model.parameters.map((parameter) => parameter.initial);
  const own = model.constants?.(initial, 1).length ?? initial.length;
  return own + (model.phase === undefined ? 0 : FIELD_CONSTANTS);
}

/** Means of cosine and sine. */
export const FIELD_CONSTANTS = 2;

/** A number that a model takes: one for a whole population, or one for each neuron. */
export interface NeuronParameter {
  readonly name: string;
  /** As it stands in the equations, such as `τ`. */
  readonly symbol: string;
  /** `ms`, `mV`, or empty where it has none. */
  readonly unit: string;
  readonly initial: number;
  /** What is allowed, ends included. */
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
  readonly states: readonly NeuronState[];
  readonly parameters: readonly NeuronParameter[];
  /**
   * The numbers that a step is given, from parameters in their order and dt in ms: what costs much and
   * stays the same, such as `exp(-dt / tau)`. Left out, a step is given the parameters themselves.
   */
  constants?(parameters: readonly number[], dt: number): readonly number[];
  /**
   * WGSL that declares
   * `fn step(state: ptr<function, array<f32, S>>, parameters: array<f32, P>, input: f32, dt: f32) -> bool`
   * with S states and P constants; other names of it begin with `model_`.
   */
  readonly wgsl: string;
  /** The same in TypeScript: overwrites `state`, tells whether the neuron fired. dt in ms. */
  step(state: Float64Array, parameters: Float64Array, input: number, dt: number): boolean;
}

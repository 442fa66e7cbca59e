import type { NeuronParameter, NeuronState } from '../../engine/index.ts';

/** What is known of a model outside of the worker that runs it. */
export interface ModelFacts {
  readonly name: string;
  readonly states: readonly NeuronState[];
  readonly parameters: readonly NeuronParameter[];
}

/** Neurons of one model as they are set, each with an input of its own. */
export interface NeuronRequest {
  /** The name of a model that the runner knows. */
  readonly model: string;
  /** In the order of the model. */
  readonly parameters: readonly number[];
  /** ms */
  readonly dt: number;
  /** [steps] of one neuron; a rate request has one constant current a neuron. */
  readonly currents: Float64Array<ArrayBuffer>;
}

/** How one neuron answered its input. */
export interface NeuronRun {
  /** One [steps] for each state of the model that is known, as it is after the step. */
  readonly states: readonly Float64Array<ArrayBuffer>[];
  /** The steps in which it fired, rising. */
  readonly spikes: readonly number[];
}

/** What computes neurons: a worker of this page, or a plugin host. */
export interface NeuronRunner {
  /** One neuron over time. */
  run(ask: NeuronRequest): Promise<NeuronRun>;
  /** Firing rates in Hz, one for each constant current. */
  rates(ask: NeuronRequest): Promise<Float64Array<ArrayBuffer>>;
}

/** What a worker of neurons is asked. */
export type NeuronCalls = {
  readonly run: { readonly ask: NeuronRequest; readonly answer: NeuronRun };
  readonly rates: { readonly ask: NeuronRequest; readonly answer: Float64Array<ArrayBuffer> };
};

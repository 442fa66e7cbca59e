import type { NeuronParameter, NeuronState } from '../../engine/index.ts';
import type { Stimulus } from './stimulus.ts';

/** A neuron as the page chose it. */
export interface ChosenNeuron {
  /** The name of a model of the catalogue, or of the plugin's. */
  readonly model: string;
  /** In the order of the model. */
  readonly parameters: readonly number[];
  /** ms */
  readonly dt: number;
}

export interface TraceRequest extends ChosenNeuron {
  readonly stimulus: Stimulus;
  /** ms */
  readonly duration: number;
}

/** What one neuron did. */
export interface Trace {
  /** [steps], ms */
  readonly time: Float64Array<ArrayBuffer>;
  readonly current: Float64Array<ArrayBuffer>;
  /** One [steps] for each state of the model. */
  readonly states: readonly Float64Array<ArrayBuffer>[];
  /** When it fired, ms. */
  readonly spikes: Float64Array<ArrayBuffer>;
}

export interface RateRequest extends ChosenNeuron {
  /** The currents that are tried, from 0 on. */
  readonly highest: number;
}

export interface RateCurve {
  readonly currents: Float64Array<ArrayBuffer>;
  /** Hz, one for each current. */
  readonly rates: Float64Array<ArrayBuffer>;
}

/** What a neuron's worker is asked. */
export type NeuronCalls = {
  readonly trace: { readonly ask: TraceRequest; readonly answer: Trace };
  readonly rates: { readonly ask: RateRequest; readonly answer: RateCurve };
};

/** What is known of a model outside of the worker that runs it. */
export interface ModelFacts {
  readonly name: string;
  readonly states: readonly NeuronState[];
  readonly parameters: readonly NeuronParameter[];
}

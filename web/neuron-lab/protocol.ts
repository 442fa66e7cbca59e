import type { NeuronParameter, NeuronState } from '../../engine/index.ts';

/** Facts about a model that are known outside the worker that runs it. */
export interface ModelFacts {
  readonly name: string;
  readonly states: readonly NeuronState[];
  readonly parameters: readonly NeuronParameter[];
  /** Made from equations: its parameters are the user's own. */
  readonly isWritten?: true;
}

/** Neurons of one model as they are set, each with an input of its own. */
export interface NeuronRequest {
  /** The name of a model that the runner knows. */
  readonly model: string;
  /** The equations of the neuron, in place of a model that is known. */
  readonly equations?: string | undefined;
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

/** Runs neurons: a worker of this page, or a plugin host. */
export interface NeuronRunner {
  /** One neuron over time. */
  run(ask: NeuronRequest): Promise<NeuronRun>;
  /** Firing rates in Hz, one for each constant current. */
  rates(ask: NeuronRequest): Promise<Float64Array<ArrayBuffer>>;
}

/** Calls of a neuron worker. */
export type NeuronCalls = {
  readonly run: { readonly ask: NeuronRequest; readonly answer: NeuronRun };
  readonly rates: { readonly ask: NeuronRequest; readonly answer: Float64Array<ArrayBuffer> };
};

/** Pairs of spikes onto synapses of a rule. */
export interface WindowRequest {
  /** The name of a rule of the simulator. */
  readonly rule: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** From the spike of the source to that of the target, whole ms: one synapse each. */
  readonly delays: readonly number[];
  /** How many pairs each synapse sees, and how often, Hz. */
  readonly pairings: number;
  readonly frequency: number;
}

/** Populations of neurons with entangled phases. */
export interface SynchronyRequest {
  /** 1/ms, one population each. */
  readonly couplings: readonly number[];
  /** Standard deviation of the natural frequencies, rad/ms. */
  readonly spread: number;
  readonly seed: number;
}

/** Facts about a neuron of equations. */
export interface WrittenFacts extends ModelFacts {
  /** ms of a step, as its text says */
  readonly dt: number;
}

/** Further calls of this tab's worker. */
export type MeasurementCalls = {
  /** Reads equations; rejects with the line and column of what is wrong. */
  readonly read: { readonly ask: string; readonly answer: WrittenFacts };
  /** How much each synapse changed. */
  readonly window: { readonly ask: WindowRequest; readonly answer: Float64Array<ArrayBuffer> };
  /** The order parameter R at each coupling. */
  readonly synchrony: {
    readonly ask: SynchronyRequest;
    readonly answer: Float64Array<ArrayBuffer>;
  };
};

/** Calls of a sandbox: load a user's module, then the calls of any neuron worker. */
export type SandboxCalls = NeuronCalls & {
  readonly load: { readonly ask: string; readonly answer: ModelFacts };
};

/** One number for all, one for each, or drawn for each from a seed. */
export type Values =
  | number
  | readonly number[]
  | { readonly uniform: readonly [low: number, high: number] }
  | { readonly normal: readonly [mean: number, deviation: number] };

/**
 * Neurons of one model. `poisson` fires at random, at the `rate` in Hz of its parameters; `replay` fires at
 * the given `spikes`; any other name is a built-in model or one of a plugin.
 */
export interface PopulationSpec {
  readonly name: string;
  readonly count: number;
  readonly model: string;
  /** By the names of the model; initial by default. */
  readonly parameters?: Readonly<Record<string, Values>>;
  /** First states, by their names. */
  readonly initial?: Readonly<Record<string, Values>>;
  /** For `replay`: steps and neurons. */
  readonly spikes?: readonly (readonly [step: number, neuron: number])[];
}

/** Which neurons are joined. `self` allows synapses of a neuron onto itself, which is the default. */
export type Connection =
  | { readonly kind: 'all'; readonly self?: boolean }
  | { readonly kind: 'one' }
  | { readonly kind: 'probability'; readonly p: number; readonly self?: boolean }
  /** Sources are drawn with repetition, as in NEST: two neurons may be joined by several synapses. */
  | { readonly kind: 'inDegree'; readonly k: number; readonly self?: boolean }
  | {
      readonly kind: 'list';
      readonly sources: readonly number[];
      readonly targets: readonly number[];
    };

/** Synapses from one population to another. Arrays of weights and delays are for lists, in their order. */
export interface ProjectionSpec {
  /** `from->to` by default. */
  readonly name?: string;
  readonly from: string;
  readonly to: string;
  readonly connect: Connection;
  /** Added to the input of the target when a spike arrives. */
  readonly weight: Values;
  /** In ms, at least dt, which is the default. */
  readonly delay?: Values;
  readonly plasticity?: PlasticitySpec;
}

/** The plasticity of a projection: a rule by its name, with parameters that differ from its own. */
export interface PlasticitySpec {
  /** The name of a rule that the simulation is given. */
  readonly rule: string;
  readonly parameters?: Readonly<Record<string, number>>;
}

/** External input of neurons. `neurons` is the first and how many; all by default. */
export type StimulusSpec = {
  readonly to: string;
  readonly neurons?: readonly [first: number, count: number];
} & (
  | {
      readonly kind: 'current';
      /** Constant, or a ramp between `start` and `stop`. */
      readonly current: number | readonly [from: number, until: number];
      /** In ms; unlimited by default. */
      readonly start?: number;
      readonly stop?: number;
    }
  /** A new value for each neuron and step. */
  | { readonly kind: 'noise'; readonly mean: number; readonly deviation: number }
  /** Events of a Poisson process of each neuron: `rate` in Hz, each adds `weight`. */
  | { readonly kind: 'poisson'; readonly rate: number; readonly weight: number }
);

/** A quantity recorded in each step. */
export type RecorderSpec = {
  readonly of: string;
  /** `of.` with the kind or the state by default. */
  readonly name?: string;
} & (
  | { readonly kind: 'spikes' }
  | { readonly kind: 'rate' }
  /** R of the phases before the step, 0 to 1; for models that have phases. */
  | { readonly kind: 'synchrony' }
  /** All neurons by default. */
  | { readonly kind: 'state'; readonly state: string; readonly neurons?: readonly number[] }
);

/** A network as plain data, as of a file or a form. */
export interface SimulationDescription {
  readonly seed: number;
  /** Length of a step in ms. */
  readonly dt: number;
  readonly populations: readonly PopulationSpec[];
  readonly projections?: readonly ProjectionSpec[];
  readonly stimuli?: readonly StimulusSpec[];
  readonly recorders?: readonly RecorderSpec[];
}

export const POISSON = 'poisson';
export const REPLAY = 'replay';

/** Whether a model emits spikes without neurons. */
export function isSource(model: string): boolean {
  return model === POISSON || model === REPLAY;
}

/** The name of a projection; `from->to` where it has none of its own. */
export function projectionName({ name, from, to }: ProjectionSpec): string {
  return name ?? `${from}->${to}`;
}

export function recorderName(recorder: RecorderSpec): string {
  return (
    recorder.name ?? `${recorder.of}.${recorder.kind === 'state' ? recorder.state : recorder.kind}`
  );
}

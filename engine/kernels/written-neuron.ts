import type { Expression, ExpressionPool } from '../kernel-language/expression.ts';

/** A number of a neuron that is trained. */
export interface LearnedParameter {
  readonly name: string;
  readonly initial: number;
  /** Bounds that it cannot reach; none where they are left out. */
  readonly range?: { readonly lowest: number; readonly highest: number };
  /** One for each neuron, or one for all of a layer. */
  readonly per: 'neuron' | 'layer';
}

/** Values that a step starts from. */
export interface StepInputs {
  readonly pool: ExpressionPool;
  readonly current: Expression;
  /** Milliseconds of a step. */
  readonly dt: Expression;
  /** By their places in the lists of the neuron. */
  state(index: number): Expression;
  parameter(index: number): Expression;
  learned(index: number): Expression;
}

/** Values that a step ends with. */
export interface StepResults {
  /** The states, in the order of the neuron. */
  readonly next: readonly Expression[];
  readonly spike: Expression;
  /** How far the neuron is above its threshold: it fires above 0. */
  readonly excess: Expression;
}

/** A neuron that was read from equations. */
export interface WrittenNeuron {
  /** The equations as they were written. */
  readonly text: string;
  /** SHA-256 of the text without comments and spacing, in hexadecimal. */
  readonly digest: string;
  readonly states: readonly { readonly name: string; readonly initial: number }[];
  readonly parameters: readonly { readonly name: string; readonly value: number }[];
  readonly learned: readonly LearnedParameter[];
  /** Milliseconds of a step of a layer; a simulation has its own. */
  readonly dt: number;
  /** Computes a step from any values. */
  step(inputs: StepInputs): StepResults;
}

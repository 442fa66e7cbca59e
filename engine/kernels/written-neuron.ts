import type { Expression, ExpressionPool } from '../kernel-language/expression.ts';
import { equationError } from '../kernel-language/tokens.ts';

/** A number of a neuron that is trained. */
export interface LearnedParameter {
  readonly name: string;
  readonly initial: number;
  /** Bounds that it cannot reach; none where they are left out. */
  readonly range?: { readonly lowest: number; readonly highest: number };
  /** Neurons begin with numbers drawn up to so far around `initial`; all alike where it is left out. */
  readonly spread?: number;
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
  /** Where the text first joins the neurons of a layer by groupMean(...); absent where each is alone. */
  readonly joins?: { readonly line: number; readonly column: number };
  /** Computes a step from any values. */
  step(inputs: StepInputs): StepResults;
}

/** Throws EngineError `invalid-equation` where a neuron needs others of its layer and `where` has none to give. */
export function expectAlone({ joins }: WrittenNeuron, where: string): void {
  if (!joins) return;
  throw equationError(
    `groupMean(...) joins the neurons of a layer: ${where} takes neurons that need no other`,
    joins,
  );
}

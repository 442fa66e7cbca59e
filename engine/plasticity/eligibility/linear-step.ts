import { carryBack } from '../../kernel-language/derivative.ts';
import type { Expression, ExpressionPool } from '../../kernel-language/expression.ts';
import { substitution } from '../../kernel-language/trail.ts';
import {
  expectAlone,
  type StepInputs,
  type StepResults,
  type WrittenNeuron,
} from '../../kernels/written-neuron.ts';

/** The derivatives of a quantity after a step; undefined where it does not depend. */
export interface Partials {
  /** By the states before the step. */
  readonly states: readonly (Expression | undefined)[];
  /** By the input current. */
  readonly current: Expression | undefined;
  /** By the spike of the step. */
  readonly spike: Expression | undefined;
  /** By the tensors of what is learned. */
  readonly learned: readonly (Expression | undefined)[];
}

/** A step of a neuron with its derivatives. */
export interface LinearStep extends StepResults {
  /** Of each state after the step. */
  readonly rows: readonly Partials[];
  /** Of the distance to the threshold. */
  readonly reach: Partials;
}

/** The inputs of a step whose derivatives are wanted; `sources` are the tensors that learned values are made of. */
interface LinearInputs extends StepInputs {
  readonly sources: readonly Expression[];
}

/** The step and its derivatives, symbolically, with the spike as a quantity of its own. */
export function linearise(neuron: WrittenNeuron, inputs: LinearInputs): LinearStep {
  expectAlone(neuron, 'e-prop');
  const { pool, sources } = inputs;
  const step = neuron.step(inputs);
  const spike = pool.trail('spike', 'f32');
  const hide = substitution(pool, new Map([[step.spike, spike]]));
  const show = substitution(pool, new Map([[spike, step.spike]]));
  const states = neuron.states.map((_, index) => inputs.state(index));
  const partialsOf = (value: Expression): Partials => {
    const hidden = hide(value);
    const seeds = new Map([[hidden, pool.constant(1)]]);
    const adjoints = carryBack(pool, seeds, noSpike);
    const by = (node: Expression) => {
      const found = adjoints.get(node);
      return found && !isZero(found) ? show(found) : undefined;
    };
    return {
      states: states.map(by),
      current: by(inputs.current),
      spike: by(spike),
      learned: sources.map(by),
    };
  };
  return { ...step, rows: step.next.map(partialsOf), reach: partialsOf(step.excess) };
}

const noSpike = () => {
  throw new Error('the spike was replaced by a quantity of its own');
};

const isZero = (node: Expression) => node.kind === 'constant' && node.value === 0;

/** The sum of values, each times a coefficient that may be absent; undefined where none is there. */
export function weightedSum(
  pool: ExpressionPool,
  terms: readonly (readonly [Expression | undefined, Expression | undefined])[],
): Expression | undefined {
  let sum: Expression | undefined;
  for (const [coefficient, value] of terms) {
    if (!coefficient || !value) continue;
    const term = pool.apply('mul', coefficient, value);
    sum = sum ? pool.apply('add', sum, term) : term;
  }
  return sum;
}

/** Adds what comes by the spike of the step. */
export function withSpike(
  pool: ExpressionPool,
  sum: Expression | undefined,
  { spike }: Partials,
  e: Expression,
): Expression {
  const through = spike && pool.apply('mul', spike, e);
  if (!sum) return through ?? pool.constant(0);
  return through ? pool.apply('add', sum, through) : sum;
}

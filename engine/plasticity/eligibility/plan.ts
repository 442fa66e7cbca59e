import { EngineError } from '../../errors.ts';
import { closureOf, type Expression, ExpressionPool } from '../../kernel-language/expression.ts';
import type { LearnedParameter, WrittenNeuron } from '../../kernels/written-neuron.ts';
import type { LinearStep, Partials } from './linear-step.ts';
import { neuronStep } from './neuron-step.ts';

/** An eligibility has a number for each synapse and state: so many states are affordable. */
const MAX_STATES = 4;

/**
 * How the eligibilities of a synapse are stored. That of a state whose recursion is the same for all neurons
 * follows from the spikes of its source alone: a trace of the source stands for those of all its synapses.
 */
interface Factorisation {
  /** States with a trace for each source. */
  readonly shared: readonly number[];
  /** States with an eligibility for each synapse. */
  readonly own: readonly number[];
  /** Whether the distance to the threshold follows from traces of the source alone. */
  readonly isReachShared: boolean;
}

/** Throws EngineError `invalid-equation` where e-prop does not know the neuron. */
function factorise(neuron: WrittenNeuron, { rows, reach }: LinearStep): Factorisation {
  const { length } = neuron.states;
  if (length > MAX_STATES) refuse(`${length} states: expected at most ${MAX_STATES}`);
  const all = rows.map((_, index) => index);
  const reached = settle(all, [], (index, known) => {
    const { current, spike, states } = rows[index] as Partials;
    return Boolean(current ?? spike) || states.some((by, from) => by && known.has(from));
  });
  const useful = settle(all, [], (index, known) =>
    Boolean(reach.states[index] ?? [...known].some((user) => rows[user]?.states[index])),
  );
  const live = new Set(all.filter((index) => reached.has(index) && useful.has(index)));
  const alike = (partials: Partials, shared: ReadonlySet<number>) =>
    !partials.spike &&
    (!partials.current || isUniform(partials.current)) &&
    partials.states.every(
      (by, from) => !by || !live.has(from) || (shared.has(from) && isUniform(by)),
    );
  const shared = settle([...live], live, (index, kept) => alike(rows[index] as Partials, kept));
  if (!reach.current && live.size === 0) {
    refuse('a spike that the input reaches through conditions alone: it has no gradient');
  }
  return {
    shared: all.filter((index) => shared.has(index)),
    own: all.filter((index) => live.has(index) && !shared.has(index)),
    isReachShared: alike(reach, shared),
  };
}

/** The set that a rule about its own members leads to, from a first one. */
function settle(
  all: readonly number[],
  first: Iterable<number>,
  holds: (index: number, now: ReadonlySet<number>) => boolean,
): ReadonlySet<number> {
  let now: ReadonlySet<number> = new Set(first);
  for (;;) {
    const next = new Set(all.filter((index) => holds(index, now)));
    if (next.size === now.size) return now;
    now = next;
  }
}

/** Whether a value is the same for all neurons in all steps. */
function isUniform(value: Expression): boolean {
  return closureOf([value]).every(
    ({ kind }) => kind === 'constant' || kind === 'attribute' || kind === 'apply',
  );
}

/** How many numbers a neuron, source or synapse has of each kind. */
export interface EpropSizes {
  readonly states: number;
  /** Derivatives that differ from neuron to neuron; the slope is the first. */
  readonly factors: number;
  readonly traces: number;
  readonly sources: number;
  /** Of a synapse, the filtered one last. */
  readonly eligibilities: number;
  readonly learnedPerNeuron: number;
  readonly learnedPerLayer: number;
}

/** Which numbers are stored where. */
export interface EpropPlan extends Factorisation {
  readonly sizes: EpropSizes;
  /** Derivatives by their names: their places among the factors of a neuron; the others are uniform. */
  readonly factors: ReadonlyMap<string, number>;
  /** States whose trace the synapses take from their source. */
  readonly taken: readonly number[];
}

/** Throws EngineError `invalid-equation` where e-prop does not know the neuron. */
export function planOf(neuron: WrittenNeuron): EpropPlan {
  const step = neuronStep(neuron, new ExpressionPool());
  const found = factorise(neuron, step);
  const { shared, own, isReachShared } = found;
  const varied = synapseDerivatives(found, step).filter(([, value]) => !isUniform(value));
  const factors = ['slope', ...varied.map(([name]) => name)];
  const taken = shared.filter((state) =>
    synapseRows(found, step).some(({ partials }) => partials.states[state]),
  );
  const learned = (unit: LearnedParameter['per']) =>
    neuron.learned.filter(({ per }) => per === unit).length;
  const sizes = {
    states: neuron.states.length,
    factors: factors.length,
    traces: shared.length,
    sources: 1 + taken.length + (isReachShared ? 1 : 0),
    eligibilities: own.length + 1,
    learnedPerNeuron: learned('neuron'),
    learnedPerLayer: learned('layer'),
  };
  return { ...found, sizes, factors: new Map(factors.map((name, place) => [name, place])), taken };
}

/** The derivatives that synapses compute with, by name: `state1 by current`. */
export function synapseDerivatives(
  found: Factorisation,
  step: LinearStep,
): (readonly [name: string, value: Expression])[] {
  const live = new Set([...found.shared, ...found.own]);
  return synapseRows(found, step).flatMap(({ name, partials }) => {
    const { states, current, spike } = partials;
    const byStates = states.flatMap((by, from) =>
      by && live.has(from) ? [[`${name} by state${from}`, by] as const] : [],
    );
    return [
      ...byStates,
      ...(current ? [[`${name} by current`, current] as const] : []),
      ...(spike ? [[`${name} by spike`, spike] as const] : []),
    ];
  });
}

/** The quantities that each synapse takes a step on. */
function synapseRows({ own, isReachShared }: Factorisation, { rows, reach }: LinearStep) {
  const ofStates = own.map((index) => ({
    name: `state${index}`,
    partials: rows[index] as Partials,
  }));
  return isReachShared ? ofStates : [{ name: 'reach', partials: reach }, ...ofStates];
}

function refuse(problem: string): never {
  throw new EngineError('invalid-equation', `e-prop: ${problem}`);
}

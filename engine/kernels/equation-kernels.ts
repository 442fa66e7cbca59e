import type { Body, Layout } from '../kernel-language/body.ts';
import type { Slope } from '../kernel-language/derivative.ts';
import { carryStates } from '../kernel-language/carry-states.ts';
import { gradientOf } from '../kernel-language/gradient-body.ts';
import { type Expression, ExpressionPool } from '../kernel-language/expression.ts';
import { packOperands } from '../kernel-language/pack-operands.ts';
import type { Choices } from '../kernel-language/parse-body.ts';
import type { WrittenKernel } from '../kernel-language/written-kernel.ts';
import { BACK, SURROGATES } from './neurons.ts';
import { slopeOf } from './surrogates.ts';
import type { LearnedParameter, WrittenNeuron } from './written-neuron.ts';

/** The kernels of a layer of neurons that were read from equations. */
interface EquationKernels {
  /** The spikes of each step, or how far each neuron is above its threshold in it. */
  readonly forward: WrittenKernel;
  /** Writes the gradient of a current of as many steps over that of the output. */
  readonly backward: WrittenKernel;
  /** The same for a current that is stored once: its gradients are summed over the steps. */
  readonly backwardHeld: WrittenKernel;
  /** Whether the gradient reaches the current, and each learned parameter. */
  readonly reaches: { readonly current: boolean; readonly learned: readonly boolean[] };
}

const MAX_KEPT = 128;
const kept = new Map<string, EquationKernels>();

/** A number for each neuron and step, which is the operand that it is written to. */
export type NeuronOutput = 'spikes' | 'excess';

/** Over all of the steps from the first states, or over some of them from those that the steps before have left. */
type Extent = 'whole' | 'part';

/** The kernels of a neuron: one and the same for equal equations. */
export function equationKernels(
  neuron: WrittenNeuron,
  output: NeuronOutput = 'spikes',
  extent: Extent = 'whole',
): EquationKernels {
  // Without states there is nothing to go on from.
  const part = neuron.states.length > 0 ? extent : 'whole';
  const key = `${part} ${output} ${neuron.digest}`;
  const known = kept.get(key);
  if (known) return known;
  const made = makeKernels(neuron, output, part);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, made);
  return made;
}

/**
 * The operand of a learned parameter, and that of its gradient by row; users' names stay out of kernels. Several
 * parameters are rows of one operand, as `isPacked` says: `learned`, `learnedGradient`.
 */
export const learnedOperand = (index: number) => `learned${index}`;
export const learnedGradient = (index: number) => `learnedGradient${index}`;
export const isPacked = ({ learned }: WrittenNeuron): boolean => learned.length > 1;
export const parameterAttribute = (index: number) => `parameter${index}`;

const LAYER = { steps: 'int', rows: 'int', width: 'int', currentSteps: 'int' } as const;
const DOMAIN = [
  { coordinate: 'step', size: 'steps' },
  { coordinate: 'row', size: 'rows' },
  { coordinate: 'column', size: 'width' },
] as const;
const BY_ROW: Layout = { element: 'f32', axes: ['rows', 'width'] };

function makeKernels(neuron: WrittenNeuron, output: NeuronOutput, extent: Extent): EquationKernels {
  const isPart = extent === 'part';
  const all = <R>(name: string, nameOf: (index: number) => string, role: R) =>
    isPacked(neuron) ? { [name]: role } : ofLearned(neuron, nameOf, role);
  const reads = all('learned', learnedOperand, 'read' as const);
  const own = neuron.parameters.map((_, index) => [parameterAttribute(index), 'float'] as const);
  const attributes = { ...LAYER, ...Object.fromEntries(own) };
  const kernel = (part: string, row: Omit<WrittenKernel, 'name' | 'area'>): WrittenKernel => ({
    name: `equations_${neuron.digest.slice(0, 32)}_${NAMES[output]}${isPart ? 'carried_' : ''}${part}`,
    area: 'neurons',
    ...row,
  });
  const gradientOperands = {
    ...reads,
    ...all('learnedGradient', learnedGradient, 'write' as const),
    ...(isPart && ({ firstStates: 'read', stateGradient: 'update' } as const)),
  };
  const schema = { ...attributes, ...BACK, surrogateWidth: 'float' } as const;
  const gradient = (current: 'each' | 'held', choices: Choices) =>
    layerGradient(neuron, output, { current, choices, isPart });
  const written = targetsOf(gradient('held', { surrogate: SURROGATES[0] }));
  const packed = (body: Body) => (isPacked(neuron) ? packLearned(neuron, body) : body);
  return {
    forward: kernel('forward', {
      operands: {
        current: 'read',
        [output]: 'write',
        ...reads,
        ...(isPart && ({ firstStates: 'read', lastStates: 'write' } as const)),
      },
      attributes,
      write: () => {
        const whole = layerBody(neuron, output);
        const ends = { before: 'firstStates', after: 'lastStates' };
        return packed(isPart ? carryStates(whole, ends) : whole);
      },
    }),
    backward: kernel('backward', {
      operands: { current: 'read', gradient: 'update', ...gradientOperands },
      attributes: schema,
      write: (choices) => packed(gradient('each', choices)),
    }),
    backwardHeld: kernel('backward_held', {
      operands: {
        current: 'read',
        gradient: 'read',
        currentGradient: 'write',
        ...gradientOperands,
      },
      attributes: schema,
      write: (choices) => packed(gradient('held', choices)),
    }),
    reaches: {
      current: written.has('currentGradient'),
      learned: neuron.learned.map((_, index) => written.has(learnedGradient(index))),
    },
  };
}

/** In the names of kernels. */
const NAMES = { spikes: '', excess: 'excess_' } as const satisfies Record<NeuronOutput, string>;

function ofLearned<T>({ learned }: WrittenNeuron, nameOf: (index: number) => string, value: T) {
  return Object.fromEntries(learned.map((_, index) => [nameOf(index), value]));
}

function packLearned({ learned: { length: count } }: WrittenNeuron, body: Body): Body {
  const given = 'learnedGradient0' in body.layouts;
  return packOperands(body, {
    learned: { count, axes: ['width'] },
    ...(given && { learnedGradient: { count, axes: BY_ROW.axes } }),
  });
}

/** The surrogate is that of the excess in units of its width. */
function layerGradient(
  neuron: WrittenNeuron,
  output: NeuronOutput,
  {
    current,
    choices,
    isPart,
  }: {
    readonly current: 'each' | 'held';
    readonly choices: Choices;
    readonly isPart: boolean;
  },
): Body {
  const whole = layerBody(neuron, output, current);
  const body = isPart ? carryStates(whole, { before: 'firstStates' }) : whole;
  const own = neuron.learned.map((_, index) => [learnedOperand(index), learnedGradient(index)]);
  return gradientOf(
    body,
    {
      given: { [output]: 'gradient' },
      wanted: {
        current: current === 'each' ? 'gradient' : 'currentGradient',
        ...Object.fromEntries(own),
      },
      layouts: ofLearned(neuron, learnedGradient, BY_ROW),
      checkpoints: choices['checkpoints'] === true ? 'sqrt' : undefined,
      ...(isPart && { carried: 'stateGradient' }),
    },
    slopeInUnits(body.pool, choices['surrogate']),
  );
}

/** The slope of a surrogate at a distance in units of the attribute `surrogateWidth`. */
export function slopeInUnits(from: ExpressionPool, surrogate: unknown): Slope {
  const slope = slopeOf(surrogate);
  const unit = from.apply('div', from.constant(1), from.attribute('surrogateWidth', 'f32'));
  return (pool, x) => slope(pool, pool.apply('mul', x, unit));
}

function targetsOf({ stores, sequences }: Body): ReadonlySet<string> {
  const all = [...stores, ...sequences.flatMap((one) => one.stores)];
  return new Set(all.map(({ operand }) => operand));
}

/** A layer over all steps, from rest, on a current of each step or one that may be held. */
function layerBody(
  neuron: WrittenNeuron,
  output: NeuronOutput,
  current: 'each' | 'held' = 'held',
): Body {
  const pool = new ExpressionPool();
  const [step, row, column] = DOMAIN.map(({ coordinate }) => pool.coordinate(coordinate)) as [
    Expression,
    Expression,
    Expression,
  ];
  const last = pool.apply('sub', pool.attribute('currentSteps', 'i32'), pool.constant(1, 'i32'));
  const zero = pool.constant(0, 'i32');
  const { next, spike, excess } = neuron.step({
    pool,
    current: pool.load('current', 'f32', [
      current === 'held' ? pool.apply('min', step, last) : step,
      row,
      column,
    ]),
    dt: pool.constant(neuron.dt),
    state: (index) => pool.state(stateName(index), 'f32'),
    parameter: (index) => pool.attribute(parameterAttribute(index), 'f32'),
    learned: (index) =>
      learnedValue(neuron, pool, { index, at: [perNeuron(neuron, index) ? column : zero] }),
  });
  const states = neuron.states.map(({ initial }, index) => ({
    name: stateName(index),
    type: 'f32' as const,
    initial: pool.constant(initial),
    next: next[index] ?? pool.constant(initial),
  }));
  const value = output === 'spikes' ? spike : excess;
  return {
    pool,
    domain: DOMAIN,
    layouts: layoutsOf(neuron, current === 'held' ? 'currentSteps' : 'steps'),
    stores: [],
    sequences: [
      {
        coordinate: 'step',
        from: zero,
        to: pool.attribute('steps', 'i32'),
        isBackward: false,
        states,
        stores: [{ operand: output, indices: [step, row, column], value }],
        trail: [],
      },
    ],
  };
}

const stateName = (index: number) => `state${index}`;

const perNeuron = ({ learned }: WrittenNeuron, index: number) => learned[index]?.per === 'neuron';

/** The operand holds where in its range the parameter is, from 0 to 1; without a range the parameter itself. */
export function learnedValue(
  { learned }: WrittenNeuron,
  pool: ExpressionPool,
  { index, at }: { readonly index: number; readonly at: readonly Expression[] },
): Expression {
  return valueInRange(pool, learned[index]?.range, pool.load(learnedOperand(index), 'f32', at));
}

/** The value of a learned parameter by where in its range it is; that place itself where it has none. */
export function valueInRange(
  pool: ExpressionPool,
  range: LearnedParameter['range'],
  place: Expression,
): Expression {
  if (!range) return place;
  const { lowest, highest } = range;
  const scaled = pool.apply('mul', place, pool.constant(highest - lowest));
  return lowest === 0 ? scaled : pool.apply('add', scaled, pool.constant(lowest));
}

function layoutsOf(
  neuron: WrittenNeuron,
  currentSteps: 'currentSteps' | 'steps',
): Readonly<Record<string, Layout>> {
  const own = neuron.learned.map(({ per }, index): [string, Layout] => [
    learnedOperand(index),
    { element: 'f32', axes: [per === 'neuron' ? 'width' : 1] },
  ]);
  return {
    current: { element: 'f32', axes: [currentSteps, 'rows', 'width'] },
    spikes: { element: 'bits', axes: ['steps', 'rows', 'width'] },
    excess: { element: 'f32', axes: ['steps', 'rows', 'width'] },
    ...Object.fromEntries(own),
  };
}

/** The attributes of a call that follow from the neuron: its parameters as they are written. */
export function parameterValues({ parameters }: WrittenNeuron): Readonly<Record<string, number>> {
  return Object.fromEntries(
    parameters.map(({ value }, index) => [parameterAttribute(index), value]),
  );
}

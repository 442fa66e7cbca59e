import type { Body, Layout } from '../kernel-language/body.ts';
import { ExpressionPool } from '../kernel-language/expression.ts';
import { gradientOf } from '../kernel-language/gradient-body.ts';
import { type Pack, packOperands } from '../kernel-language/pack-operands.ts';
import { equations, type WrittenKernel } from '../kernel-language/written-kernel.ts';
import {
  learnedOperand,
  learnedValue,
  parameterAttribute,
  slopeInUnits,
} from './equation-kernels.ts';
import { SURROGATES } from './neurons.ts';
import { kernelsOf } from './table.ts';
import type { WrittenNeuron } from './written-neuron.ts';

/** The kernels of one step of neurons that receive their own spikes, and what of it has a gradient. */
interface RecurrentKernels {
  readonly forward: WrittenKernel;
  readonly backward: WrittenKernel;
  /** States, by their places, that carry a gradient from step to step. */
  readonly carried: readonly number[];
  /** Learned parameters, by their places, that have one. */
  readonly learned: readonly number[];
}

const MAX_KEPT = 64;
const kept = new Map<string, RecurrentKernels>();

/** The kernels of a step of a neuron: one and the same for equal equations. */
export function recurrentKernels(neuron: WrittenNeuron): RecurrentKernels {
  const known = kept.get(neuron.digest);
  if (known) return known;
  const made = makeKernels(neuron);
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(neuron.digest, made);
  return made;
}

const LAYER = { rows: 'int', width: 'int' } as const;
const DOMAIN = [
  { coordinate: 'row', size: 'rows' },
  { coordinate: 'column', size: 'width' },
] as const;
const OF_ROWS: Layout = { element: 'f32', axes: ['rows', 'width'] };

const part = {
  state: (index: number) => `states${index}`,
  next: (index: number) => `nexts${index}`,
  stateGradient: (index: number) => `stateGradients${index}`,
  nextGradient: (index: number) => `nextGradients${index}`,
  learnedGradient: (index: number) => `learnedGradients${index}`,
} as const;

function makeKernels(neuron: WrittenNeuron): RecurrentKernels {
  const own = neuron.parameters.map((_, index) => [parameterAttribute(index), 'float'] as const);
  const attributes = { ...LAYER, ...Object.fromEntries(own) };
  const carried = carriedStates(neuron);
  const learned = learnedWith(neuron, carried);
  const name = `recurrent_${neuron.digest.slice(0, 32)}`;
  const reads = {
    input: 'read',
    ...(neuron.states.length > 0 && ({ states: 'read' } as const)),
    ...(neuron.learned.length > 0 && ({ learned: 'read' } as const)),
  } as const;
  return {
    carried,
    learned,
    forward: {
      name: `${name}_forward`,
      area: 'neurons',
      operands: {
        ...reads,
        ...(neuron.states.length > 0 && ({ nexts: 'write' } as const)),
        spikes: 'write',
      },
      attributes,
      write: () => packed(neuron, stepBody(neuron)),
    },
    backward: {
      name: `${name}_backward`,
      area: 'neurons',
      operands: {
        ...reads,
        gradient: 'read',
        ...(carried.length > 0 && ({ nextGradients: 'read', stateGradients: 'write' } as const)),
        ...(learned.length > 0 && ({ learnedGradients: 'update' } as const)),
        inputGradient: 'write',
      },
      attributes: { ...attributes, surrogate: SURROGATES, surrogateWidth: 'float' },
      write: (choices) =>
        packed(neuron, withTotals(stepGradient(neuron, carried, choices['surrogate']))),
    },
  };
}

/** One step on its input from the states before it, each an operand of its own. */
function stepBody(neuron: WrittenNeuron): Body {
  const pool = new ExpressionPool();
  const place = [pool.coordinate('row'), pool.coordinate('column')];
  const { next, spike } = neuron.step({
    pool,
    current: pool.load('input', 'f32', place),
    dt: pool.constant(neuron.dt),
    state: (index) => pool.load(part.state(index), 'f32', place),
    parameter: (index) => pool.attribute(parameterAttribute(index), 'f32'),
    learned: (index) => learnedValue(neuron, pool, { index, at: place }),
  });
  const states = neuron.states.map(({ initial }, index) => ({
    operand: part.next(index),
    indices: place,
    value: next[index] ?? pool.constant(initial),
  }));
  const ofStates = neuron.states.flatMap((_, index) => [part.state(index), part.next(index)]);
  const ofLearned = neuron.learned.map((_, index) => learnedOperand(index));
  const layouts = ['input', ...ofStates, ...ofLearned].map((name) => [name, OF_ROWS] as const);
  return {
    pool,
    domain: DOMAIN,
    layouts: {
      ...Object.fromEntries(layouts),
      spikes: { element: 'bits', axes: ['rows', 'width'] },
    },
    sequences: [],
    stores: [...states, { operand: 'spikes', indices: place, value: spike }],
  };
}

/** The gradients of a step, where only some states carry one. */
function stepGradient(neuron: WrittenNeuron, carried: readonly number[], surrogate: unknown): Body {
  const body = stepBody(neuron);
  const nexts = carried.map((index) => [part.next(index), part.nextGradient(index)]);
  const states = carried.map((index) => [part.state(index), part.stateGradient(index)]);
  const learned = neuron.learned.map((_, index) => [
    learnedOperand(index),
    part.learnedGradient(index),
  ]);
  return gradientOf(
    body,
    {
      given: { ...Object.fromEntries(nexts), spikes: 'gradient' },
      wanted: { ...Object.fromEntries([...states, ...learned]), input: 'inputGradient' },
    },
    slopeInUnits(body.pool, surrogate),
  );
}

/** States from which a later step, or a spike, is computed by more than conditions. */
function carriedStates(neuron: WrittenNeuron): readonly number[] {
  let carried: readonly number[] = neuron.states.map((_, index) => index);
  for (;;) {
    const written = targetsOf(stepGradient(neuron, carried, SURROGATES[0]));
    const needed = carried.filter((index) => written.has(part.stateGradient(index)));
    if (needed.length === carried.length) return carried;
    carried = needed;
  }
}

function learnedWith(neuron: WrittenNeuron, carried: readonly number[]): readonly number[] {
  const written = targetsOf(stepGradient(neuron, carried, SURROGATES[0]));
  const all = neuron.learned.map((_, index) => index);
  return all.filter((index) => written.has(part.learnedGradient(index)));
}

const targetsOf = ({ stores }: Body) => new Set(stores.map(({ operand }) => operand));

/** Gradients of learned parameters are added up over the steps. */
function withTotals(body: Body): Body {
  const { pool } = body;
  const stores = body.stores.map((store) => {
    if (!store.operand.startsWith('learned')) return store;
    const before = pool.load(store.operand, 'f32', store.indices);
    return { ...store, value: pool.apply('add', before, store.value) };
  });
  return { ...body, stores };
}

/** One operand has all states, and so on, as a stage of a GPU binds no more than eight. */
function packed({ states, learned }: WrittenNeuron, body: Body): Body {
  const [ofStates, ofLearned] = [states, learned].map(({ length: count }) => ({
    count,
    axes: OF_ROWS.axes,
  })) as [Pack, Pack];
  return packOperands(body, {
    states: ofStates,
    nexts: ofStates,
    stateGradients: ofStates,
    nextGradients: ofStates,
    learned: ofLearned,
    learnedGradients: ofLearned,
  });
}

/**
 * Steps of a tensor, moved one at a time. Which one is an operand: as an attribute it would be another shader for
 * each. Made when a program first calls them: no part of a build.
 */
export const stepKernels = kernelsOf('memory', {
  /** The last step there is for those behind it. */
  take_step: {
    operands: { step: 'read', source: 'read', target: 'write' },
    attributes: { steps: 'int', count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { step: 'u32[1]', source: 'f32[steps, count]', target: 'f32[count]' },
      equations: 'target = source[min(i32(step), steps - 1), element]',
    }),
  },
  /** Words of any type. */
  put_step: {
    operands: { step: 'read', source: 'read', target: 'update' },
    attributes: { steps: 'int', count: 'int' },
    write: equations({
      over: { word: 'count' },
      shapes: { step: 'u32[1]', source: 'u32[count]', target: 'u32[steps, count]' },
      equations: 'target[i32(step), word] = source',
    }),
  },
  /** One row, or one number, for every row. */
  broadcast_rows: {
    operands: { source: 'read', target: 'write' },
    attributes: { rows: 'int', width: 'int', single: 'flag' },
    write: equations(({ single }) => ({
      over: { row: 'rows', column: 'width' },
      shapes: { source: single === true ? 'f32[1]' : 'f32[width]', target: 'f32[rows, width]' },
      equations: 'target = source',
    })),
  },
});

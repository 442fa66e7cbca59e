import type { Body, Layout, Store } from '../../kernel-language/body.ts';
import { type Expression, ExpressionPool } from '../../kernel-language/expression.ts';
import { slopeOf } from '../../kernels/surrogates.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import { type LinearStep, type Partials, weightedSum, withSpike } from './linear-step.ts';
import { cellOf, filteredPlaces, neuronStep, numbersOf } from './neuron-step.ts';
import { type EpropPlan, synapseDerivatives } from './plan.ts';

const OVER_NEURONS = [
  { coordinate: 'row', size: 'rows' },
  { coordinate: 'column', size: 'width' },
] as const;

function mapBody(
  pool: ExpressionPool,
  layouts: Readonly<Record<string, Layout>>,
  stores: readonly Store[],
): Body {
  return { pool, domain: OVER_NEURONS, layouts, sequences: [], stores };
}

export function beginBody({ states }: WrittenNeuron): Body {
  const pool = new ExpressionPool();
  const { row, column } = cellOf(pool);
  const stores = states.map(({ initial }, index) => ({
    operand: 'states',
    indices: [pool.constant(index, 'i32'), row, column],
    value: pool.constant(initial),
  }));
  return mapBody(pool, { states: numbersOf(states.length, 'rows', 'width') }, stores);
}

/** Columns are sources: what is taken of them is what was there before this step's spikes. */
export function traceBody(neuron: WrittenNeuron, plan: EpropPlan): Body {
  const { shared, taken, isReachShared, sizes } = plan;
  const pool = new ExpressionPool();
  const { row, column } = cellOf(pool);
  const step = neuronStep(neuron, pool);
  const z = pool.convert(pool.load('spikes', 'bool', [row, column]), 'f32');
  const at = (operand: string, index: number) => ({
    operand,
    indices: [pool.constant(index, 'i32'), row, column],
  });
  const traceOf = (state: number) => {
    const place = shared.indexOf(state);
    return place < 0 ? undefined : pool.load('traces', 'f32', at('traces', place).indices);
  };
  const carried = ({ states, current }: Partials) =>
    weightedSum(pool, [...states.map((by, from) => [by, traceOf(from)] as const), [current, z]]) ??
    pool.constant(0);
  const sources = [
    z,
    ...taken.map((state) => traceOf(state) ?? pool.constant(0)),
    ...(isReachShared ? [carried(step.reach)] : []),
  ];
  return mapBody(
    pool,
    {
      spikes: { element: 'bits', axes: ['rows', 'width'] },
      sources: numbersOf(sizes.sources, 'rows', 'width'),
      traces: numbersOf(sizes.traces, 'rows', 'width'),
    },
    [
      ...sources.map((value, index) => ({ ...at('sources', index), value })),
      ...shared.map((state, index) => ({
        ...at('traces', index),
        value: carried(step.rows[state] as Partials),
      })),
    ],
  );
}

export function neuronBody(neuron: WrittenNeuron, plan: EpropPlan, surrogate: unknown): Body {
  const { sizes } = plan;
  const pool = new ExpressionPool();
  const { row, column } = cellOf(pool);
  const step = neuronStep(neuron, pool);
  const at = (operand: string, index: number) => ({
    operand,
    indices: [pool.constant(index, 'i32'), row, column],
  });
  const width = pool.attribute('surrogateWidth', 'f32');
  const narrowed = pool.apply('mul', step.excess, pool.apply('div', pool.constant(1), width));
  const slope = slopeOf(surrogate)(pool, narrowed);
  const factors = [['slope', slope] as const, ...synapseDerivatives(plan, step)];
  const place = (key: string) => plan.factors.get(key);
  return mapBody(
    pool,
    {
      current: { element: 'f32', axes: ['rows', 'width'] },
      spikes: { element: 'bits', axes: ['rows', 'width'] },
      states: numbersOf(sizes.states, 'rows', 'width'),
      factors: numbersOf(sizes.factors, 'rows', 'width'),
      perNeuron: numbersOf(sizes.learnedPerNeuron, 'width'),
      perLayer: numbersOf(sizes.learnedPerLayer),
      own: numbersOf(sizes.states * neuron.learned.length, 'rows', 'width'),
      filtered: numbersOf(neuron.learned.length, 'rows', 'width'),
    },
    [
      ...step.next.map((value, index) => ({ ...at('states', index), value })),
      { operand: 'spikes', indices: [row, column], value: step.spike },
      ...factors.flatMap(([key, value]) => {
        const index = place(key);
        return index === undefined ? [] : [{ ...at('factors', index), value }];
      }),
      ...learnedStores(neuron, pool, step, slope),
    ],
  );
}

/** Eligibilities of the learned numbers, a step on. */
function learnedStores(
  neuron: WrittenNeuron,
  pool: ExpressionPool,
  { rows, reach }: LinearStep,
  slope: Expression,
): Store[] {
  const { row, column } = cellOf(pool);
  const count = neuron.states.length;
  const decay = pool.attribute('decay', 'f32');
  const places = filteredPlaces(neuron);
  return neuron.learned.flatMap((_, index) => {
    const indicesOf = (place: number) => [pool.constant(place, 'i32'), row, column];
    const before = rows.map((_row, state) =>
      pool.load('own', 'f32', indicesOf(index * count + state)),
    );
    const carried = (partials: Partials) =>
      weightedSum(pool, [
        ...partials.states.map((by, from) => [by, before[from]] as const),
        [partials.learned[index], pool.constant(1)],
      ]) ?? pool.constant(0);
    const e = pool.apply('mul', slope, carried(reach));
    const last = indicesOf(places[index] ?? 0);
    const kept = pool.apply('mul', decay, pool.load('filtered', 'f32', last));
    return [
      ...rows.map((partials, state) => ({
        operand: 'own',
        indices: indicesOf(index * count + state),
        value: withSpike(pool, carried(partials), partials, e),
      })),
      { operand: 'filtered', indices: last, value: pool.apply('add', kept, e) },
    ];
  });
}

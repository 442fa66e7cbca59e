import type { Body, Store } from '../../kernel-language/body.ts';
import { type Expression, ExpressionPool } from '../../kernel-language/expression.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import { type LinearStep, type Partials, weightedSum, withSpike } from './linear-step.ts';
import { neuronStep, numbersOf } from './neuron-step.ts';
import type { EpropPlan } from './plan.ts';

/** Every synapse, the sequences one after the other: their gradients are added up. */
export function synapseBody(neuron: WrittenNeuron, plan: EpropPlan): Body {
  const pool = new ExpressionPool();
  const place = placeOf(pool);
  const { filtered, stores } = synapseStep(place, plan, neuronStep(neuron, pool));
  const total = pool.state('sum', 'f32');
  const signal = pool.load('signal', 'f32', [place.row, place.target]);
  const gradient = { operand: 'gradient', indices: [place.source, place.target] };
  const sum = {
    name: 'sum',
    type: 'f32',
    initial: pool.load('gradient', 'f32', gradient.indices),
    next: pool.apply('add', total, pool.apply('mul', signal, filtered)),
  } as const;
  const rows = { coordinate: 'row', size: 'rows' };
  const { sizes } = plan;
  return {
    pool,
    domain: [{ coordinate: 'source', size: 'pre' }, rows, { coordinate: 'neuron', size: 'post' }],
    layouts: {
      sources: numbersOf(sizes.sources, 'rows', 'pre'),
      factors: numbersOf(sizes.factors, 'rows', 'post'),
      signal: { element: 'f32', axes: ['rows', 'post'] },
      eligibilities: numbersOf(sizes.eligibilities, 'rows', 'pre', 'post'),
      gradient: { element: 'f32', axes: ['pre', 'post'] },
    },
    sequences: [
      {
        coordinate: rows.coordinate,
        from: pool.constant(0, 'i32'),
        to: pool.attribute(rows.size, 'i32'),
        states: [sum],
        stores,
        trail: [],
      },
    ],
    stores: [{ ...gradient, value: total }],
  };
}

/** A synapse in one of the sequences. */
function placeOf(pool: ExpressionPool) {
  const source = pool.coordinate('source');
  const row = pool.coordinate('row');
  const target = pool.coordinate('neuron');
  const number = (index: number) => pool.constant(index, 'i32');
  const eligibilityAt = (index: number) => ({
    operand: 'eligibilities',
    indices: [number(index), row, source, target],
  });
  return {
    pool,
    source,
    row,
    target,
    eligibilityAt,
    factor: (index: number) => pool.load('factors', 'f32', [number(index), row, target]),
    ofSource: (index: number) => pool.load('sources', 'f32', [number(index), row, source]),
    eligibility: (index: number) => pool.load('eligibilities', 'f32', eligibilityAt(index).indices),
  };
}

/** The eligibilities of a synapse a step on, and the filtered one among them. */
function synapseStep(
  { pool, factor, ofSource, eligibility, eligibilityAt }: ReturnType<typeof placeOf>,
  { own, taken, isReachShared, sizes, factors }: EpropPlan,
  { rows, reach }: LinearStep,
): { readonly filtered: Expression; readonly stores: readonly Store[] } {
  const coefficient = (name: string, value: Expression | undefined) => {
    const index = factors.get(name);
    return value && (index === undefined ? value : factor(index));
  };
  const before = (state: number) => {
    const [ownPlace, takenPlace] = [own.indexOf(state), taken.indexOf(state)];
    if (ownPlace >= 0) return eligibility(ownPlace);
    return takenPlace < 0 ? undefined : ofSource(1 + takenPlace);
  };
  const carried = ({ states, current }: Partials, name: string) =>
    weightedSum(pool, [
      ...states.map(
        (by, from) => [coefficient(`${name} by state${from}`, by), before(from)] as const,
      ),
      [coefficient(`${name} by current`, current), ofSource(0)],
    ]);
  const reached = isReachShared ? ofSource(sizes.sources - 1) : carried(reach, 'reach');
  const e = pool.apply('mul', factor(0), reached ?? pool.constant(0));
  const last = own.length;
  const kept = pool.apply('mul', pool.attribute('decay', 'f32'), eligibility(last));
  const filtered = pool.apply('add', kept, e);
  const ofStates = own.map((state, index) => {
    const partials = rows[state] as Partials;
    const name = `state${state}`;
    const spike = coefficient(`${name} by spike`, partials.spike);
    const value = withSpike(pool, carried(partials, name), { ...partials, spike }, e);
    return { ...eligibilityAt(index), value };
  });
  return { filtered, stores: [...ofStates, { ...eligibilityAt(last), value: filtered }] };
}

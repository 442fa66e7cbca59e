import type { Layout } from '../../kernel-language/body.ts';
import type { Expression, ExpressionPool } from '../../kernel-language/expression.ts';
import { parameterAttribute, valueInRange } from '../../kernels/equation-kernels.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import { linearise, type LinearStep } from './linear-step.ts';

/** The place of each learned parameter in its operand: those of neurons, and those of the layer. */
function learnedPlaces({ learned }: WrittenNeuron) {
  const counts = { neuron: 0, layer: 0 };
  return learned.map(({ per }) => ({ per, place: counts[per]++ }));
}

/** Where the filtered eligibility of a learned number lies: those of neurons come first. */
export function filteredPlaces(neuron: WrittenNeuron): number[] {
  const places = learnedPlaces(neuron);
  const ofNeurons = places.filter(({ per }) => per === 'neuron').length;
  return places.map(({ per, place }) => (per === 'neuron' ? place : ofNeurons + place));
}

interface Cell {
  readonly row: Expression;
  readonly column: Expression;
}

export function cellOf(pool: ExpressionPool): Cell {
  return { row: pool.coordinate('row'), column: pool.coordinate('column') };
}

/** The step of the neuron at a place of the layer, with its derivatives. */
export function neuronStep(neuron: WrittenNeuron, pool: ExpressionPool): LinearStep {
  const { row, column } = cellOf(pool);
  const sources = learnedPlaces(neuron).map(({ per, place }) => {
    const number = pool.constant(place, 'i32');
    return per === 'neuron'
      ? pool.load('perNeuron', 'f32', [number, column])
      : pool.load('perLayer', 'f32', [number]);
  });
  return linearise(neuron, {
    pool,
    sources,
    current: pool.load('current', 'f32', [row, column]),
    dt: pool.attribute('dt', 'f32'),
    state: (index) => pool.load('states', 'f32', [pool.constant(index, 'i32'), row, column]),
    parameter: (index) => pool.attribute(parameterAttribute(index), 'f32'),
    learned: (index) => {
      const source = sources[index] as Expression;
      const range = neuron.learned[index]?.range;
      return valueInRange(pool, range, range ? sigmoid(pool, source) : source);
    },
  });
}

function sigmoid(pool: ExpressionPool, x: Expression): Expression {
  const falling = pool.apply('exp', pool.apply('neg', x));
  return pool.apply('div', pool.constant(1), pool.apply('add', pool.constant(1), falling));
}

/** So many numbers at each place. */
export const numbersOf = (count: number, ...axes: readonly string[]): Layout => ({
  element: 'f32',
  axes: [count, ...axes],
});

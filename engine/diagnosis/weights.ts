import {
  type Initial,
  type ParameterLayout,
  type ParameterSpec,
  parameterValues,
} from '../graph/parameters.ts';
import type { WeightReading } from './observations.ts';

interface Blocks {
  readonly values: Float32Array;
  readonly gradients?: Float32Array | undefined;
}

/** Size, first size and gradient of the parameters of each layer, in the order of the block. */
export function readWeights(
  layout: ParameterLayout,
  { values, gradients }: Blocks,
): readonly WeightReading[] {
  const sums = new Map<string, Sums>();
  for (const parameter of layout.parameters) {
    const name = layerOf(parameter.spec);
    const sum = sums.get(name) ?? { count: 0, squares: 0, first: 0, gradient: 0 };
    const own = parameterValues(parameter, values);
    sum.count += own.length;
    sum.squares += squaresOf(own);
    sum.first += own.length * meanSquare(parameter.spec.initial);
    if (gradients) sum.gradient += squaresOf(parameterValues(parameter, gradients));
    sums.set(name, sum);
  }
  return Array.from(sums, ([name, { count, squares, first, gradient }]) => ({
    name,
    count,
    size: Math.sqrt(squares / count),
    firstSize: Math.sqrt(first / count),
    ...(gradients && { gradient: Math.sqrt(gradient) }),
  }));
}

interface Sums {
  count: number;
  squares: number;
  first: number;
  gradient: number;
}

/** A parameter is called by its layer, a dot, and its own name. */
const layerOf = ({ name }: ParameterSpec): string =>
  name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : name;

function squaresOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

/** Of the distribution that a parameter is drawn from. */
function meanSquare(initial: Initial): number {
  switch (initial.kind) {
    case 'normal':
      return initial.deviation ** 2;
    case 'uniform':
      return initial.bound ** 2 / 3 + (initial.centre ?? 0) ** 2;
    case 'constant':
      return initial.value ** 2;
  }
}

import { kernels } from '../../engine/kernels/kernels.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { type Tensor, wordCount } from '../../engine/graph/tensor.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

type Shapes = Readonly<Record<string, readonly number[]>>;
type Inputs<S extends Shapes> = { readonly [P in keyof S]: Tensor };

export interface GradientCheck<S extends Shapes> {
  /** Shapes of the differentiable inputs. */
  readonly inputs: S;
  /** Traces the op; its output is weighted with random numbers and added up to a loss. */
  readonly trace: (graph: Graph, inputs: Inputs<S>) => Tensor;
  readonly seed?: number;
}

const STEP = 1e-5;

/**
 * Compares the traced gradient of every input element with central differences of the forward pass,
 * both in float64. Returns the largest difference relative to 1 + magnitude.
 */
export async function worstGradientError<S extends Shapes>({
  inputs,
  trace,
  seed = 1,
}: GradientCheck<S>): Promise<number> {
  const layout = layOutParameters(
    Object.entries(inputs).map(([name, shape]) => ({
      name,
      shape,
      initial: { kind: 'constant', value: 0 } as const,
      decayed: false,
    })),
  );
  const graph = new Graph('gradient check', layout);
  const named = Object.fromEntries(
    Object.keys(inputs).map((name) => [name, graph.parameter(name)]),
  );
  const output = trace(graph, named as Inputs<S>);
  const kept = graph.local('kept output', 'f32', output.shape);
  graph.call(kernels.copy, { source: output, target: kept }, { count: wordCount(output) });
  const weights = graph.local('weights', 'f32', output.shape);
  differentiate(graph, output, weights);
  const program = graph.build();
  const player = await reference.load(layout, [program]);

  const from = randomSource(seed);
  for (const { value } of layout.parameters) {
    const values = player.values(value);
    for (let i = 0; i < values.length; i++) values[i] = from.uniform(-1, 1);
  }
  const factors = Float64Array.from({ length: wordCount(weights) }, () => from.uniform(-1, 1));
  const lossAt = () => {
    // A rule may take the seed over and change it, so it is set anew for every play.
    player.values(weights).set(factors);
    player.play(program);
    return player.values(kept).reduce((sum, y, i) => sum + y * factors[i]!, 0);
  };

  lossAt();
  const traced = layout.parameters.map(({ gradient }) => player.values(gradient).slice());
  let worst = 0;
  for (const [p, { value }] of layout.parameters.entries()) {
    const values = player.values(value);
    for (let i = 0; i < values.length; i++) {
      const centre = values[i]!;
      values[i] = centre + STEP;
      const above = lossAt();
      values[i] = centre - STEP;
      const below = lossAt();
      values[i] = centre;
      const expected = (above - below) / (2 * STEP);
      const error = Math.abs(traced[p]![i]! - expected) / (1 + Math.abs(expected));
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

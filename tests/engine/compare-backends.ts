import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { type Tensor, wordCount } from '../../engine/graph/tensor.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { keep } from '../../engine/ops/keep.ts';
import { randomSource } from './random.ts';

/** An op with inputs of its own: what it gives, and the gradients of its inputs, are to be the same everywhere. */
export interface TracedOp {
  /** Shapes of the inputs; their values are random, from -1 to 1. */
  readonly inputs: Readonly<Record<string, readonly number[]>>;
  readonly trace: (graph: Graph, inputs: Readonly<Record<string, Tensor>>) => Tensor;
}

type Numbers = Float32Array | Uint32Array;

/** Plays an op and its gradient on a backend: the output, then the gradients in the order of the inputs. */
export async function playedOp(
  backend: Backend,
  { inputs, trace }: TracedOp,
): Promise<readonly (readonly [name: string, values: Numbers])[]> {
  const initial = { kind: 'constant', value: 0 } as const;
  const names = Object.keys(inputs);
  const layout = layOutParameters(
    Object.entries(inputs).map(([name, shape]) => ({ name, shape, initial, decayed: false })),
  );
  const graph = new Graph('op', layout);
  const output = trace(
    graph,
    Object.fromEntries(names.map((name) => [name, graph.parameter(name)])),
  );
  const kept = keep(graph, 'output', output);
  const from = randomSource(11);
  const seed = graph.local('seed', 'f32', output.shape);
  differentiate(graph, output, seed);
  const program = graph.build();
  const player = await backend.load(layout, [program]);
  for (const { value } of layout.parameters) player.write(value, from.floats(wordCount(value)));
  player.write(seed, from.floats(wordCount(seed)));
  player.play(program);
  const gradients = names.map((name) => player.read(layout.get(name).gradient));
  const [values, ...all] = await Promise.all([player.read(kept), ...gradients]);
  player.close();
  return [['output', values], ...names.map((name, i) => [name, all[i]!] as const)];
}

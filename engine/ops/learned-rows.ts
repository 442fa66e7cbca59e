import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { stepKernels } from '../kernels/recurrent-equations.ts';

/** Learned parameters for every row, one behind the other: `[parameters, rows, width]` from `[width]` or `[1]` each. */
export function byRow(
  graph: Graph,
  own: readonly Tensor[],
  { rows, width }: { readonly rows: number; readonly width: number },
): Tensor | undefined {
  if (own.length === 0) return undefined;
  const target = graph.scratch('learned parameters', 'f32', [own.length, rows, width]);
  graph.call(memoryKernels.fill, { target }, { count: wordCount(target), value: 0 });
  for (const [index, source] of own.entries()) {
    const row = graph.scratch(`${source.name} of each row`, 'f32', [rows, width]);
    const single = source.shape[0] === 1;
    graph.call(stepKernels.broadcast_rows, { source, target: row }, { rows, width, single });
    putStep(graph, target, row, index);
  }
  return target;
}

/** One step of numbers `[steps, rows, width]`, or the last of those there are. */
export function takeStep(graph: Graph, source: Tensor, step: number): Tensor {
  const [steps = 1, ...shape] = source.shape;
  const target = graph.scratch(`${source.name}, step ${step}`, 'f32', shape);
  const attributes = { steps, count: wordCount(target) };
  graph.call(stepKernels.take_step, { step: stepNumber(graph, step), source, target }, attributes);
  return target;
}

/** Overwrites one step. */
export function putStep(graph: Graph, target: Tensor, source: Tensor, step: number): void {
  const attributes = { steps: target.shape[0] ?? 1, count: wordCount(source) };
  graph.call(stepKernels.put_step, { step: stepNumber(graph, step), source, target }, attributes);
}

const numbers = new WeakMap<Graph, Tensor[]>();

/** The number of a step, `u32[1]`, once for all layers of a graph. */
function stepNumber(graph: Graph, step: number): Tensor {
  const known = numbers.get(graph) ?? [];
  numbers.set(graph, known);
  for (let next = known.length; next <= step; next++) {
    known.push(graph.constant(`step ${next}`, [1], Uint32Array.of(next)));
  }
  return known[step] as Tensor;
}

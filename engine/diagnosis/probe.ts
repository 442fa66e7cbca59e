import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { wordCount } from '../graph/tensor.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { keep } from '../ops/keep.ts';

/** A place in a network whose gradient the host reads after the play. */
export interface Probe {
  /** Stands for the tensor in all that comes behind. */
  readonly output: Tensor;
  /** Undefined until the graph was differentiated, and where no gradient comes by. */
  gradient(): Tensor | undefined;
}

/** Watches the gradient of numbers; it does not change what is computed. */
export function probeGradient(graph: Graph, name: string, input: Tensor): Probe {
  const output = graph.scratch(`probed ${name}`, input.dtype, input.shape);
  const count = wordCount(input);
  let kept: Tensor | undefined;
  graph.call(memoryKernels.copy, { source: input, target: output }, { count });
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      kept = keep(graph, `gradient of ${name}`, gradient);
      gradients.give(input, gradient);
    },
  });
  return { output, gradient: () => kept };
}

/** Norm of a gradient `[T, rows, features]` at each time step. */
export function stepNorms(values: ArrayLike<number>, steps: number): number[] {
  const size = values.length / steps;
  return Array.from({ length: steps }, (_, step) => {
    let squares = 0;
    for (let i = step * size; i < (step + 1) * size; i++) squares += (values[i] ?? 0) ** 2;
    return Math.sqrt(squares);
  });
}

import { randomKernels } from '../kernels/memory.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import type { RandomOptions } from './random.ts';

interface DropoutOptions extends RandomOptions {
  /** Of the numbers that are left out, from 0 to below 1. */
  readonly share: number;
}

/**
 * The input with a share of its numbers replaced by 0 and the others divided by what is left of them
 * (Srivastava et al. 2014). For training; a new step draws anew, the same on every backend.
 */
export function dropout(graph: Graph, input: Tensor, options: DropoutOptions): Tensor {
  const { share, stream, clock } = options;
  const attributes = { count: wordCount(input), share, stream };
  const output = graph.scratch('dropout', 'f32', input.shape);
  const trace = (source: Tensor, target: Tensor, accumulate: boolean) =>
    graph.call(randomKernels.dropout, { source, clock, target }, { ...attributes, accumulate });
  trace(input, output, false);
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (target, accumulate) => trace(gradient, target, accumulate));
    },
  });
  return output;
}

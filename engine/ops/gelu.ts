import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';

/** GELU in its tanh form, element by element; a tensor of the input's shape. */
export function gelu(graph: Graph, input: Tensor): Tensor {
  const output = graph.scratch('gelu', 'f32', input.shape);
  const count = wordCount(input);
  graph.call('gelu_forward', { input, output }, { count });
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call('gelu_backward', { input, gradient, inputGradient }, { count, accumulate }),
      );
    },
  });
  return output;
}

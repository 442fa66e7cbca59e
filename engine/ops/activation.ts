import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import type { Activation } from '../kernels/dense.ts';
import { kernels } from '../kernels/kernels.ts';

/** A function element by element: a tensor of the input's shape. */
export function activation(graph: Graph, input: Tensor, name: Activation): Tensor {
  const output = graph.scratch(name, 'f32', input.shape);
  const attributes = { count: wordCount(input), activation: name };
  graph.call(kernels.activation_forward, { input, output }, attributes);
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          kernels.activation_backward,
          { input, gradient, inputGradient },
          { ...attributes, accumulate },
        ),
      );
    },
  });
  return output;
}

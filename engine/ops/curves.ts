import type { Graph } from '../graph/graph.ts';
import type { Curve } from '../graph/layer-kernels.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';

/** A monotonic curve, element by element: a tensor of the input's shape. */
export function curve(graph: Graph, input: Tensor, name: Curve): Tensor {
  const output = graph.scratch(name, 'f32', input.shape);
  const count = wordCount(input);
  graph.call('curve_forward', { input, output }, { count, curve: name });
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          'curve_backward',
          { input, gradient, inputGradient },
          { count, curve: name, accumulate },
        ),
      );
    },
  });
  return output;
}

import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { activationKernels, type Activation } from '../kernels/dense.ts';
import { slopeKernels, COSTLY_ACTIVATIONS } from '../kernels/slopes.ts';

/**
 * A function element by element: a tensor of the input's shape. Where a gradient is taken of a costly one, the
 * forward pass keeps its derivative instead of its input.
 */
export function activation(graph: Graph, input: Tensor, name: Activation): Tensor {
  const output = graph.scratch(name, 'f32', input.shape);
  const count = wordCount(input);
  const attributes = { count, activation: name };
  const forward = graph.call(activationKernels.activation_forward, { input, output }, attributes);
  const costly = COSTLY_ACTIVATIONS.find((one) => one === name);
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (inputGradient, accumulate) => {
        if (!costly) {
          const operands = { input, gradient, inputGradient };
          graph.call(activationKernels.activation_backward, operands, {
            ...attributes,
            accumulate,
          });
          return;
        }
        const slope = graph.scratch(`slope of ${name}`, 'f32', input.shape);
        graph.replace(forward, slopeKernels.activation_with_slope, {
          operands: { input, output, slope },
          attributes: { count, activation: costly },
        });
        const operands = { slope, gradient, inputGradient };
        graph.call(slopeKernels.slope_backward, operands, { count, accumulate });
      });
    },
  });
  return output;
}

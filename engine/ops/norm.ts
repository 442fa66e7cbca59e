import { normKernels } from '../kernels/dense.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { partialSums, reduceInto } from './row-sums.ts';
import { axesOf, expectShape } from './shapes.ts';

/** PyTorch's default for LayerNorm. */
const LAYER_NORM_EPSILON = 1e-5;
const RMS_NORM_EPSILON = 1e-6;

/** `(x - mean) / sqrt(var + 1e-5) * gain + offset` over the features of each row; `[steps, rows, width]`. */
export function layerNorm(graph: Graph, input: Tensor, gain: Tensor, offset: Tensor): Tensor {
  const { steps, rows: tokens, width } = axesOf('layerNorm', input);
  expectShape('layerNorm gain', gain, [width]);
  expectShape('layerNorm offset', offset, [width]);
  const rows = steps * tokens;
  const output = graph.scratch('layer norm', 'f32', input.shape);
  const statistics = graph.scratch('layer norm statistics', 'f32', [rows, 2]);
  graph.call(
    normKernels.layer_norm_forward,
    { input, gain, offset, output, statistics },
    { rows, width, epsilon: LAYER_NORM_EPSILON },
  );
  graph.differentiable({
    inputs: [input, gain, offset],
    output,
    backward(gradient, gradients) {
      const gainSums = partialSums(graph, gain.name, rows, width);
      const offsetSums = partialSums(graph, offset.name, rows, width);
      graph.call(
        normKernels.layer_norm_backward_parameters,
        {
          input,
          statistics,
          gradient,
          gainPartial: gainSums.tensor,
          offsetPartial: offsetSums.tensor,
        },
        { rows, width, chunk: gainSums.chunk },
      );
      reduceInto(gradients, graph, gain, gainSums);
      reduceInto(gradients, graph, offset, offsetSums);
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          normKernels.layer_norm_backward_input,
          { input, gain, statistics, gradient, inputGradient },
          { rows, width, accumulate },
        ),
      );
    },
  });
  return output;
}

/** `x / sqrt(mean(x^2) + 1e-6) * gain` over the features of each row; `[steps, rows, width]`. */
export function rmsNorm(graph: Graph, input: Tensor, gain: Tensor): Tensor {
  const { steps, rows: tokens, width } = axesOf('rmsNorm', input);
  expectShape('rmsNorm gain', gain, [width]);
  const rows = steps * tokens;
  const output = graph.scratch('rms norm', 'f32', input.shape);
  const statistics = graph.scratch('rms norm statistics', 'f32', [rows]);
  graph.call(
    normKernels.rms_norm_forward,
    { input, gain, output, statistics },
    { rows, width, epsilon: RMS_NORM_EPSILON },
  );
  graph.differentiable({
    inputs: [input, gain],
    output,
    backward(gradient, gradients) {
      const sums = partialSums(graph, gain.name, rows, width);
      graph.call(
        normKernels.rms_norm_backward_parameters,
        { input, statistics, gradient, gainPartial: sums.tensor },
        { rows, width, chunk: sums.chunk },
      );
      reduceInto(gradients, graph, gain, sums);
      gradients.into(input, (inputGradient, accumulate) =>
        graph.call(
          normKernels.rms_norm_backward_input,
          { input, gain, statistics, gradient, inputGradient },
          { rows, width, accumulate },
        ),
      );
    },
  });
  return output;
}

import { readoutKernels } from '../kernels/readout.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { partialSums, reduceInto } from './row-sums.ts';
import { meanOfSegments } from './segment-readouts.ts';
import { heldInSegments } from './segment-states.ts';
import { axesOf, expectShape } from './shapes.ts';

/** The mean over time steps: `[1, rows, width]`. An input of one step is its own mean. */
export function meanSteps(graph: Graph, input: Tensor): Tensor {
  const axes = axesOf('meanSteps', input);
  const { steps, rows, width } = axes;
  const { segment } = graph;
  if (steps === 1) return heldInSegments(graph, input);
  if (segment) return meanOfSegments(graph, { segment, source: input, axes });
  const output = graph.scratch('mean over steps', 'f32', [1, rows, width]);
  const count = rows * width;
  graph.call(
    readoutKernels.mean_steps_forward,
    { source: input, target: output },
    { count, steps },
  );
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (target, accumulate) =>
        graph.call(
          readoutKernels.mean_steps_backward,
          { gradient, target },
          { count, steps, accumulate },
        ),
      );
    },
  });
  return output;
}

/** `s * direct + (1 - s) * deep` with `s = sigmoid(mix)`; mix `[1]`, the others of one shape. */
export function readoutMix(graph: Graph, direct: Tensor, deep: Tensor, mix: Tensor): Tensor {
  expectShape('readoutMix deep', deep, direct.shape);
  expectShape('readoutMix mix', mix, [1]);
  const count = wordCount(direct);
  const output = graph.scratch('readout mix', 'f32', direct.shape);
  graph.call(readoutKernels.readout_mix_forward, { direct, deep, mix, output }, { count });
  graph.differentiable({
    inputs: [direct, deep, mix],
    output,
    backward(gradient, gradients) {
      const sums = partialSums(graph, mix.name, count, 1);
      graph.call(
        readoutKernels.readout_mix_backward_mix,
        { direct, deep, mix, gradient, partial: sums.tensor },
        { count, chunk: sums.chunk },
      );
      reduceInto(gradients, graph, mix, sums);
      gradients.into(direct, (directGradient, accumulateDirect) =>
        gradients.into(deep, (deepGradient, accumulateDeep) =>
          graph.call(
            readoutKernels.readout_mix_backward,
            { mix, gradient, directGradient, deepGradient },
            { count, accumulateDirect, accumulateDeep },
          ),
        ),
      );
    },
  });
  return output;
}

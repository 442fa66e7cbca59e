import { memoryKernels } from '../kernels/memory.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectWhole } from './shapes.ts';

/**
 * Each step some times after one another, `[steps * hold, rows, width]`: frames of a sound as currents for
 * neurons that take several time steps a frame.
 */
export function holdSteps(graph: Graph, input: Tensor, hold: number): Tensor {
  expectWhole('holdSteps', 'hold', hold, 1);
  if (hold === 1) return input;
  const { steps, rows, width } = axesOf('holdSteps', input);
  const attributes = { count: rows * width, steps, hold };
  const output = graph.scratch('held', 'f32', [steps * hold, rows, width]);
  graph.call(memoryKernels.hold_steps_forward, { source: input, target: output }, attributes);
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (target, accumulate) =>
        graph.call(
          memoryKernels.hold_steps_backward,
          { gradient, target },
          { ...attributes, accumulate },
        ),
      );
    },
  });
  return output;
}

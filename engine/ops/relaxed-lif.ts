import { relaxedKernels } from '../kernels/relaxed.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { expectStepsBack, layerShape } from './layer-shapes.ts';
import { expectAllSteps } from './segment-states.ts';
import type { LifOptions } from './lif.ts';
import { expectShape } from './shapes.ts';

interface RelaxedLifOptions extends Omit<LifOptions, 'reset'> {
  /** From 0 for a sigmoid to 1 for spikes, `f32[1]`. */
  readonly hardness: Tensor;
}

/**
 * Leaky integrate-and-fire neurons whose spikes lie between 0 and 1: `f32[T, rows, width]` from a current
 * `[T or 1, rows, width]`.
 *
 *   u[t] = beta u[t-1] + I[t] - s[t-1] threshold      x = u - threshold
 *   s = (1 - hardness) sigmoid(4 x) + hardness (x > 0)
 *
 * With a hardness of 1 spikes and gradients are those of `lif`. The reset is detached, as there.
 */
export function relaxedLif(graph: Graph, current: Tensor, options: RelaxedLifOptions): Tensor {
  const { steps, beta, threshold, surrogate, checkpoints, hardness, movingBeta: decay } = options;
  expectAllSteps(graph, 'relaxedLif');
  const { rows, width, currentSteps } = layerShape('relaxedLif', current, steps);
  expectShape('relaxedLif hardness', hardness, [1]);
  const attributes = { steps, rows, width, currentSteps, beta, threshold };
  const spikes = graph.scratch('relaxed spikes', 'f32', [steps, rows, width]);
  graph.call(relaxedKernels.relaxed_lif_forward, { current, hardness, spikes, decay }, attributes);
  graph.differentiable({
    inputs: [current],
    output: spikes,
    backward(gradient, gradients) {
      expectStepsBack('relaxedLif', steps, checkpoints);
      const currentGradient = graph.scratch('gradient of current', 'f32', current.shape);
      graph.call(
        relaxedKernels.relaxed_lif_backward,
        { current, hardness, gradient, currentGradient, decay },
        { ...attributes, surrogate, checkpoints: checkpoints === 'sqrt' },
      );
      gradients.give(current, currentGradient);
    },
  });
  return spikes;
}

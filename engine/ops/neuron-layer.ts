import type { Surrogate } from '../kernels/neurons.ts';
import { kernels, type LayerModel } from '../kernels/kernels.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { type Checkpoints, expectStepsBack, layerShape } from './layer-shapes.ts';

export interface LayerOptions {
  /** Time steps T, at most 1000 for a gradient. A current of one step is held for all of them. */
  readonly steps: number;
  readonly surrogate: Surrogate;
  /** `sqrt`: the gradient takes memory for 2 sqrt(T) steps instead of T, and T may be up to 50,000. */
  readonly checkpoints?: Checkpoints;
}

/**
 * A layer of neurons that are all alike, over all T steps in one kernel, starting from rest: spikes
 * `bits[T, rows, width]` from a current `[T or 1, rows, width]`. States are not kept: the backward kernel
 * computes them again from the current. Resets are constants to the gradient.
 */
export function neuronLayer(
  graph: Graph,
  current: Tensor,
  model: LayerModel,
  { steps, surrogate, checkpoints }: LayerOptions,
): Tensor {
  const { rows, width, currentSteps } = layerShape(model.model, current, steps);
  const attributes = { steps, rows, width, currentSteps, ...model };
  const spikes = graph.scratch('spikes', 'bits', [steps, rows, width]);
  graph.call(kernels.neuron_forward, { current, spikes }, attributes);
  graph.differentiable({
    inputs: [current],
    output: spikes,
    backward(gradient, gradients) {
      expectStepsBack(model.model, steps, checkpoints);
      const currentGradient = graph.scratch('gradient of current', 'f32', current.shape);
      graph.call(
        kernels.neuron_backward,
        { current, gradient, currentGradient },
        { ...attributes, surrogate, checkpoints: checkpoints === 'sqrt' },
      );
      gradients.give(current, currentGradient);
    },
  });
  return spikes;
}

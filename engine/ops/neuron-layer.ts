import { neuronKernels, type Surrogate } from '../kernels/neurons.ts';
import { carriedNeuronKernels } from '../kernels/carried-neurons.ts';
import type { LayerModel } from '../kernels/kernels.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { type Checkpoints, expectStepsBack, layerShape } from './layer-shapes.ts';
import { segmentStates } from './segment-states.ts';

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
  const initial = firstStates(model);
  const carried = segmentStates(graph, model.model, { rows, width, initial });
  if (carried) {
    const operands = { current, spikes, ...carried.forth };
    graph.call(carriedNeuronKernels.carried_neuron_forward, operands, attributes);
    carried.leave();
  } else graph.call(neuronKernels.neuron_forward, { current, spikes }, attributes);
  graph.differentiable({
    inputs: [current],
    output: spikes,
    isCarried: carried !== undefined,
    backward(gradient, gradients) {
      expectStepsBack(model.model, steps, checkpoints);
      const currentGradient = graph.scratch('gradient of current', 'f32', current.shape);
      const operands = { current, gradient, currentGradient };
      const all = { ...attributes, surrogate, checkpoints: checkpoints === 'sqrt' };
      if (carried) {
        const both = { ...operands, ...carried.back };
        graph.call(carriedNeuronKernels.carried_neuron_backward, both, all);
      } else graph.call(neuronKernels.neuron_backward, operands, all);
      gradients.give(current, currentGradient);
    },
  });
  return spikes;
}

/** The states of a model before the first step, in the order of its equations. */
function firstStates(model: LayerModel): readonly number[] {
  switch (model.model) {
    case 'lif_zero':
      return [0];
    case 'alif':
      return [0, 0, 0];
    case 'izhikevich':
      return [model.start, model.b * model.start];
  }
}

import { carriedNeuronKernels } from '../kernels/carried-neurons.ts';
import { neuronKernels } from '../kernels/neurons.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { LifOptions } from './lif.ts';
import { segmentStates } from './segment-states.ts';
import { axesOf } from './shapes.ts';

/**
 * The membranes of leaky integrate-and-fire neurons as a differentiable output, `[T, rows, width]`
 * from a current `[T or 1, rows, width]`; they fire and are reset by subtraction as in `lif`.
 *
 *   u[t] = beta u[t-1] + I[t] - s[t-1] threshold      dI[t] = du[t] + beta dI[t+1]
 *
 * The reset is detached from the gradient, so no surrogate is needed.
 */
export function leakyMembrane(
  graph: Graph,
  current: Tensor,
  { steps, beta, threshold }: Omit<LifOptions, 'surrogate' | 'reset'>,
): Tensor {
  const { rows, width, steps: currentSteps } = axesOf('leakyMembrane', current);
  if (currentSteps !== 1 && currentSteps !== steps) {
    throw new EngineError(
      'shape-mismatch',
      `leakyMembrane: the current has ${currentSteps} steps, expected 1 or ${steps}`,
    );
  }
  const attributes = { steps, rows, width, currentSteps, beta };
  const membrane = graph.scratch('membrane', 'f32', [steps, rows, width]);
  const carried = segmentStates(graph, 'leakyMembrane', { rows, width, initial: [0] });
  const forward = { ...attributes, threshold };
  if (carried) {
    const operands = { current, membrane, ...carried.forth };
    graph.call(carriedNeuronKernels.carried_lif_membrane, operands, forward);
    carried.leave();
  } else graph.call(neuronKernels.lif_membrane, { current, membrane }, forward);
  graph.differentiable({
    inputs: [current],
    output: membrane,
    isCarried: carried !== undefined,
    backward(gradient, gradients) {
      const currentGradient = graph.scratch('gradient of current', 'f32', current.shape);
      const operands = { gradient, currentGradient };
      if (carried) {
        const { stateGradient } = carried.back;
        const both = { ...operands, stateGradient };
        graph.call(carriedNeuronKernels.carried_lif_membrane_backward, both, attributes);
      } else graph.call(neuronKernels.lif_membrane_backward, operands, attributes);
      gradients.give(current, currentGradient);
    },
  });
  return membrane;
}

/** Spike counts of each neuron of each row over the time steps: `u32[rows, width]`, persistent. */
export function countFirings(
  graph: Graph,
  name: string,
  membrane: Tensor,
  threshold: number,
): Tensor {
  const { steps, rows, width } = axesOf('countFirings', membrane);
  const counts = graph.local(name, 'u32', [rows, width]);
  graph.call(
    neuronKernels.membrane_spike_count,
    { membrane, counts },
    { steps, rows, width, threshold },
  );
  return counts;
}

import { neuronKernels } from '../kernels/neurons.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { activation } from './activation.ts';
import { expectStepsBack, layerShape } from './layer-shapes.ts';
import { expectAllSteps } from './segment-states.ts';
import type { LayerOptions } from './neuron-layer.ts';
import { columnSumInto } from './row-sums.ts';
import { expectShape } from './shapes.ts';

/** The two trained numbers of each neuron, `[width]`. */
export interface EvoLifParameters {
  /** beta = sigmoid(a). */
  readonly a: Tensor;
  /** theta = softplus(b). */
  readonly b: Tensor;
}

/** Leaky integrate-and-fire neurons whose leak and threshold are trained, one of each per neuron. */
export function evoLif(
  graph: Graph,
  current: Tensor,
  { a, b }: EvoLifParameters,
  options: LayerOptions,
): Tensor {
  const own = {
    beta: activation(graph, a, 'sigmoid'),
    threshold: activation(graph, b, 'softplus'),
  };
  return variedLif(graph, current, own, options);
}

/** Each neuron's own leak and threshold, `[width]`. */
interface LeakAndThreshold {
  readonly beta: Tensor;
  readonly threshold: Tensor;
}

/**
 * Leaky integrate-and-fire as in `lif`, with reset by subtraction, where beta and threshold are each
 * neuron's own: spikes `bits[T, rows, width]` from a current `[T or 1, rows, width]`.
 *
 *   u[t] = beta u[t-1] + I[t] - s[t-1] theta      s[t] = 1 if u[t] > theta else 0
 *
 * Gradients flow into the current, beta and threshold. The spike in the reset is a constant to them, the
 * threshold it takes away is not.
 */
export function variedLif(
  graph: Graph,
  current: Tensor,
  own: LeakAndThreshold,
  { steps, surrogate, checkpoints }: LayerOptions,
): Tensor {
  expectAllSteps(graph, 'variedLif');
  const { rows, width, currentSteps } = layerShape('variedLif', current, steps);
  expectShape('variedLif beta', own.beta, [width]);
  expectShape('variedLif threshold', own.threshold, [width]);
  const attributes = { steps, rows, width, currentSteps };
  const spikes = graph.scratch('spikes', 'bits', [steps, rows, width]);
  graph.call(neuronKernels.evo_lif_forward, { current, spikes, ...own }, attributes);
  graph.differentiable({
    inputs: [current, own.beta, own.threshold],
    output: spikes,
    backward(gradient, gradients) {
      expectStepsBack('variedLif', steps, checkpoints);
      const currentGradient = graph.scratch('gradient of current', 'f32', current.shape);
      const betaGradient = graph.scratch('gradient of beta by row', 'f32', [rows, width]);
      const thresholdGradient = graph.scratch('gradient of threshold by row', 'f32', [rows, width]);
      graph.call(
        neuronKernels.evo_lif_backward,
        { current, gradient, currentGradient, ...own, betaGradient, thresholdGradient },
        { ...attributes, surrogate, checkpoints: checkpoints === 'sqrt' },
      );
      columnSumInto(gradients, graph, own.beta, betaGradient);
      columnSumInto(gradients, graph, own.threshold, thresholdGradient);
      gradients.give(current, currentGradient);
    },
  });
  return spikes;
}

/** The membranes that `evoLif` passes through, `[T, rows, width]`, kept after the play for plots. */
export function evoLifMembrane(
  graph: Graph,
  name: string,
  current: Tensor,
  { a, b, steps }: EvoLifParameters & Pick<LayerOptions, 'steps'>,
): Tensor {
  const { rows, width, currentSteps } = layerShape('evoLifMembrane', current, steps);
  const own = {
    beta: activation(graph, a, 'sigmoid'),
    threshold: activation(graph, b, 'softplus'),
  };
  const membrane = graph.local(name, 'f32', [steps, rows, width]);
  const attributes = { steps, rows, width, currentSteps };
  graph.call(neuronKernels.evo_lif_membrane, { current, membrane, ...own }, attributes);
  return membrane;
}

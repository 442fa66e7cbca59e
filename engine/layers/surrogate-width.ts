import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { optimizerKernels } from '../kernels/optimizers.ts';
import { parseNeuron } from '../neurons/equations.ts';
import type { LifOptions } from '../ops/lif.ts';
import { recurrentNeuron } from '../ops/recurrent-neuron.ts';

/** Neurons with a surrogate of another width than 1, which the kernels of LIF do not have. */
export interface Widened extends LifOptions {
  readonly surrogateWidth: number;
}

/**
 * A current in units of a surrogate's width, whose gradient is that of the current itself: where the threshold is in
 * these units, too, neurons without a product between their steps fire as before, and the slope is that of `x / width`.
 * The equations of `neuron` would do the same, and are a fifth of a small program.
 */
export function inWidths(graph: Graph, current: Tensor, width: number): Tensor {
  if (width === 1) return current;
  const target = graph.scratch('current in widths', 'f32', current.shape);
  const factor = graph.constant(`1 / ${width}`, [1], Float32Array.of(1 / width));
  graph.call(
    optimizerKernels.multiply,
    { source: current, factor, target },
    { count: wordCount(current) },
  );
  graph.differentiable({
    inputs: [current],
    output: target,
    backward: (gradient, gradients) => gradients.give(current, gradient),
  });
  return target;
}

/** As `recurrentLif`, by the equations of its neurons. */
export function wideRecurrentLif(
  graph: Graph,
  current: Tensor,
  weight: Tensor,
  neurons: Widened & { readonly bias?: Tensor },
): Tensor {
  const { beta, threshold } = neurons;
  const neuron = parseNeuron(`state u = 0, s = 0
    u = ${beta} * u + I - detach(s) * ${threshold}
    s = spike(u - ${threshold})`);
  return recurrentNeuron(graph, current, { neuron, learned: {}, weight }, neurons);
}

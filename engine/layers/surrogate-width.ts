import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { parseNeuron } from '../neurons/equations.ts';
import { formula } from '../ops/formula.ts';
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
  // The difference is zero: it has the gradient, and the quotient has none.
  return formula(graph, `detach(current * ${1 / width}) + (current - detach(current))`, {
    current,
  });
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

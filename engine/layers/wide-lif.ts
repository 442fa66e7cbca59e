import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import type { WrittenNeuron } from '../kernels/written-neuron.ts';
import { parseNeuron } from '../neurons/equations.ts';
import { equationNeuron } from '../ops/equation-neuron.ts';
import type { LifOptions } from '../ops/lif.ts';
import { recurrentNeuron } from '../ops/recurrent-neuron.ts';

/** The neurons of `lif`, with a surrogate of another width, which their own kernels do not have. */
export interface WideLif extends LifOptions {
  readonly surrogateWidth: number;
}

/** As `lif`, by the equations of its neurons. */
export function wideLif(graph: Graph, current: Tensor, neurons: WideLif): Tensor {
  return equationNeuron(graph, current, { neuron: writtenLif(neurons), learned: {} }, neurons);
}

/** As `recurrentLif`, likewise. */
export function wideRecurrentLif(
  graph: Graph,
  current: Tensor,
  weight: Tensor,
  neurons: WideLif & { readonly bias?: Tensor },
): Tensor {
  const own = { neuron: writtenLif(neurons), learned: {}, weight };
  return recurrentNeuron(graph, current, own, neurons);
}

function writtenLif({ beta, threshold, reset }: LifOptions): WrittenNeuron {
  const kept = reset === 'zero' ? '(s > 0 ? 0 : u)' : 'u';
  const taken = reset === 'zero' ? '' : ` - detach(s) * ${threshold}`;
  return parseNeuron(`state u = 0, s = 0
    u = ${beta} * ${kept} + I${taken}
    s = spike(u - ${threshold})`);
}

import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { leakyMembrane } from '../../ops/leaky.ts';
import { lif } from '../../ops/lif.ts';
import { linear, spikeLinear } from '../../ops/linear.ts';
import type { SpikeWatch } from '../classification/classifier.ts';
import type { SpikingMlpStructure } from './structure.ts';

/**
 * Membranes of the output neurons, `[T, rows, classes]`, for inputs `[1, rows, inputs]` that are a
 * constant current in every time step. The first product is therefore taken once.
 */
export function outputMembranes(
  graph: Graph,
  structure: SpikingMlpStructure,
  inputs: Tensor,
  watch?: SpikeWatch,
): Tensor {
  const current = linear(graph, inputs, graph.parameter('hidden.weight'), {
    bias: graph.parameter('hidden.bias'),
  });
  const spikes = lif(graph, current, structure);
  watch?.('hidden', spikes);
  const output = spikeLinear(graph, spikes, graph.parameter('output.weight'), {
    bias: graph.parameter('output.bias'),
  });
  return leakyMembrane(graph, output, structure);
}

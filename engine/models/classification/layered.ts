import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { type Network, outputsOf } from '../../layers/network.ts';
import type { SpikeWatch } from './classifier.ts';

interface Recorded {
  readonly graph: Graph;
  readonly watch: SpikeWatch | undefined;
}

/** The forward pass of a family that is a network of layers: parameters are those of the graph, by their names. */
export function recordNetwork(
  network: Network,
  { graph, watch }: Recorded,
  input: Tensor,
): { readonly membranes: () => Tensor; readonly numbers: () => Tensor } {
  const outputs = outputsOf(
    network,
    {
      graph,
      isTraining: true,
      ...(watch && { watch: ({ name, spikes }) => watch(name, spikes) }),
    },
    input,
  );
  const given = (tensor: Tensor | undefined): Tensor => {
    if (tensor) return tensor;
    throw new TypeError(`${outputs.name} is no end of a family's network`);
  };
  return { membranes: () => given(outputs.membranes), numbers: () => given(outputs.values) };
}

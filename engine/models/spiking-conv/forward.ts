import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { conv2d } from '../../ops/conv2d.ts';
import { lif } from '../../ops/lif.ts';
import { linear, spikeLinear } from '../../ops/linear.ts';
import { layerNorm } from '../../ops/norm.ts';
import { averagePool2d } from '../../ops/pool2d.ts';
import { meanSteps } from '../../ops/readout.ts';
import { type PlacedBlock, placeBlocks, type SpikingConvStructure, windowOf } from './structure.ts';

/**
 * Logits `[1, rows, classes]`: the mean current of the output neurons over the time steps, for images
 * `[1, rows, channels * height * width]` that are a constant current in every step. The first
 * convolution is therefore taken once.
 */
export function meanCurrents(
  graph: Graph,
  structure: SpikingConvStructure,
  inputs: Tensor,
): Tensor {
  const { steps, neuron } = structure;
  const features = placeBlocks(structure).reduce(
    (signal, placed) => convBlock(graph, structure, placed, signal),
    inputs,
  );
  const spikes = lif(graph, dense(graph, features, 'hidden'), { ...neuron, steps });
  return meanSteps(graph, dense(graph, spikes, 'output'));
}

/** What a block makes of its input: packed spikes, or their means over windows. */
function convBlock(
  graph: Graph,
  { steps, neuron, norm }: SpikingConvStructure,
  { name, block, input, fired }: PlacedBlock,
  signal: Tensor,
): Tensor {
  const parameter = (part: string) => graph.parameter(`${name}.${part}`);
  const filtered = conv2d(graph, signal, parameter('weight'), {
    image: input,
    ...windowOf(block),
    bias: parameter('bias'),
  });
  const current =
    norm === 'layer'
      ? layerNorm(graph, filtered, parameter('gain'), parameter('offset'))
      : filtered;
  const spikes = lif(graph, current, { ...neuron, steps });
  return block.pool > 1
    ? averagePool2d(graph, spikes, { image: fired, kernel: block.pool })
    : spikes;
}

/** A linear layer of numbers or of spikes. */
function dense(graph: Graph, input: Tensor, name: string): Tensor {
  const product = input.dtype === 'bits' ? spikeLinear : linear;
  return product(graph, input, graph.parameter(`${name}.weight`), {
    bias: graph.parameter(`${name}.bias`),
  });
}

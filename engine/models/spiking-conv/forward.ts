import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { conv2d } from '../../ops/conv2d.ts';
import { lif } from '../../ops/lif.ts';
import { linear, spikeLinear } from '../../ops/linear.ts';
import { layerNorm } from '../../ops/norm.ts';
import { averagePool2d } from '../../ops/pool2d.ts';
import { meanSteps } from '../../ops/readout.ts';
import type { SpikeWatch } from '../classification/classifier.ts';
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
  watch?: SpikeWatch,
): Tensor {
  const { steps, neuron } = structure;
  const features = placeBlocks(structure).reduce((signal, placed) => {
    const spikes = firedBy(graph, structure, placed, signal);
    watch?.(placed.name, spikes);
    return pooled(graph, placed, spikes);
  }, inputs);
  const spikes = lif(graph, dense(graph, features, 'hidden'), { ...neuron, steps });
  watch?.('hidden', spikes);
  return meanSteps(graph, dense(graph, spikes, 'output'));
}

/** The spikes of a block's neurons, packed. */
function firedBy(
  graph: Graph,
  { steps, neuron, norm }: SpikingConvStructure,
  { name, block, input }: PlacedBlock,
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
  return lif(graph, current, { ...neuron, steps });
}

/** What a block hands on: its packed spikes, or their means over windows. */
function pooled(graph: Graph, { block, fired }: PlacedBlock, spikes: Tensor): Tensor {
  if (block.pool === 1) return spikes;
  return averagePool2d(graph, spikes, { image: fired, kernel: block.pool });
}

/** A linear layer of numbers or of spikes. */
function dense(graph: Graph, input: Tensor, name: string): Tensor {
  const product = input.dtype === 'bits' ? spikeLinear : linear;
  return product(graph, input, graph.parameter(`${name}.weight`), {
    bias: graph.parameter(`${name}.bias`),
  });
}

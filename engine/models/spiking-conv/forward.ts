import type { Graph } from '../../graph/graph.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { conv2d } from '../../ops/conv2d.ts';
import { lif } from '../../ops/lif.ts';
import { linear, spikeLinear } from '../../ops/linear.ts';
import { layerNorm } from '../../ops/norm.ts';
import { averagePool2d } from '../../ops/pool2d.ts';
import { meanSteps } from '../../ops/readout.ts';
import type { Image } from '../../ops/window.ts';
import { type ConvBlock, imagesOfBlocks, type SpikingConvStructure } from './structure.ts';

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
  const images = imagesOfBlocks(structure);
  const features = structure.blocks.reduce((signal, block, i) => {
    const name = `blocks.${i}`;
    return convBlock(graph, structure, {
      name,
      block,
      signal,
      image: images[i] ?? structure.image,
    });
  }, inputs);
  const spikes = lif(graph, dense(graph, features, 'hidden'), { ...neuron, steps });
  return meanSteps(graph, dense(graph, spikes, 'output'));
}

interface PlacedBlock {
  /** In front of the names of its parameters. */
  readonly name: string;
  readonly block: ConvBlock;
  readonly signal: Tensor;
  /** What a row of the signal stands for. */
  readonly image: Image;
}

function convBlock(
  graph: Graph,
  { steps, neuron, norm }: SpikingConvStructure,
  { name, block, signal, image }: PlacedBlock,
): Tensor {
  const { channels, pool, pooled } = block;
  const filtered = conv2d(graph, signal, graph.parameter(`${name}.weight`), {
    image,
    padding: 'same',
    bias: graph.parameter(`${name}.bias`),
  });
  const window = { image: { ...image, channels }, kernel: pool };
  const pooling = (of: 'current' | 'spikes', tensor: Tensor) =>
    pool > 1 && pooled === of ? averagePool2d(graph, tensor, window) : tensor;
  const current = pooling('current', filtered);
  const normed =
    norm === 'layer'
      ? layerNorm(
          graph,
          current,
          graph.parameter(`${name}.gain`),
          graph.parameter(`${name}.offset`),
        )
      : current;
  return pooling('spikes', lif(graph, normed, { ...neuron, steps }));
}

/** A linear layer of numbers or of spikes. */
function dense(graph: Graph, input: Tensor, name: string): Tensor {
  const product = input.dtype === 'bits' ? spikeLinear : linear;
  return product(graph, input, graph.parameter(`${name}.weight`), {
    bias: graph.parameter(`${name}.bias`),
  });
}

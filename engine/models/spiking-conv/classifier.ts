import { layOutParameters } from '../../graph/parameters.ts';
import { flatten, linear } from '../../layers/dense.ts';
import { averagePool, conv2d } from '../../layers/images.ts';
import type { Layer } from '../../layers/layer.ts';
import { lif } from '../../layers/lif.ts';
import { type Network, sequential } from '../../layers/network.ts';
import { layerNorm } from '../../layers/shaping.ts';
import { keep } from '../../ops/keep.ts';
import { meanSteps } from '../../ops/readout.ts';
import type { Image } from '../../ops/window.ts';
import type { Classifier } from '../classification/classifier.ts';
import { recordNetwork } from '../classification/layered.ts';
import {
  evenFanOut,
  type OperationsPerExample,
  sumOf,
} from '../classification/operation-counts.ts';
import {
  checkStructure,
  placeBlocks,
  type PlacedBlock,
  spikingConvParameters,
  type SpikingConvStructure,
  windowOf,
} from './structure.ts';

/**
 * The spiking convolutional classifier: it learns from the mean currents of its output neurons, and the
 * largest is its answer. Throws EngineError `invalid-structure`.
 */
export function spikingConv(structure: SpikingConvStructure): Classifier<SpikingConvStructure> {
  checkStructure(structure);
  const { channels, height, width } = structure.image;
  const network = networkOf(structure);
  return {
    structure,
    layout: layOutParameters(spikingConvParameters(structure)),
    inputs: channels * height * width,
    classes: structure.classes,
    logits: (graph, images, watch) =>
      meanSteps(graph, recordNetwork(network, { graph, watch }, images).numbers()),
    scores: (graph, currents) => keep(graph, 'mean currents', currents),
  };
}

/** An image is a constant current in every step: the first convolution is therefore taken once. */
function networkOf(structure: SpikingConvStructure): Network {
  const { image, hidden, classes, steps } = structure;
  const layers = [
    ...placeBlocks(structure).flatMap((placed) => blockLayers(structure, placed)),
    flatten(),
    linear(hidden, { name: 'hidden' }),
    lif({ ...neuronsOf(structure), name: 'hidden' }),
    linear(classes, { name: 'output' }),
  ];
  return sequential(layers, { input: [image.channels, image.height, image.width], steps });
}

/** A block gives packed spikes, or their means over windows. */
function blockLayers(structure: SpikingConvStructure, { name, block }: PlacedBlock): Layer[] {
  const { channels, kernel, pool } = block;
  return [
    conv2d(channels, kernel, { ...windowOf(block), name }),
    ...(structure.norm === 'layer' ? [layerNorm({ name })] : []),
    lif({ ...neuronsOf(structure), name }),
    ...(pool === 1 ? [] : [averagePool(pool, { name })]),
  ];
}

function neuronsOf({ neuron: { beta, threshold, surrogate, reset } }: SpikingConvStructure) {
  return { beta, threshold, surrogate, ...(reset && { reset }) };
}

/** Products of layer norm with one feature: its square, and its gain. */
const NORM_PRODUCTS = 2;

/**
 * The first convolution and its norm are taken once, as an image is a constant current; later norms in every
 * time step, and products with the rates behind a pooling, too. Taps that lie in the padding cost nothing,
 * here and in the dense network.
 */
export function convOperations(structure: SpikingConvStructure): OperationsPerExample {
  const { steps, hidden, classes, norm } = structure;
  const blocks = placeBlocks(structure);
  const lastPooled = blocks.at(-1)?.pooled ?? structure.image;
  /** Fan-out of each input of a layer of weights, by layer. */
  const weights = [...blocks.map(tapsOf), evenFanOut(featuresOf(lastPooled), hidden)];
  const normed = norm === 'layer' ? blocks.map(({ fired }) => featuresOf(fired)) : [];
  const isPooled = blocks.map(({ block }) => block.pool > 1);
  const layers = blocks.map(({ name, fired }, i) => ({
    name,
    // Behind a pooling are numbers: a spike adds to its mean alone.
    fanOut: isPooled[i] ? evenFanOut(featuresOf(fired), 1) : (weights[i + 1] ?? evenFanOut(0, 0)),
  }));
  const macs = weights.map(sumOf);
  const readout = hidden * classes;
  const neurons = sumOf(layers.map(({ fanOut }) => fanOut.length)) + hidden;
  return {
    steps,
    frames: 1,
    layers: [...layers, { name: 'hidden', fanOut: evenFanOut(hidden, classes) }],
    products:
      (macs[0] ?? 0) +
      steps * sumOf(macs.slice(1).filter((_, i) => isPooled[i])) +
      NORM_PRODUCTS * sumOf(normed.map((features, i) => (i === 0 ? features : steps * features))),
    updates: steps * neurons,
    denseMacs: sumOf(macs) + readout + NORM_PRODUCTS * sumOf(normed),
  };
}

/** Windows that each number of a block's input lies in, over all channels of its output. */
function tapsOf({ block, input, fired }: PlacedBlock): Float64Array {
  const window = { kernel: block.kernel, ...windowOf(block) };
  const down = windowsOver(input.height, fired.height, window);
  const across = windowsOver(input.width, fired.width, window);
  const plane = down.flatMap((rows) => across.map((columns) => rows * columns * block.channels));
  return Float64Array.from({ length: featuresOf(input) }, (_, i) => plane[i % plane.length] ?? 0);
}

/** How many windows each place of an axis lies in. */
function windowsOver(
  size: number,
  outputs: number,
  { kernel, stride, padding }: Readonly<Record<'kernel' | 'stride' | 'padding', number>>,
): number[] {
  const counts = Array.from({ length: size }, () => 0);
  for (let output = 0; output < outputs; output++) {
    const first = output * stride - padding;
    for (let place = Math.max(0, first); place < Math.min(size, first + kernel); place++) {
      counts[place] = (counts[place] ?? 0) + 1;
    }
  }
  return counts;
}

function featuresOf({ channels, height, width }: Image): number {
  return channels * height * width;
}

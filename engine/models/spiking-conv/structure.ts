import { structureChecks } from '../structure-checks.ts';
import type { ParameterSpec } from '../../graph/parameters.ts';
import { conv2dImage } from '../../ops/conv2d.ts';
import type { LifOptions } from '../../ops/lif.ts';
import { pool2dImage } from '../../ops/pool2d.ts';
import type { Image } from '../../ops/window.ts';

/** A convolution, neurons, and pooling of what they fire. */
interface ConvBlock {
  /** Channels of the output. */
  readonly channels: number;
  /** Side of the kernel; `(kernel - 1) / 2` zeros, rounded down, lie around the image. */
  readonly kernel: number;
  /**
   * Positions from one window to the next. A stride stands in for pooling of the current, which is linear,
   * too, and costs more; what follows is then fed by spikes.
   */
  readonly stride: number;
  /** Side of the windows over which spikes are averaged; 1 for none. What follows is then fed by rates. */
  readonly pool: number;
}

/** Shape and dynamics of a spiking convolutional classifier. */
export interface SpikingConvStructure {
  readonly image: Image;
  readonly blocks: readonly ConvBlock[];
  /** Neurons of the hidden linear layer behind the blocks. */
  readonly hidden: number;
  readonly classes: number;
  /** Time steps T for which an image is shown. */
  readonly steps: number;
  /** Normalisation of the current of a block: none, or layer norm over its features. */
  readonly norm: 'none' | 'layer';
  /** Of every layer; `beta` 1 is integrate-and-fire. */
  readonly neuron: Omit<LifOptions, 'steps'>;
}

/** For Fashion-MNIST in minutes on two cores; docs/design/vision.md says what it was chosen from. */
export const fashionStructure: SpikingConvStructure = {
  image: { channels: 1, height: 28, width: 28 },
  blocks: [
    { channels: 32, kernel: 5, stride: 2, pool: 1 },
    { channels: 64, kernel: 3, stride: 2, pool: 1 },
  ],
  hidden: 256,
  classes: 10,
  steps: 4,
  norm: 'layer',
  neuron: { beta: 0.5, threshold: 1, surrogate: 'atan' },
};

const checks = structureChecks('spiking_conv');

/** Limits of a structure: tracing a larger one would not end in reasonable time. */
const LIMITS = {
  channels: 1 << 12,
  height: 1 << 16,
  width: 1 << 16,
  kernel: 1 << 8,
  stride: 1 << 8,
  pool: 1 << 8,
  hidden: 1 << 16,
  classes: 1 << 16,
  time_steps: 1 << 10,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkStructure(structure: SpikingConvStructure): void {
  const { image, blocks, hidden, classes, steps, neuron } = structure;
  checks.counts(image, LIMITS, 'image.');
  if (blocks.length === 0) checks.refuse('there are no blocks: expected at least one');
  for (const [i, { channels, kernel, stride, pool }] of blocks.entries()) {
    checks.counts({ channels, kernel, stride, pool }, LIMITS, `blocks.${i}.`);
  }
  checks.counts({ hidden, classes, time_steps: steps }, LIMITS);
  checks.neuron(neuron);
}

/** A block in its network. */
export interface PlacedBlock {
  /** In front of the names of its parameters. */
  readonly name: string;
  readonly block: ConvBlock;
  /** The image in front of it. */
  readonly input: Image;
  /** Of its neurons. */
  readonly fired: Image;
  /** Behind the pooling. */
  readonly pooled: Image;
}

/** The blocks with their images. Throws EngineError where a kernel or a window is larger than its image. */
export function placeBlocks({ image, blocks }: SpikingConvStructure): PlacedBlock[] {
  let input = image;
  return blocks.map((block, i) => {
    const { channels, kernel, pool } = block;
    const weight = { shape: [channels, input.channels, kernel, kernel] };
    const fired = conv2dImage(weight, { image: input, ...windowOf(block) });
    const pooled = pool2dImage({ image: fired, kernel: pool });
    const placed = { name: `blocks.${i}`, block, input, fired, pooled };
    input = pooled;
    return placed;
  });
}

/** Stride and padding of a block's convolution. */
export function windowOf({ kernel, stride }: ConvBlock) {
  return { stride, padding: (kernel - 1) >> 1 };
}

/**
 * The parameters of the family in a fixed order: for each block a weight `[outputs, channels, kernel,
 * kernel]`, a bias, and gain and offset of the norm; then the linear layers, weights `[inputs, outputs]`.
 */
export function spikingConvParameters(structure: SpikingConvStructure): ParameterSpec[] {
  const { image, hidden, classes, norm } = structure;
  const blocks = placeBlocks(structure);
  const specs = blocks.flatMap(({ name, block: { channels, kernel }, input, fired }) => {
    const inputs = input.channels * kernel ** 2;
    const shape = [channels, input.channels, kernel, kernel];
    return [
      ...layer(name, { shape, inputs, outputs: channels }),
      ...(norm === 'layer' ? normOf(name, featuresOf(fired)) : []),
    ];
  });
  const features = featuresOf(blocks.at(-1)?.pooled ?? image);
  return [
    ...specs,
    ...layer('hidden', { shape: [features, hidden], inputs: features, outputs: hidden }),
    ...layer('output', { shape: [hidden, classes], inputs: hidden, outputs: classes }),
  ];
}

interface Layer {
  readonly shape: readonly number[];
  readonly inputs: number;
  readonly outputs: number;
}

/** Weights that start uniform as He et al. 2015 have it, so that deep layers fire, too; biases at 0. */
function layer(name: string, { shape, inputs, outputs }: Layer): ParameterSpec[] {
  const bound = Math.sqrt(6 / inputs);
  return [
    { name: `${name}.weight`, shape, initial: { kind: 'uniform', bound }, decayed: true },
    {
      name: `${name}.bias`,
      shape: [outputs],
      initial: { kind: 'constant', value: 0 },
      decayed: false,
    },
  ];
}

function normOf(name: string, features: number): ParameterSpec[] {
  const shape = [features];
  return [
    { name: `${name}.gain`, shape, initial: { kind: 'constant', value: 1 }, decayed: false },
    { name: `${name}.offset`, shape, initial: { kind: 'constant', value: 0 }, decayed: false },
  ];
}

function featuresOf({ channels, height, width }: Image): number {
  return channels * height * width;
}

import { EngineError } from '../../errors.ts';
import type { LifOptions } from '../../ops/lif.ts';
import { pool2dImage } from '../../ops/pool2d.ts';
import type { Image } from '../../ops/window.ts';

/** A convolution that keeps the size of its image, neurons, and pooling. */
export interface ConvBlock {
  /** Channels of the output. */
  readonly channels: number;
  /** Side of the kernel. */
  readonly kernel: number;
  /** Side of the windows whose mean is taken; 1 for none. */
  readonly pool: number;
  /**
   * What is pooled: the `current` before the neurons, so that the next layer is fed by spikes and there
   * are fewer neurons; or their `spikes`, so that it is fed by their rates.
   */
  readonly pooled: 'current' | 'spikes';
}

/** What makes one spiking convolutional classifier differ from another in shape or dynamics. */
export interface SpikingConvStructure {
  readonly image: Image;
  readonly blocks: readonly ConvBlock[];
  /** Neurons of the hidden linear layer behind the blocks. */
  readonly hidden: number;
  readonly classes: number;
  /** Time steps T for which an image is shown. */
  readonly steps: number;
  /** What the current of a block passes before its neurons: nothing, or layer norm over its features. */
  readonly norm: 'none' | 'layer';
  /** Of every layer; `beta` 1 is integrate-and-fire. */
  readonly neuron: Omit<LifOptions, 'steps'>;
}

/** For Fashion-MNIST: what learned most in ten minutes of two cores, see docs/design/neurons.md. */
export const fashionStructure: SpikingConvStructure = {
  image: { channels: 1, height: 28, width: 28 },
  blocks: [
    { channels: 32, kernel: 3, pool: 2, pooled: 'current' },
    { channels: 64, kernel: 3, pool: 2, pooled: 'current' },
  ],
  hidden: 256,
  classes: 10,
  steps: 4,
  norm: 'layer',
  neuron: { beta: 0.5, threshold: 1, surrogate: 'atan' },
};

/** What is beyond these is a slip of the finger: tracing it would take for ever. */
const LARGEST = {
  channels: 1 << 12,
  height: 1 << 16,
  width: 1 << 16,
  kernel: 1 << 8,
  pool: 1 << 16,
  hidden: 1 << 16,
  classes: 1 << 16,
  time_steps: 1 << 10,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkStructure(structure: SpikingConvStructure): void {
  const { image, blocks, hidden, classes, steps, neuron } = structure;
  expectCounts('image.', image);
  if (blocks.length === 0) refuse('there are no blocks: expected at least one');
  let side = Math.min(image.height, image.width);
  for (const [i, { channels, kernel, pool }] of blocks.entries()) {
    expectCounts(`blocks.${i}.`, { channels, kernel, pool });
    if (pool > side) {
      refuse(
        `blocks.${i}.pool is ${pool}: expected at most ${side}, the smaller side of the image in front of it`,
      );
    }
    side = Math.floor(side / pool);
  }
  expectCounts('', { hidden, classes, time_steps: steps });
  const { beta, threshold } = neuron;
  if (!(beta >= 0 && beta <= 1)) refuse(`beta is ${beta}: expected a number from 0 to 1`);
  if (!(threshold > 0)) refuse(`threshold is ${threshold}: expected a positive number`);
}

/** The image in front of every block, and the one behind the last. */
export function imagesOfBlocks({ image, blocks }: SpikingConvStructure): Image[] {
  const images = [image];
  let { height, width } = image;
  for (const { channels, pool } of blocks) {
    const behind = pool2dImage({ image: { channels, height, width }, kernel: pool });
    ({ height, width } = behind);
    images.push(behind);
  }
  return images;
}

function expectCounts(
  path: string,
  counts: Readonly<Partial<Record<keyof typeof LARGEST, number>>>,
): void {
  for (const [name, value] of Object.entries(counts)) {
    const most = LARGEST[name as keyof typeof LARGEST];
    if (Number.isInteger(value) && value >= 1 && value <= most) continue;
    refuse(`${path}${name} is ${value}: expected a whole number from 1 to ${most}`);
  }
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `spiking_conv: ${message}`);
}

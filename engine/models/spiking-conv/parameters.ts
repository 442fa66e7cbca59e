import type { ParameterSpec } from '../../graph/parameters.ts';
import { imagesOfBlocks, type SpikingConvStructure } from './structure.ts';

/**
 * The parameters of the family in a fixed order: for each block a weight `[outputs, channels, kernel,
 * kernel]`, a bias, and gain and offset of the norm; then the linear layers, weights `[inputs, outputs]`.
 */
export function spikingConvParameters(structure: SpikingConvStructure): ParameterSpec[] {
  const { blocks, hidden, classes, norm } = structure;
  const images = imagesOfBlocks(structure);
  const specs = blocks.flatMap(({ channels, kernel, pool, pooled }, i) => {
    const inputs = (images[i]?.channels ?? 0) * kernel ** 2;
    // The mean of a window varies less than what it is of.
    const gain = pooled === 'current' ? pool : 1;
    const shape = [channels, inputs / kernel ** 2, kernel, kernel];
    const { height = 0, width = 0 } = images[pooled === 'current' ? i + 1 : i] ?? {};
    return [
      ...layer(`blocks.${i}`, { shape, inputs, outputs: channels, gain }),
      ...(norm === 'layer' ? normOf(`blocks.${i}`, channels * height * width) : []),
    ];
  });
  const { channels, height, width } = images.at(-1) ?? structure.image;
  const features = channels * height * width;
  return [
    ...specs,
    ...layer('hidden', { shape: [features, hidden], inputs: features, outputs: hidden, gain: 1 }),
    ...layer('output', { shape: [hidden, classes], inputs: hidden, outputs: classes, gain: 1 }),
  ];
}

interface Layer {
  readonly shape: readonly number[];
  readonly inputs: number;
  readonly outputs: number;
  readonly gain: number;
}

/** Weights that start uniform as He et al. 2015 have it, so that deep layers fire, too; biases at 0. */
function layer(name: string, { shape, inputs, outputs, gain }: Layer): ParameterSpec[] {
  const bound = gain * Math.sqrt(6 / inputs);
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

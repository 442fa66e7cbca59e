import type { ParameterSpec } from '../../graph/parameters.ts';
import type { Image } from '../../ops/window.ts';
import { placeBlocks, type SpikingConvStructure } from './structure.ts';

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

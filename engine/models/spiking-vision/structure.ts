import type { Image } from '../../ops/window.ts';
import { fashionStructure, type SpikingConvStructure } from '../spiking-conv/structure.ts';
import type { SpikingMlpStructure } from '../spiking-mlp/structure.ts';

/** A spiking classifier of pictures: one of two kinds of network. */
export type VisionStructure =
  | { readonly variant: 'conv'; readonly network: SpikingConvStructure }
  | { readonly variant: 'mlp'; readonly network: SpikingMlpStructure };

/** What a structure is made from. */
export interface VisionShape {
  /** `conv_plain` has no layer norm. */
  readonly variant: VisionStructure['variant'] | 'conv_plain';
  readonly image: Image;
  readonly classes: number;
  readonly steps: number;
}

/** Neurons of the MLP's hidden layer. */
const MLP_NEURONS = 512;

export function visionStructure({ variant, image, classes, steps }: VisionShape): VisionStructure {
  if (variant !== 'mlp') {
    const norm = variant === 'conv' ? 'layer' : 'none';
    return { variant: 'conv', network: { ...fashionStructure, norm, image, classes, steps } };
  }
  const { channels, height, width } = image;
  const inputs = channels * height * width;
  const neuron = { beta: 0.95, threshold: 1, surrogate: 'atan' } as const;
  return { variant, network: { inputs, hidden: MLP_NEURONS, classes, steps, ...neuron } };
}

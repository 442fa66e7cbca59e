import type { Image } from '../../ops/window.ts';
import { keep } from '../../ops/keep.ts';
import { meanSteps } from '../../ops/readout.ts';
import type { ClassWork } from '../class-work.ts';
import type { Classifier } from '../classifier.ts';
import { spikingConv } from '../spiking-conv/classifier.ts';
import { fashionStructure, type SpikingConvStructure } from '../spiking-conv/structure.ts';
import { convWork } from '../spiking-conv/work.ts';
import { spikingMlp } from '../spiking-mlp/classifier.ts';
import type { SpikingMlpStructure } from '../spiking-mlp/structure.ts';
import { mlpWork } from '../spiking-mlp/work.ts';

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

/** The network of a structure. Throws EngineError `invalid-structure`. */
export function visionClassifier(structure: VisionStructure): Classifier<unknown> {
  if (structure.variant === 'conv') return spikingConv(structure.network);
  return {
    ...spikingMlp(structure.network),
    // Counts of spikes would often be equal: there are few time steps.
    scores: (graph, membranes) => keep(graph, 'mean membranes', meanSteps(graph, membranes)),
  };
}

/** What the network of a structure does for one picture. */
export function visionWork(structure: VisionStructure): ClassWork {
  return structure.variant === 'conv' ? convWork(structure.network) : mlpWork(structure.network);
}

import { keep } from '../../ops/keep.ts';
import { meanSteps } from '../../ops/readout.ts';
import type { Classifier } from '../classification/classifier.ts';
import type { OperationsPerExample } from '../classification/operation-counts.ts';
import { convOperations, spikingConv } from '../spiking-conv/classifier.ts';
import { mlpOperations, spikingMlp } from '../spiking-mlp/classifier.ts';
import type { VisionStructure } from './family.ts';

/** The network of a structure. Throws EngineError `invalid-structure`. */
export function visionClassifier(structure: VisionStructure): Classifier<unknown> {
  if (structure.variant === 'conv') return spikingConv(structure.network);
  return {
    ...spikingMlp(structure.network),
    // Counts of spikes would often be equal: there are few time steps.
    scores: (graph, membranes) => keep(graph, 'mean membranes', meanSteps(graph, membranes)),
  };
}

/** Operations of the network of a structure per image. */
export function visionOperations(structure: VisionStructure): OperationsPerExample {
  return structure.variant === 'conv'
    ? convOperations(structure.network)
    : mlpOperations(structure.network);
}

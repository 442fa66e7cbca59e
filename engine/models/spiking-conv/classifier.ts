import { layOutParameters } from '../../graph/parameters.ts';
import { keep } from '../../ops/keep.ts';
import type { Classifier } from '../classification/classifier.ts';
import { meanCurrents } from './forward.ts';
import { spikingConvParameters } from './parameters.ts';
import { checkStructure, type SpikingConvStructure } from './structure.ts';

/**
 * The spiking convolutional classifier: it learns from the mean currents of its output neurons, and the
 * largest is its answer. Throws EngineError `invalid-structure`.
 */
export function spikingConv(structure: SpikingConvStructure): Classifier<SpikingConvStructure> {
  checkStructure(structure);
  const { channels, height, width } = structure.image;
  return {
    structure,
    layout: layOutParameters(spikingConvParameters(structure)),
    inputs: channels * height * width,
    classes: structure.classes,
    logits: (graph, images, watch) => meanCurrents(graph, structure, images, watch),
    scores: (graph, currents) => keep(graph, 'mean currents', currents),
  };
}

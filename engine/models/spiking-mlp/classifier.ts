import { layOutParameters } from '../../graph/parameters.ts';
import { countFirings } from '../../ops/leaky.ts';
import type { Classifier } from '../classification/classifier.ts';
import { outputMembranes } from './forward.ts';
import { spikingMlpParameters } from './parameters.ts';
import { checkStructure, type SpikingMlpStructure } from './structure.ts';

/**
 * The spiking classifier with one hidden layer: it learns from the output membranes of every time step
 * and answers with the output neuron that fires most. Throws EngineError `invalid-structure`.
 */
export function spikingMlp(structure: SpikingMlpStructure): Classifier<SpikingMlpStructure> {
  checkStructure(structure);
  const { inputs, classes, threshold } = structure;
  return {
    structure,
    layout: layOutParameters(spikingMlpParameters(structure)),
    inputs,
    classes,
    logits: (graph, images, watch) => outputMembranes(graph, structure, images, watch),
    scores: (graph, membranes) => countFirings(graph, 'output spikes', membranes, threshold),
  };
}

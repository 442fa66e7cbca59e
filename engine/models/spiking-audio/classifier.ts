import { layOutParameters } from '../../graph/parameters.ts';
import { keep } from '../../ops/keep.ts';
import type { Classifier } from '../classification/classifier.ts';
import { meanCurrents } from './forward.ts';
import { spikingAudioParameters } from './parameters.ts';
import { checkStructure, type SpikingAudioStructure } from './structure.ts';

/**
 * The spiking classifier of sounds: it learns from the mean currents of its output neurons, and the
 * largest is its answer. Throws EngineError `invalid-structure`.
 */
export function spikingAudio(structure: SpikingAudioStructure): Classifier<SpikingAudioStructure> {
  checkStructure(structure);
  const { frames, features, classes } = structure;
  return {
    structure,
    layout: layOutParameters(spikingAudioParameters(structure)),
    frames,
    inputs: features,
    classes,
    logits: (graph, sounds, watch) => meanCurrents(graph, structure, sounds, watch),
    scores: (graph, currents) => keep(graph, 'mean currents', currents),
  };
}

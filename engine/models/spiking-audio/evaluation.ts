import { settingsOf } from '../../checkpoint/training-state.ts';
import { extractAudioFeatures } from '../../functional/audio-features.ts';
import { audioExamples } from '../../data/audio/audio-examples.ts';
import type { OpenEvaluation } from '../../evaluation/evaluator.ts';
import { openExampleEvaluation, partsOf } from '../classification/example-evaluation.ts';
import { modelOf } from '../stored-model.ts';
import { audioOperations, spikingAudio } from './classifier.ts';
import { audioFrontFromSpec, audioMelFromSpec, audioStructureFromSpec } from './family.ts';
import { training } from './training.ts';

/**
 * Judges a model by recordings of a data set, or by the tones that it was trained with where they were made
 * up. Throws as `openAudio`.
 */
export const openEvaluation: OpenEvaluation = async (sources) => {
  const { backend, stored, data, choice, signal } = sources;
  const { spec, values, execution } = modelOf(stored, 'spiking_audio');
  const settings = settingsOf(execution, spec.architecture);
  const sounds = await training.openData(data, settings, signal && { signal });
  const recordings = partsOf(choice.split, sounds).flat();
  const heard = await extractAudioFeatures(backend, recordings, audioMelFromSpec(spec));
  signal?.throwIfAborted();
  const structure = audioStructureFromSpec(spec);
  return openExampleEvaluation(
    backend,
    {
      classifier: spikingAudio(structure),
      values,
      work: audioOperations(structure),
      classNames: spec.core.class_names,
      unit: 'sound',
    },
    {
      examples: audioExamples(heard, recordings, audioFrontFromSpec(spec)),
      classNames: sounds.classNames,
      data: {
        name: sounds.name,
        sha256: sounds.digest,
        split: choice.split,
        length: sounds.learned.length + sounds.validation.length,
      },
    },
  );
};

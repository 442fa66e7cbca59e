import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { normaliseLoudness } from '../../functional/audio-features.ts';
import { audioExamples } from '../../data/audio/audio-examples.ts';
import { openMelFrontEnd } from '../../functional/mel-front-end.ts';
import { openClassScorer } from '../classification/class-scorer.ts';
import { type ClassModel, predictionOf } from '../classification/prediction.ts';
import type { FamilyReading } from '../family.ts';
import { modelOf } from '../stored-model.ts';
import { audioOperations, spikingAudio } from './classifier.ts';
import {
  audioFrontFromSpec,
  audioMelFromSpec,
  type AudioSpec,
  audioStructureFromSpec,
  expectSound,
} from './family.ts';

/** Loads a model that tells one sound at a time. */
async function openSoundModel(
  backend: Backend,
  { spec, values }: StoredModel<AudioSpec>,
): Promise<ClassModel> {
  const structure = audioStructureFromSpec(spec);
  const mel = audioMelFromSpec(spec);
  const front = audioFrontFromSpec(spec);
  const listener = await openMelFrontEnd(backend, mel);
  const scorer = await openClassScorer(backend, {
    classifier: spikingAudio(structure),
    values,
    sizes: [1],
    work: audioOperations(structure),
  });
  const { frames, features: width } = structure;
  return {
    async answer(media) {
      const features = await listener.extract(normaliseLoudness(expectSound(media), mel));
      const heard = { count: 1, values: features, frames, features: spec.mfcc_features };
      const inputs = new Float32Array(frames * width);
      audioExamples(heard, [{ label: 0 }], front).write(0, { inputs, rows: 1, row: 0 });
      return predictionOf(scorer, inputs);
    },
    close() {
      listener.close();
      scorer.close();
    },
  };
}

export const reading: FamilyReading = {
  openClasses: (backend, stored) => openSoundModel(backend, modelOf(stored, 'spiking_audio')),
};

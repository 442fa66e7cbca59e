import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { normaliseLoudness } from '../../functional/audio-features.ts';
import { audioExamples } from '../../data/audio/audio-examples.ts';
import type { AudioClip } from '../../data/audio/wav.ts';
import { EngineError } from '../../errors.ts';
import { openMelFrontEnd } from '../../functional/mel-front-end.ts';
import { answerOf, type ClassModel, type Media } from '../class-answer.ts';
import { openClassScorer } from '../class-scorer.ts';
import { spikingAudio } from './classifier.ts';
import {
  audioFrontFromSpec,
  audioMelFromSpec,
  type AudioSpec,
  audioStructureFromSpec,
} from './spec.ts';
import { audioWork } from './work.ts';

/** The sound that is to be told. Throws EngineError `signal-invalid` for a picture. */
export function expectSound(media: Media): AudioClip {
  if (media.kind === 'audio') return media.sound;
  throw new EngineError('signal-invalid', 'it is a picture: the model hears sounds');
}

/** Loads a model that tells one sound at a time. */
export async function openSoundModel(
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
    work: audioWork(structure),
  });
  const { frames, features: width } = structure;
  return {
    async answer(media) {
      const features = await listener.extract(normaliseLoudness(expectSound(media), mel));
      const heard = { count: 1, values: features, frames, features: spec.mfcc_features };
      const inputs = new Float32Array(frames * width);
      audioExamples(heard, [{ label: 0 }], front).write(0, { inputs, rows: 1, row: 0 });
      return answerOf(scorer, inputs);
    },
    close() {
      listener.close();
      scorer.close();
    },
  };
}

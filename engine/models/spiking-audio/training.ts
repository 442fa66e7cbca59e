import { type AudioData, openAudio } from '../../datasets/audio-data.ts';
import { extractAudioFeatures } from '../../functional/audio-features.ts';
import { audioExamples } from '../../data/audio/audio-examples.ts';
import { varySounds } from '../../data/audio/vary-sounds.ts';
import { unaltered } from '../../data/examples.ts';
import { startExampleRun } from '../classification/example-run.ts';
import { classifierPrograms } from '../classification/private-programs.ts';
import type { FamilyTraining } from '../family.ts';
import { modelOf } from '../stored-model.ts';
import { spikingAudio } from './classifier.ts';
import {
  audioFieldsOf,
  audioSpecOf,
  audioStructure,
  audioStructureFromSpec,
  frontOf,
  melOf,
} from './family.ts';

export const training: FamilyTraining<AudioData> = {
  openData: (files, settings, options) => {
    const { synthetic, output_neurons: classes } = audioFieldsOf(settings);
    return openAudio(files, { ...options, ...(synthetic && { tones: classes }) });
  },
  async createRun(options, { name, digest, length, classNames, learned, validation }) {
    const { backend, settings } = options;
    const fields = audioFieldsOf(settings);
    const mel = melOf(fields);
    const structure = audioStructure(fields);
    const heard = await extractAudioFeatures(backend, learned, mel);
    const front = frontOf(fields);
    const vary = fields.augmentation === 'varied' ? varySounds(heard, mel) : undefined;
    const noisy = audioExamples(heard, learned, front, vary);
    const unseen = await extractAudioFeatures(backend, validation, mel);
    return startExampleRun(options, {
      classifier: spikingAudio(structure),
      spec: audioSpecOf(structure, { mel, front, classNames, fields }),
      data: { name, sha256: digest, examples: length },
      learned: fields.augmentation === 'none' ? unaltered(noisy) : noisy,
      validation: audioExamples(unseen, validation, front),
      form: fields,
      privacyLevel: fields.privacy_level,
    });
  },
  stepPrograms(stored) {
    const { spec, execution } = modelOf(stored, 'spiking_audio');
    return classifierPrograms(spikingAudio(audioStructureFromSpec(spec)), execution);
  },
};

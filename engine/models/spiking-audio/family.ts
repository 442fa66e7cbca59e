import { type AudioData, openAudio } from '../../datasets/audio-data.ts';
import { hearRecordings } from '../../data/audio/audio-files.ts';
import { soundExamples } from '../../data/audio/audio-examples.ts';
import type { ModelFamily } from '../../families/family.ts';
import { startExampleRun } from '../../train/example-run.ts';
import { spikingAudio } from './classifier.ts';
import { frontOf, melOf } from './front.ts';
import { audioFieldsOf, audioPlan, audioStructure } from './plan.ts';
import { audioSpecOf } from './spec.ts';

export const audioFamily: ModelFamily<AudioData> = {
  ...audioPlan,
  openData: (files, settings, options) => {
    const { synthetic, output_neurons: classes } = audioFieldsOf(settings);
    return openAudio(files, { ...options, ...(synthetic && { tones: classes }) });
  },
  async createRun(options, { name, digest, length, classNames, learned, validation }) {
    const { backend, settings } = options;
    const fields = audioFieldsOf(settings);
    const mel = melOf(fields);
    const structure = audioStructure(fields);
    const heard = await hearRecordings(backend, learned, mel);
    const front = frontOf(fields);
    const unseen = await hearRecordings(backend, validation, mel);
    return startExampleRun(options, {
      classifier: spikingAudio(structure),
      spec: audioSpecOf(structure, { mel, front, classNames, fields }),
      data: { name, sha256: digest, examples: length },
      learned: soundExamples(heard, learned, front),
      validation: soundExamples(unseen, validation, front),
      form: fields,
      privacyLevel: fields.privacy_level,
    });
  },
};

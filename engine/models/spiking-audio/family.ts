import { type AudioData, openAudio } from '../../data/audio-data.ts';
import { hearRecordings } from '../../data/recordings.ts';
import { featureScale, soundExamples, type SoundFront } from '../../data/sound-examples.ts';
import { modelOf } from '../../checkpoint/checkpoint.ts';
import type { ModelFamily } from '../../families/family.ts';
import { startExampleRun } from '../../train/example-run.ts';
import { spikingAudio } from './classifier.ts';
import { melOf, PLACES } from './front.ts';
import { audioFieldsOf, audioPlan, audioStructure } from './plan.ts';
import { audioSpecOf, frontFromSpec } from './spec.ts';

export const audioFamily: ModelFamily<AudioData> = {
  ...audioPlan,
  openData: (files, settings, options) => {
    const { synthetic, output_neurons: classes } = audioFieldsOf(settings);
    return openAudio(files, { ...options, ...(synthetic && { tones: classes }) });
  },
  async createRun(options, { name, digest, length, classNames, learned, validation }) {
    const { backend, settings, resume } = options;
    const fields = audioFieldsOf(settings);
    const mel = melOf(fields);
    const structure = audioStructure(fields);
    const heard = await hearRecordings(backend, learned, mel);
    // Devices round features differently: a run that goes on hears as it did.
    const front: SoundFront = resume
      ? frontFromSpec(modelOf(resume, 'spiking_audio').spec)
      : { ...featureScale(heard), places: PLACES };
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

import { defineFamily } from '../family.ts';
import type { Sound } from '../../data/wav.ts';
import { EngineError } from '../../errors.ts';
import { classLabels, type Media } from '../classification/prediction.ts';
import { audioDescription } from './description.ts';
import { checkMelOptions } from '../../data/mel.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { privacyBuffers } from '../classification/kept-for-privacy.ts';
import { classifierMemory } from '../classification/sizes.ts';
import { type AudioFields, audioFields } from './description.ts';
import { frontOf, melOf } from './front.ts';
import { spikingAudioParameters } from './parameters.ts';
import { audioSizes } from './sizes.ts';
import { AudioSpec, audioStructureFromSpec } from './spec.ts';
import { checkStructure, type SpikingAudioStructure } from './structure.ts';

/** Recurrent neurons. */
const NEURONS = 512;

/** The fields of a run's settings. Throws EngineError `invalid-setting`. */
export function audioFieldsOf({ architecture, fields }: RunSettings): AudioFields {
  return readFields(architecture, audioFields, fields);
}

/** The structure that fields ask for. */
export function audioStructure(fields: AudioFields): SpikingAudioStructure {
  return {
    frames: fields.mfcc_seq_len,
    features: fields.mfcc_features + frontOf(fields).places,
    hidden: NEURONS,
    classes: fields.output_neurons,
    steps: fields.time_steps,
    beta: 0.5,
    threshold: 1,
    surrogate: 'atan',
  };
}

function check(settings: RunSettings): void {
  checkRun(settings);
  const fields = audioFieldsOf(settings);
  checkMelOptions(melOf(fields));
  checkStructure(audioStructure(fields));
}

/** Throws EngineError `signal-invalid` for an image. */
export function expectSound(media: Media): Sound {
  if (media.kind === 'audio') return media.sound;
  throw new EngineError('signal-invalid', 'it is an image: the model takes audio');
}

export const spikingAudio = defineFamily(audioDescription, {
  spec: AudioSpec,
  parameters(spec) {
    const structure = audioStructureFromSpec(spec);
    checkStructure(structure);
    return spikingAudioParameters(structure);
  },
  form: ({ core }) => core,
  trainingBuffers: ({ core }) => privacyBuffers(core.privacy_level),
  classes: {
    kind: 'audio',
    labels: ({ core, output_neurons: classes }) => classLabels(core.class_names, classes),
    check: (_, media) => {
      expectSound(media);
    },
  },
  assumedShape: {},
  check,
  plan(settings) {
    check(settings);
    const fields = audioFieldsOf(settings);
    const network = audioSizes(audioStructure(fields));
    return planMemory(classifierMemory(network, settings.batch, fields.privacy_level !== 'none'));
  },
});

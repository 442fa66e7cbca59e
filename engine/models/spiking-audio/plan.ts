import { checkMelOptions } from '../../data/audio/mel.ts';
import type { FamilyPlan } from '../../families/family.ts';
import { readFields } from '../../families/fields.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { checkRun, type RunSettings } from '../../train/run-settings.ts';
import { classifierMemory } from '../classifier-sizes.ts';
import { type AudioFields, audioFields } from './fields.ts';
import { frontOf, melOf } from './front.ts';
import { audioSizes } from './sizes.ts';
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

export const audioPlan: FamilyPlan = {
  assumedShape: {},
  check(settings) {
    checkRun(settings);
    const fields = audioFieldsOf(settings);
    checkMelOptions(melOf(fields));
    checkStructure(audioStructure(fields));
  },
  plan(settings) {
    audioPlan.check(settings);
    const fields = audioFieldsOf(settings);
    const network = audioSizes(audioStructure(fields));
    return planMemory(classifierMemory(network, settings.batch, fields.privacy_level !== 'none'));
  },
};

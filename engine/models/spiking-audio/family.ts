import * as z from 'zod/mini';
import { anySpec, count } from '../../checkpoint/spec-members.ts';
import { checkMelOptions, type MelOptions, mfccDefaults } from '../../data/audio/mel.ts';
import type { AudioScaling } from '../../data/audio/audio-examples.ts';
import type { AudioClip } from '../../data/audio/wav.ts';
import { EngineError } from '../../errors.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { PRIVACY_LEVELS } from '../../settings/stored-fields.ts';
import { privacyBuffers } from '../classification/kept-for-privacy.ts';
import { classLabels, type Media } from '../classification/prediction.ts';
import { classifierMemory } from '../classification/sizes.ts';
import { defineFamily } from '../family.ts';
import { audioDescription, type AudioFields, audioFields } from './description.ts';
import { audioSizes } from './sizes.ts';
import { checkStructure, spikingAudioParameters, type SpikingAudioStructure } from './structure.ts';

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
export function expectSound(media: Media): AudioClip {
  if (media.kind === 'audio') return media.sound;
  throw new EngineError('signal-invalid', 'it is an image: the model takes audio');
}

/** model_spec of spiking_audio. */
export const AudioSpec = z.object({
  ...anySpec,
  model_family: z.literal('AudioSNN'),
  architecture: z.literal('spiking_audio'),
  audio_category: z.literal('classification'),
  mfcc_features: count,
  mfcc_seq_len: count,
  output_neurons: count,
  time_steps: count,
  core: z.object({
    sample_rate_hz: count,
    frame_samples: count,
    mel_bands: count,
    lowest_hz: z.number(),
    highest_hz: z.number(),
    /** A feature x is normalised to (x - mean) factor. */
    feature_mean: z.array(z.number()),
    feature_factor: z.number(),
    places: z.int(),
    hidden: count,
    beta: z.number(),
    threshold: z.number(),
    surrogate: z.enum(['atan', 'fast_sigmoid', 'sigmoid', 'triangle']),
    class_names: z.array(z.string()),
    precision: z.enum(['f32', 'f16']),
    quantization: z.enum(['none', 'int8']),
    privacy_level: z.enum(PRIVACY_LEVELS),
    /** Weights are stored [inputs, outputs]. */
    linear_layout: z.literal('in_out'),
  }),
});
export type AudioSpec = z.infer<typeof AudioSpec>;

/** Members of a spec besides the network. */
interface AudioNames {
  readonly mel: MelOptions;
  readonly front: AudioScaling;
  readonly classNames: readonly string[];
  readonly fields: AudioFields;
}

export function audioSpecOf(
  structure: SpikingAudioStructure,
  { mel, front, classNames, fields }: AudioNames,
): AudioSpec {
  const { hidden, beta, threshold, surrogate } = structure;
  const { precision, quantization, privacy_level } = fields;
  return {
    model_spec_version: 1,
    model_family: 'AudioSNN',
    architecture: 'spiking_audio',
    audio_category: fields.audio_category,
    mfcc_features: fields.mfcc_features,
    mfcc_seq_len: fields.mfcc_seq_len,
    output_neurons: structure.classes,
    time_steps: structure.steps,
    core: {
      sample_rate_hz: mel.sampleRateHz,
      frame_samples: mel.frameSamples,
      mel_bands: mel.bands,
      lowest_hz: mel.lowestHz,
      highest_hz: mel.highestHz,
      feature_mean: [...front.mean],
      feature_factor: front.factor,
      places: front.places,
      hidden,
      beta,
      threshold,
      surrogate,
      class_names: [...classNames],
      precision,
      quantization,
      privacy_level,
      linear_layout: 'in_out',
    },
  };
}

export function audioStructureFromSpec(spec: AudioSpec): SpikingAudioStructure {
  const { places, hidden, beta, threshold, surrogate } = spec.core;
  return {
    frames: spec.mfcc_seq_len,
    features: spec.mfcc_features + places,
    hidden,
    classes: spec.output_neurons,
    steps: spec.time_steps,
    beta,
    threshold,
    surrogate,
  };
}

/** The features that a model of this spec reads. */
export function audioMelFromSpec({ mfcc_features, mfcc_seq_len, core }: AudioSpec): MelOptions {
  return {
    sampleRateHz: core.sample_rate_hz,
    frameSamples: core.frame_samples,
    hopSamples: 'spread',
    frames: mfcc_seq_len,
    bands: core.mel_bands,
    lowestHz: core.lowest_hz,
    highestHz: core.highest_hz,
    coefficients: mfcc_features,
  };
}

export function audioFrontFromSpec({ core }: AudioSpec): AudioScaling {
  return { mean: core.feature_mean, factor: core.feature_factor, places: core.places };
}

/** Below it a band says more about the microphone than about the sound. */
const LOWEST_HZ = 100;

/** The features that the fields ask for: MFCC of at least 40 bands from 100 Hz on. */
export function melOf({ mfcc_features, mfcc_seq_len }: AudioFields): MelOptions {
  return {
    ...mfccDefaults,
    frames: mfcc_seq_len,
    bands: Math.max(mfccDefaults.bands, mfcc_features),
    lowestHz: LOWEST_HZ,
    coefficients: mfcc_features,
  };
}

/** Numbers that say where in the sound a frame is. */
const PLACES = 12;

/**
 * The first coefficients of speech at the loudness of `extractAudioFeatures` over the root of the bands, and the
 * deviation of all of them: rounded from spoken digits. Constants, so that a model tells nothing of the
 * loudness and colour of the sounds it learned from.
 */
const TYPICAL_MEAN = [-8.5, 1.2, 0.6];
const TYPICAL_DEVIATION = 4;

/** The encoding of the features of `melOf` for the neurons. */
export function frontOf(fields: AudioFields): AudioScaling {
  const { bands } = melOf(fields);
  const mean = Array.from(
    { length: fields.mfcc_features },
    (_, i) => (TYPICAL_MEAN[i] ?? 0) * Math.sqrt(bands),
  );
  return { mean, factor: 1 / TYPICAL_DEVIATION, places: PLACES };
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

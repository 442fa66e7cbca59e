import * as z from 'zod/mini';
import { anySpec, count } from '../../checkpoint/spec-members.ts';
import type { MelOptions } from '../../data/mel.ts';
import type { SoundFront } from '../../data/sound-examples.ts';
import { PRIVACY_LEVELS } from '../../train/privacy/privacy-levels.ts';
import type { AudioFields } from './description.ts';
import type { SpikingAudioStructure } from './structure.ts';

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
    /** A feature x is heard as (x - mean) factor. */
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

/** What a spec says besides the network. */
export interface AudioNames {
  readonly mel: MelOptions;
  readonly front: SoundFront;
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

/** The features that a model of this spec hears. */
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

export function audioFrontFromSpec({ core }: AudioSpec): SoundFront {
  return { mean: core.feature_mean, factor: core.feature_factor, places: core.places };
}

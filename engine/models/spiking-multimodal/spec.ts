import * as z from 'zod/mini';
import { count, textSpec, type TokenizerReference } from '../../checkpoint/spec-members.ts';
import type { MultimodalStructure } from './structure.ts';

export const Image = z.object({
  width: count,
  height: count,
  channels: z.literal([1, 3]),
  patch: count,
});

export const Audio = z.object({
  sample_rate_hz: count,
  frame_samples: count,
  hop_samples: z.union([count, z.literal('spread')]),
  frames: count,
  bands: count,
  lowest_hz: z.number(),
  highest_hz: z.number(),
  coefficients: count,
});

/** model_spec of spiking_multimodal. */
export const MultimodalSpec = z.object({
  ...textSpec,
  model_family: z.literal('SpikingEvoMultiModalLM'),
  architecture: z.literal('spiking_multimodal'),
  d_model: count,
  n_heads: count,
  num_blocks: count,
  time_steps: count,
  neuron_type: z.literal('LIF'),
  core: z.object({
    beta: z.number(),
    threshold: z.number(),
    surrogate: z.enum(['atan', 'fast_sigmoid', 'sigmoid', 'triangle']),
    tau: z.array(z.number()),
    caption_seq_len: count,
    /** What captions stand behind: pictures in patches, MFCC frames of sounds, or both. */
    image: z.optional(Image),
    audio: z.optional(Audio),
    /** Weights are stored [inputs, outputs]. */
    linear_layout: z.literal('in_out'),
  }),
});
export type MultimodalSpec = z.infer<typeof MultimodalSpec>;

/** Describes a model for its files. */
export function multimodalSpecOf(
  { trunk, sequence, image, audio }: MultimodalStructure,
  tokenizer: TokenizerReference,
): MultimodalSpec {
  const { beta, threshold, surrogate, tau } = trunk;
  return {
    model_spec_version: 1,
    model_family: 'SpikingEvoMultiModalLM',
    architecture: 'spiking_multimodal',
    d_model: trunk.width,
    n_heads: trunk.heads,
    num_blocks: trunk.blocks,
    time_steps: trunk.steps,
    neuron_type: 'LIF',
    vocab_size: trunk.vocabulary,
    tokenizer,
    core: {
      beta,
      threshold,
      surrogate,
      tau: [...tau],
      caption_seq_len: sequence,
      ...(image && { image: imageMember(image) }),
      ...(audio && { audio: audioMember(audio) }),
      linear_layout: 'in_out',
    },
  };
}

export function multimodalStructureFrom(spec: MultimodalSpec): MultimodalStructure {
  const { beta, threshold, surrogate, tau, caption_seq_len: sequence, image, audio } = spec.core;
  return {
    trunk: {
      vocabulary: spec.vocab_size,
      width: spec.d_model,
      heads: spec.n_heads,
      blocks: spec.num_blocks,
      steps: spec.time_steps,
      neuron: spec.neuron_type,
      tau,
      beta,
      threshold,
      surrogate,
    },
    sequence,
    ...(image && { image }),
    ...(audio && { audio: melOptionsOf(audio) }),
  };
}

export function imageMember(
  image: NonNullable<MultimodalStructure['image']>,
): z.infer<typeof Image> {
  const { width, height, channels, patch } = image;
  return { width, height, channels, patch };
}

export function audioMember(mel: NonNullable<MultimodalStructure['audio']>): z.infer<typeof Audio> {
  return {
    sample_rate_hz: mel.sampleRateHz,
    frame_samples: mel.frameSamples,
    hop_samples: mel.hopSamples,
    frames: mel.frames,
    bands: mel.bands,
    lowest_hz: mel.lowestHz,
    highest_hz: mel.highestHz,
    coefficients: mel.coefficients ?? mel.bands,
  };
}

export function melOptionsOf(
  audio: z.infer<typeof Audio>,
): NonNullable<MultimodalStructure['audio']> {
  return {
    sampleRateHz: audio.sample_rate_hz,
    frameSamples: audio.frame_samples,
    hopSamples: audio.hop_samples,
    frames: audio.frames,
    bands: audio.bands,
    lowestHz: audio.lowest_hz,
    highestHz: audio.highest_hz,
    coefficients: audio.coefficients,
  };
}

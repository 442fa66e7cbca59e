import * as z from 'zod/mini';
import type { DataShape } from '../../checkpoint/run-data.ts';
import { count, textSpec, type TokenizerReference } from '../../checkpoint/spec-members.ts';
import type { CaptionOptions } from '../../data/captions/captions.ts';
import { mfccDefaults } from '../../data/audio/mel.ts';
import { ngramBuffers } from '../../ngrams/stored.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { type ImageInput, prefixesOf, prefixTokens } from '../captioning/prefix.ts';
import { defaultNeuron } from '../dense-chronospike/structure.ts';
import { defineFamily } from '../family.ts';
import { multimodalDescription, type MultimodalFields, multimodalFields } from './description.ts';
import { multimodalMemory } from './sizes.ts';
import {
  checkMultimodal,
  multimodalParameters,
  type MultimodalStructure,
  multimodalTau,
} from './structure.ts';

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
    /** Prefix of the captions: images in patches, MFCC frames of sounds, or both. */
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
      ...(spec.ngrams && { ngramOrder: spec.ngrams.order }),
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

/** Images as the family sees them: sixteen patches. */
export const imageInput: ImageInput = { width: 32, height: 32, channels: 3, patch: 8 };

function fieldsOf({ architecture, fields }: RunSettings): MultimodalFields {
  return readFields(architecture, multimodalFields, fields);
}

/** How the data of a run is read. */
export function captionOptions(settings: RunSettings): CaptionOptions {
  return { captionKey: fieldsOf(settings).caption_key, picture: imageInput, sound: mfccDefaults };
}

/** The structure that settings ask for, over data of this shape: `vocabulary`, and 1 for `images`, `sounds` it has. */
export function multimodalStructure(
  settings: RunSettings,
  { vocabulary = 1, images = 0, sounds = 0 }: DataShape,
): MultimodalStructure {
  const { d_model: width, n_heads: heads, num_blocks: blocks, ...fields } = fieldsOf(settings);
  const { time_steps: steps, caption_seq_len: sequence, ngram_order: ngramOrder } = fields;
  const inputs = {
    ...(images > 0 && { image: imageInput }),
    ...(sounds > 0 && { audio: mfccDefaults }),
  };
  const size = { vocabulary, width, heads, blocks, steps };
  const trunk = { ...size, tau: [], ...defaultNeuron, ...(ngramOrder > 0 && { ngramOrder }) };
  const tokens = prefixTokens(prefixesOf(inputs)) + sequence;
  return { trunk: { ...trunk, tau: multimodalTau(heads, tokens) }, sequence, ...inputs };
}

/** Throws EngineError `invalid-setting` or `invalid-structure` naming the value and what was expected. */
export function checkMultimodalSettings(settings: RunSettings): void {
  checkRun(settings);
  checkMultimodal(multimodalStructure(settings, { vocabulary: 1, images: 1 }));
}

export const spikingMultimodal = defineFamily(multimodalDescription, {
  spec: MultimodalSpec,
  parameters(spec) {
    const structure = multimodalStructureFrom(spec);
    checkMultimodal(structure);
    return multimodalParameters(structure);
  },
  buffers: ngramBuffers,
  prefix: (spec) => ({ ...multimodalStructureFrom(spec), isRequired: true }),
  assumedShape: { vocabulary: 256, images: 1, sounds: 0 },
  check: checkMultimodalSettings,
  plan(settings, _controls, shape) {
    checkMultimodalSettings(settings);
    return planMemory(multimodalMemory(multimodalStructure(settings, shape), settings.batch));
  },
});

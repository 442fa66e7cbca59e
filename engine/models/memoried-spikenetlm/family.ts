import * as z from 'zod/mini';
import type { BufferSpec } from '../../checkpoint/parameters-file.ts';
import { count, textSpec, type TokenizerReference } from '../../checkpoint/spec-members.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { type Prefix, prefixesOf } from '../captioning/prefix.ts';
import { defineFamily } from '../family.ts';
import { backboneCore, backboneFrom, coreOfBackbone } from '../sparse-event-memory/family.ts';
import { sparseBuffers } from '../sparse-event-memory/structure.ts';
import {
  Audio,
  audioMember,
  Image,
  imageMember,
  melOptionsOf,
} from '../spiking-multimodal/family.ts';
import { memoriedDescription } from './description.ts';
import { memoriedMemory } from './sizes.ts';
import {
  backboneOf,
  checkStreamedStructure,
  memoriedParameters,
  memoriedSettings,
  type StreamedStructure,
} from './structure.ts';

/** Modalities that become codes: patches of images, frames of sounds. */
export type CodedModality = Prefix['modality'];

/** Shape of a model and its inputs, by which streams are coded. */
export type CodedInputs = Pick<StreamedStructure, 'image' | 'audio' | 'vocabularies'>;

/** The centroids as they lie in model.safetensors. */
function codebookSpecs(inputs: CodedInputs): BufferSpec[] {
  return prefixesOf(inputs).map(({ modality, features }) => ({
    name: centroidsName(modality),
    dtype: 'F32',
    shape: [inputs.vocabularies[modality], features],
  }));
}

export function centroidsName(modality: CodedModality): string {
  return `${modality}.centroids`;
}

/** How many codes there are, and the digest of the centroids that they stand for. */
const codes = { codes: count, codebook_sha256: z.string() } as const;

/** model_spec of memoried_spikenetlm; `vocab_size` is that of the text alone. */
export const MemoriedSpec = z.object({
  ...textSpec,
  model_family: z.literal('MemoriedSpikeNetLM'),
  architecture: z.literal('memoried_spikenetlm'),
  d_model: count,
  num_blocks: count,
  core: z.object({
    ...backboneCore,
    caption_seq_len: count,
    /** Inputs of the captions: images in patches, MFCC frames of sounds, or both, in codes. */
    image: z.optional(z.extend(Image, codes)),
    audio: z.optional(z.extend(Audio, codes)),
    /** Of the classes of the pooled head, in order; none where the data has none. */
    labels: z.array(z.string()),
    /** Weights are stored [inputs, outputs]. */
    linear_layout: z.literal('in_out'),
  }),
});
export type MemoriedSpec = z.infer<typeof MemoriedSpec>;

/** SHA-256 in hexadecimal of the centroids of each modality, little-endian. */
export type CodebookDigests = Readonly<Partial<Record<Prefix['modality'], string>>>;

/** Members of a spec besides the network. */
interface MemoriedNames {
  readonly tokenizer: TokenizerReference;
  readonly labels: readonly string[];
  readonly digests: CodebookDigests;
}

/** Describes a model for its files. */
export function memoriedSpecOf(
  structure: StreamedStructure,
  { tokenizer, labels, digests }: MemoriedNames,
): MemoriedSpec {
  const { vocabularies, image, audio, caption } = structure;
  const codesOf = (modality: 'image' | 'audio') => ({
    codes: vocabularies[modality],
    codebook_sha256: digests[modality] ?? '',
  });
  return {
    model_spec_version: 1,
    model_family: 'MemoriedSpikeNetLM',
    architecture: 'memoried_spikenetlm',
    d_model: structure.width,
    num_blocks: structure.blocks,
    vocab_size: vocabularies.text,
    tokenizer,
    core: {
      ...coreOfBackbone(structure),
      caption_seq_len: caption,
      ...(image && { image: { ...imageMember(image), ...codesOf('image') } }),
      ...(audio && { audio: { ...audioMember(audio), ...codesOf('audio') } }),
      labels: [...labels],
      linear_layout: 'in_out',
    },
  };
}

export function memoriedStructureFrom(spec: MemoriedSpec): StreamedStructure {
  const { image, audio, labels, caption_seq_len: caption } = spec.core;
  return {
    ...backboneFrom(spec),
    vocabularies: { text: spec.vocab_size, image: image?.codes ?? 1, audio: audio?.codes ?? 1 },
    classes: Math.max(1, labels.length),
    caption,
    ...(image && { image }),
    ...(audio && { audio: melOptionsOf(audio) }),
  };
}

export const memoriedSpikenetlm = defineFamily(memoriedDescription, {
  spec: MemoriedSpec,
  parameters(spec) {
    const structure = memoriedStructureFrom(spec);
    checkStreamedStructure(structure);
    return memoriedParameters(structure);
  },
  buffers(spec) {
    const structure = memoriedStructureFrom(spec);
    return [...sparseBuffers(backboneOf(structure)), ...codebookSpecs(structure)];
  },
  prefix: (spec) => ({ ...memoriedStructureFrom(spec), isRequired: false }),
  pooledLabels: ({ core: { labels } }) => (labels.length > 1 ? labels : []),
  assumedShape: { vocabulary: 256, images: 1, sounds: 0, classes: 1 },
  check: (settings) => {
    memoriedSettings(settings, { images: 1 });
  },
  plan: (settings, _controls, shape) =>
    planMemory(memoriedMemory(memoriedSettings(settings, shape), settings.batch)),
});

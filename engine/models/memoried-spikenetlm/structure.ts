import type { DataShape } from '../../checkpoint/run-data.ts';
import type { CaptionOptions } from '../../data/captions/captions.ts';
import { checkMelOptions, type MelOptions, mfccDefaults } from '../../data/audio/mel.ts';
import { EngineError } from '../../errors.ts';
import type { ParameterSpec } from '../../graph/parameters.ts';
import { expectWhole } from '../../ops/shapes.ts';
import { readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { checkPatches, type ImageInput, prefixesOf, prefixTokens } from '../captioning/prefix.ts';
import {
  backboneLearning,
  backboneStructure,
  checkSparseStructure,
  type SparseLearning,
  sparseParameters,
  type SparseStructure,
  STREAM_DEVIATION,
} from '../sparse-event-memory/structure.ts';
import { imageInput } from '../spiking-multimodal/family.ts';
import { type MemoriedFields, memoriedFields } from './description.ts';

/** Modalities of a token: text, or the code of an image or a sound. */
export const MODALITIES = ['text', 'image', 'audio'] as const;
export type Modality = (typeof MODALITIES)[number];

/** A sparse backbone that reads one stream of tokens of several modalities. */
export interface MemoriedStructure extends Omit<SparseStructure, 'vocabulary'> {
  /** Tokens of each modality; at least one of each. */
  readonly vocabularies: Readonly<Record<Modality, number>>;
  /** Classes of the pooled head. */
  readonly classes: number;
}

/** Shape of a memoried_spikenetlm model: the network and its streams. */
export interface StreamedStructure extends MemoriedStructure {
  /** Tokens of a caption, its end included; longer ones are cut. */
  readonly caption: number;
  /** Images in patches, a code for each. */
  readonly image?: ImageInput;
  /** Sounds in frames, a code for each. */
  readonly audio?: MelOptions;
}

/** Tokens that a stream can have behind its first. */
export function streamTokens(structure: StreamedStructure): number {
  return structure.caption + prefixTokens(prefixesOf(structure));
}

/** Throws EngineError `invalid-structure` as `checkMemoriedStructure`, and for inputs that cannot be. */
export function checkStreamedStructure(structure: StreamedStructure): void {
  const { caption, image, audio } = structure;
  checkMemoriedStructure(structure);
  expectWhole('memoried_spikenetlm', 'caption sequence length', caption, 2);
  if (image) checkPatches('memoried_spikenetlm', image);
  if (audio) checkMelOptions(audio);
}

/** The backbone: its vocabulary has the tokens of all modalities one behind the other. */
export function backboneOf(structure: MemoriedStructure): SparseStructure {
  const { vocabularies } = structure;
  const vocabulary = MODALITIES.reduce((sum, modality) => sum + vocabularies[modality], 0);
  return { ...structure, vocabulary };
}

/** Where the tokens of a modality lie in the vocabulary, and in the logits of its head. */
export function rangeOf(
  { vocabularies }: Pick<MemoriedStructure, 'vocabularies'>,
  modality: Modality,
): { readonly start: number; readonly end: number } {
  const before = MODALITIES.slice(0, MODALITIES.indexOf(modality));
  const start = before.reduce((sum, one) => sum + vocabularies[one], 0);
  return { start, end: start + vocabularies[modality] };
}

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkMemoriedStructure(structure: MemoriedStructure): void {
  const counts = { ...structure.vocabularies, classes: structure.classes };
  for (const [name, value] of Object.entries(counts)) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new EngineError(
      'invalid-structure',
      `memoried_spikenetlm: ${name} is ${value}: expected a whole number of at least 1`,
    );
  }
  checkSparseStructure(backboneOf(structure));
}

/** One token of a stream. */
export interface StreamToken {
  readonly modality: Modality;
  readonly id: number;
}

export interface PackedStream {
  /** Places in the whole vocabulary. */
  readonly ids: Uint32Array;
  readonly modalities: Uint32Array;
}

/** A stream as the programs read it. Throws EngineError `invalid-setting` for a token that its modality lacks. */
export function packStream(
  structure: Pick<MemoriedStructure, 'vocabularies'>,
  tokens: readonly StreamToken[],
): PackedStream {
  const ids = Uint32Array.from(tokens, ({ modality, id }) => {
    const { start, end } = rangeOf(structure, modality);
    if (Number.isInteger(id) && id >= 0 && start + id < end) return start + id;
    throw new EngineError(
      'invalid-setting',
      `memoried_spikenetlm: the ${modality} token is ${id}: expected one from 0 to ${end - start - 1}`,
    );
  });
  return {
    ids,
    modalities: Uint32Array.from(tokens, ({ modality }) => MODALITIES.indexOf(modality)),
  };
}

/** Those of the backbone, a vector for each modality, and the pooled head: 3 D + D C + C numbers more. */
export function memoriedParameters(structure: MemoriedStructure): ParameterSpec[] {
  const { width, rank, classes } = structure;
  // Features leave the backbone with sqrt(R) / (sigma D) to the unit, so that tied scores begin small.
  const toUnit = (STREAM_DEVIATION * width) / Math.sqrt(rank);
  return [
    ...sparseParameters(backboneOf(structure)),
    {
      name: 'modality.weight',
      shape: [MODALITIES.length, width],
      initial: { kind: 'normal', deviation: STREAM_DEVIATION },
      decayed: true,
    },
    {
      name: 'pooled.weight',
      shape: [width, classes],
      initial: { kind: 'normal', deviation: 0.1 * toUnit * width ** -0.5 },
      decayed: true,
    },
    {
      name: 'pooled.bias',
      shape: [classes],
      initial: { kind: 'constant', value: 0 },
      decayed: false,
    },
  ];
}

/** The settings of a run, parsed. */
export interface MemoriedSettings {
  readonly structure: StreamedStructure;
  readonly learning: SparseLearning;
}

export function memoriedFieldsOf({ architecture, fields }: RunSettings): MemoriedFields {
  return readFields(architecture, memoriedFields, fields);
}

/** How the data of a run is read. */
export function streamOptions(fields: MemoriedFields): CaptionOptions {
  return { captionKey: fields.caption_key, picture: patchedImage(fields), sound: mfccDefaults };
}

/**
 * The structure that settings describe, over data of this shape: `vocabulary` of its text, `classes`, and 1 for `images`,
 * `sounds` it has. Throws EngineError `invalid-setting` or `invalid-structure` naming the value and what was
 * expected.
 */
export function memoriedSettings(settings: RunSettings, shape: DataShape): MemoriedSettings {
  checkRun(settings);
  const fields = memoriedFieldsOf(settings);
  const { vocabulary: text = 1, images = 0, sounds = 0, classes = 1 } = shape;
  const structure: StreamedStructure = {
    ...backboneStructure(fields),
    vocabularies: {
      text,
      image: images > 0 ? fields.image_codes : 1,
      audio: sounds > 0 ? fields.audio_codes : 1,
    },
    classes,
    caption: fields.caption_seq_len,
    ...(images > 0 && { image: patchedImage(fields) }),
    ...(sounds > 0 && { audio: mfccDefaults }),
  };
  checkStreamedStructure(structure);
  return { structure, learning: backboneLearning(fields) };
}

function patchedImage({ image_patch: patch }: MemoriedFields): ImageInput {
  return { ...imageInput, patch };
}

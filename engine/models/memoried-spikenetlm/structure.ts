import { checkMelOptions, type MelOptions } from '../../data/mel.ts';
import { EngineError } from '../../errors.ts';
import { expectWhole } from '../../ops/shapes.ts';
import { checkSparseStructure, type SparseStructure } from '../sparse-event-memory/structure.ts';
import { checkPatches, type ImageInput, prefixesOf, prefixTokens } from '../captioning/prefix.ts';

/** What a token may be: a piece of text, or a code of a picture or a sound. */
export const MODALITIES = ['text', 'image', 'audio'] as const;
export type Modality = (typeof MODALITIES)[number];

/** A sparse backbone that reads one stream of tokens of several modalities. */
export interface MemoriedStructure extends Omit<SparseStructure, 'vocabulary'> {
  /** Tokens of each modality; at least one of each. */
  readonly vocabularies: Readonly<Record<Modality, number>>;
  /** Classes of the pooled head. */
  readonly classes: number;
}

/** What makes one memoried_spikenetlm model differ from another: the network, and what its streams are of. */
export interface StreamedStructure extends MemoriedStructure {
  /** Tokens of a caption, its end included; longer ones are cut. */
  readonly caption: number;
  /** Pictures in patches, a code for each. */
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

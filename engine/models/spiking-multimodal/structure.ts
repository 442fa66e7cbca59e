import { checkMelOptions, featuresOf, type MelOptions } from '../../data/audio/mel.ts';
import { checkImageShape, type ImageShape } from '../../data/images/resize-image.ts';
import { EngineError } from '../../errors.ts';
import { expectWhole } from '../../ops/shapes.ts';
import {
  checkStructure,
  type ChronospikeStructure,
  geometricTau,
} from '../dense-chronospike/structure.ts';

/** Pictures in squares of `patch` pixels a side. */
export interface ImageInput extends ImageShape {
  readonly patch: number;
}

/** What makes one spiking_multimodal model differ from another in shape or dynamics. */
export interface MultimodalStructure {
  /** The blocks that read prefix and caption. */
  readonly trunk: ChronospikeStructure;
  /** Tokens of a caption, its end included. */
  readonly sequence: number;
  readonly image?: ImageInput;
  readonly audio?: MelOptions;
}

/** Tokens that stand in front of the caption, one for each patch or frame. */
export interface Prefix {
  readonly modality: 'image' | 'audio';
  readonly tokens: number;
  /** Numbers of one patch or frame. */
  readonly features: number;
}

/** The prefixes in the order of their tokens: the image in front of the sound. */
export function prefixesOf({
  image,
  audio,
}: Pick<MultimodalStructure, 'image' | 'audio'>): Prefix[] {
  return [
    ...(image ? [{ modality: 'image', ...patchGrid(image) } as const] : []),
    ...(audio
      ? [{ modality: 'audio', tokens: audio.frames, features: featuresOf(audio) } as const]
      : []),
  ];
}

function patchGrid({ width, height, channels, patch }: ImageInput) {
  return { tokens: (width / patch) * (height / patch), features: channels * patch * patch };
}

/** Tokens of all prefixes together. */
export function prefixTokens(prefixes: readonly Prefix[]): number {
  return prefixes.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The reach of the slowest head, in lengths of a whole sequence: the end of a caption still sees the prefix. */
const REACH = 4;

/** Time constants of the heads, geometric from 2 tokens to well beyond the sequence. */
export function multimodalTau(heads: number, tokens: number): number[] {
  return geometricTau(heads, REACH * tokens);
}

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkMultimodal({ trunk, sequence, image, audio }: MultimodalStructure): void {
  checkStructure(trunk);
  expectWhole('spiking_multimodal', 'caption sequence length', sequence, 1);
  if (!image && !audio) refuse('there is no prefix: expected an image, a sound or both');
  if (audio) checkMelOptions(audio);
  if (image) checkPatches('spiking_multimodal', image);
}

/** Throws EngineError `invalid-structure` where pictures do not split into whole patches. */
export function checkPatches(owner: string, image: ImageInput): void {
  checkImageShape(image);
  const { width, height, patch } = image;
  expectWhole(owner, 'patch', patch, 1);
  if (width % patch === 0 && height % patch === 0) return;
  throw new EngineError(
    'invalid-structure',
    `${owner}: pictures of ${width} x ${height} do not split into patches of ${patch} x ${patch}`,
  );
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `spiking_multimodal: ${message}`);
}

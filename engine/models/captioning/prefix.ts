import { featuresOf, type MelOptions } from '../../data/audio/mel.ts';
import { checkImageShape, type ImageShape } from '../../data/images/resize-image.ts';
import type { DecodedImage } from '../../data/images/png.ts';
import type { AudioClip } from '../../data/audio/wav.ts';
import { EngineError } from '../../errors.ts';
import { expectWhole } from '../../ops/shapes.ts';

/** Images in squares of `patch` pixels a side. */
export interface ImageInput extends ImageShape {
  readonly patch: number;
}

/** The inputs that stand in front of a text, by modality. */
export interface PrefixSources {
  readonly image?: ImageInput;
  readonly audio?: MelOptions;
}

/** The inputs that a model reads in front of a text, and whether a text needs them. */
export interface PrefixInputShape extends PrefixSources {
  readonly isRequired: boolean;
}

/** A image and a sound as files have them. */
export interface PrefixMedia {
  readonly picture?: DecodedImage;
  readonly sound?: AudioClip;
}

/** The same as a model takes them: the patches of the image and the frames of the sound, `[tokens][features]`. */
export interface PrefixInputs {
  readonly image?: Float32Array;
  readonly audio?: Float32Array;
}

/** Tokens that stand in front of the caption, one for each patch or frame. */
export interface Prefix {
  readonly modality: 'image' | 'audio';
  readonly tokens: number;
  /** Numbers of one patch or frame. */
  readonly features: number;
}

/** The prefixes in the order of their tokens: the image in front of the sound. */
export function prefixesOf({ image, audio }: PrefixSources): Prefix[] {
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

/** Throws EngineError `invalid-structure` where images do not split into whole patches. */
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

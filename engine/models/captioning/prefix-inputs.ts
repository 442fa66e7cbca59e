import type { ImageInput, PrefixInputs, PrefixMedia } from './prefix.ts';
import { patchesOf } from '../../data/images/patches.ts';
import { audioFeatures } from '../../data/captions/caption-media.ts';
import { resizeImage } from '../../data/images/resize-image.ts';
import type { DecodedImage } from '../../data/images/png.ts';
import type { ModelSpec } from '../../checkpoint/checkpoint.ts';
import { familyOf, type KnownSpec } from '../families.ts';
import { EngineError } from '../../errors.ts';

/** The spec of a model that writes text behind images and sounds. */
export type PrefixedSpec = Extract<
  KnownSpec,
  { readonly core: { readonly caption_seq_len: number } }
>;

export function isPrefixedSpec(spec: ModelSpec): spec is PrefixedSpec {
  return familyOf(spec.architecture).prefix !== undefined;
}

/**
 * The inputs in front of a text. Throws EngineError `invalid-setting` for an image or a sound that the model
 * was trained without, and for one that a caption needs and that is missing.
 */
export function prefixInputsOf(spec: PrefixedSpec, media: PrefixMedia): PrefixInputs {
  const shape = familyOf(spec.architecture).prefix?.(spec);
  const { image, audio, isRequired: isNeeded = false } = shape ?? {};
  expectInput('image', image !== undefined, { media: media.picture, isNeeded });
  expectInput('sound', audio !== undefined, { media: media.sound, isNeeded });
  return {
    ...(image && media.picture && { image: patchNumbers(media.picture, image) }),
    ...(audio && media.sound && { audio: Float32Array.from(audioFeatures(media.sound, audio)) }),
  };
}

function patchNumbers(picture: DecodedImage, image: ImageInput): Float32Array {
  const patches = new Float32Array(image.channels * image.width * image.height);
  patchesOf(resizeImage(picture, image), image, patches);
  return patches;
}

function expectInput(
  what: string,
  isLearned: boolean,
  { media, isNeeded }: { readonly media: object | undefined; readonly isNeeded: boolean },
): void {
  if (media && !isLearned) {
    refuse(`a ${what} was given: the model learned captions without one`);
  }
  if (!media && isLearned && isNeeded) {
    refuse(`there is no ${what}: the model learned captions behind one, expected it`);
  }
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}

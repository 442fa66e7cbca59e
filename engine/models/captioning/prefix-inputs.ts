import type { ImageInput, PrefixInputs, PrefixMedia } from './prefix.ts';
import { patchesOf } from '../../data/captions/patches.ts';
import { soundFeatures } from '../../data/captions/sounds.ts';
import { resizePicture } from '../../data/picture-size.ts';
import type { Picture } from '../../data/png.ts';
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
    ...(audio && media.sound && { audio: Float32Array.from(soundFeatures(media.sound, audio)) }),
  };
}

function patchNumbers(picture: Picture, image: ImageInput): Float32Array {
  const patches = new Float32Array(image.channels * image.width * image.height);
  patchesOf(resizePicture(picture, image), image, patches);
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

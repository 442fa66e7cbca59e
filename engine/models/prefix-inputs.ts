import { patchesOf } from '../data/images/patches.ts';
import { audioFeatures } from '../data/captions/caption-media.ts';
import { resizeImage } from '../data/images/resize-image.ts';
import type { DecodedImage } from '../data/images/png.ts';
import type { AudioClip } from '../data/audio/wav.ts';
import type { ModelSpec, SpecOf } from '../checkpoint/model-spec.ts';
import { EngineError } from '../errors.ts';
import { memoriedStructureFrom } from './memoried-spikenet/spec.ts';
import { multimodalStructureFrom } from './spiking-multimodal/spec.ts';
import type { MultimodalStructure } from './spiking-multimodal/structure.ts';

/** The spec of a model that writes text behind pictures and sounds. */
export type PrefixedSpec = SpecOf<'spiking_multimodal'> | SpecOf<'memoried_spikenetlm'>;

/** A picture and a sound as files have them. */
export interface PrefixMedia {
  readonly picture?: DecodedImage;
  readonly sound?: AudioClip;
}

/** The same as a model takes them: the patches of the picture and the frames of the sound, `[tokens][features]`. */
export interface PrefixInputs {
  readonly image?: Float32Array;
  readonly audio?: Float32Array;
}

export function isPrefixedSpec(spec: ModelSpec): spec is PrefixedSpec {
  return spec.architecture === 'spiking_multimodal' || spec.architecture === 'memoried_spikenetlm';
}

/**
 * What stands in front of a text. Throws EngineError `invalid-setting` for a picture or a sound that the model
 * was trained without, and for one that a caption needs and that is missing; a memoried model needs none.
 */
export function prefixInputsOf(spec: PrefixedSpec, media: PrefixMedia): PrefixInputs {
  const isCaptioner = spec.architecture === 'spiking_multimodal';
  const structure = isCaptioner ? multimodalStructureFrom(spec) : memoriedStructureFrom(spec);
  const { image, audio } = structure;
  expectInput('picture', image !== undefined, { media: media.picture, isNeeded: isCaptioner });
  expectInput('sound', audio !== undefined, { media: media.sound, isNeeded: isCaptioner });
  return {
    ...(image && media.picture && { image: patchNumbers(media.picture, image) }),
    ...(audio && media.sound && { audio: Float32Array.from(audioFeatures(media.sound, audio)) }),
  };
}

function patchNumbers(
  picture: DecodedImage,
  image: NonNullable<MultimodalStructure['image']>,
): Float32Array {
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

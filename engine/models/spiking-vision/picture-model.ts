import type { Backend } from '../../graph/backend.ts';
import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { resizeImage } from '../../data/images/resize-image.ts';
import { shapeOf } from '../../data/images/image-sets.ts';
import type { DecodedImage } from '../../data/images/png.ts';
import { EngineError } from '../../errors.ts';
import { answerOf, type ClassModel, type Media } from '../class-answer.ts';
import { openClassScorer } from '../class-scorer.ts';
import { type VisionSpec, visionStructureFromSpec } from './spec.ts';
import { visionClassifier, visionWork } from './structure.ts';

const BRIGHTEST = 255;

/**
 * The picture that is to be told. Throws EngineError `images-invalid` for a sound, and for a picture of another
 * size than the model sees.
 */
export function expectPicture({ core: { image } }: VisionSpec, media: Media): DecodedImage {
  if (media.kind !== 'image') {
    throw new EngineError('images-invalid', 'it is a sound: the model sees pictures');
  }
  const { picture } = media;
  if (picture.width === image.width && picture.height === image.height) return picture;
  throw new EngineError(
    'images-invalid',
    `the picture has ${picture.width} x ${picture.height} pixels: the model sees ${image.width} x ${image.height}`,
  );
}

/** Loads a model that tells one picture at a time. */
export async function openPictureModel(
  backend: Backend,
  { spec, values }: StoredModel<VisionSpec>,
): Promise<ClassModel> {
  const structure = visionStructureFromSpec(spec);
  const shape = shapeOf(spec.core.image);
  const scorer = await openClassScorer(backend, {
    classifier: visionClassifier(structure),
    values,
    sizes: [1],
    work: visionWork(structure),
  });
  return {
    async answer(media) {
      const pixels = resizeImage(expectPicture(spec, media), shape);
      return answerOf(
        scorer,
        Float32Array.from(pixels, (pixel) => pixel / BRIGHTEST),
      );
    },
    close: () => scorer.close(),
  };
}

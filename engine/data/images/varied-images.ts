import type { Augmentation } from '../augmentations.ts';
import { type Examples, unaltered } from '../examples.ts';
import { eraseImage, flipImage, shiftImage } from './augment-image.ts';
import { imageExamples } from './image-examples.ts';
import type { LabelledImages } from './labelled-images.ts';
import { mirroredClasses } from './mirrored-classes.ts';
import type { ImageSize } from './resize-image.ts';
import { transformImages } from './transform-images.ts';

const MAX_SHIFT = 2;

interface VariationOptions {
  readonly augmentation: Augmentation;
  /** Whether the network is to tell nothing of single images: then none of them decides how they are varied. */
  readonly isPrivate?: boolean;
}

/** Images to learn from; without an alteration, as in validation, they are as they are. */
export function variedImages(
  set: LabelledImages,
  image: ImageSize,
  { augmentation, isPrivate = false }: VariationOptions,
): Examples {
  const shifted = imageExamples(set, image);
  if (augmentation === 'plain') return shifted;
  if (augmentation === 'none') return unaltered(shifted);
  const steps = [shiftImage(MAX_SHIFT), eraseImage()];
  const varied = transformImages(shifted, image, steps);
  if (isPrivate) return varied;
  const mirrored = transformImages(shifted, image, [flipImage(), ...steps]);
  const symmetric = mirroredClasses(set, image);
  return {
    ...varied,
    write(example, to, alteration) {
      const one = symmetric[set.labels[example] ?? 0] ? mirrored : varied;
      one.write(example, to, alteration);
    },
  };
}

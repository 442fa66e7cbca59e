import type { Examples } from '../examples.ts';
import type { LabelledImages } from './labelled-images.ts';
import type { ImageSize } from './resize-image.ts';

/** Pixels by which augmentation shifts an image at most, in each direction. */
const MAX_SHIFT = 2;
const BRIGHTEST = 255;

/** Images `[channels][height][width]` as examples, 0 to 1. Augmentation shifts them and fills with black. */
export function imageExamples(
  set: LabelledImages,
  { channels, height, width }: ImageSize,
): Examples {
  const { count, classes, images, labels, pixels } = set;
  return {
    count,
    classes,
    frames: 1,
    width: pixels,
    label: (example) => labels[example] ?? 0,
    write(example, { inputs, row }, alteration) {
      const [across, down] = [shiftOf(alteration?.[0]), shiftOf(alteration?.[1])];
      const from = example * pixels;
      let to = row * pixels;
      for (let line = 0; line < channels * height; line++) {
        const y = (line % height) - down;
        const start = from + (line - down) * width - across;
        for (let column = 0; column < width; column++, to++) {
          const x = column - across;
          const isInside = y >= 0 && y < height && x >= 0 && x < width;
          inputs[to] = isInside ? (images[start + column] ?? 0) / BRIGHTEST : 0;
        }
      }
    },
  };
}

function shiftOf(word: number | undefined): number {
  return word === undefined ? 0 : (word % (2 * MAX_SHIFT + 1)) - MAX_SHIFT;
}

import type { LabelledImages } from './labelled-images.ts';
import type { ImageSize } from './resize-image.ts';

/** Largest distance of a mean image from its mirror image, in deviations of the images of the class. */
const MAX_DIFFERENCE = 0.25;
/** Images of a class that its mean is taken of, at most. */
const ENOUGH = 500;

/**
 * The classes whose mean image is nearly its own mirror image, left to right: a coat stays a coat, but a 4 is no digit
 * any more, and shoes that all point to the left would point to the right. Of some thirty images a mean is too far
 * off by chance, so that small classes are never among them. One truth value for each class.
 */
export function mirroredClasses(set: LabelledImages, { width }: ImageSize): readonly boolean[] {
  const { seen, sums, squares } = sumsOf(set);
  const { pixels } = set;
  return Array.from(seen, (count, label) => {
    let [difference, variance] = [0, 0];
    for (let i = 0; i < pixels; i++) {
      const at = label * pixels + i;
      const column = i % width;
      const [sum = 0, mirror = 0] = [sums[at], sums[at - column + width - 1 - column]];
      difference += ((sum - mirror) / count) ** 2;
      variance += (squares[at] ?? 0) / count - (sum / count) ** 2;
    }
    return difference < MAX_DIFFERENCE ** 2 * variance;
  });
}

/** Of the pixels of the first images of each class, and how many those are. */
function sumsOf({ count, classes, images, labels, pixels }: LabelledImages) {
  const seen = new Uint32Array(classes);
  const sums = new Float64Array(classes * pixels);
  const squares = new Float64Array(classes * pixels);
  for (let example = 0; example < count; example++) {
    const label = labels[example] ?? 0;
    const before = seen[label] ?? 0;
    if (before >= ENOUGH) continue;
    seen[label] = before + 1;
    for (let i = 0; i < pixels; i++) {
      const [from, to] = [example * pixels + i, label * pixels + i];
      const value = images[from] ?? 0;
      sums[to] = (sums[to] ?? 0) + value;
      squares[to] = (squares[to] ?? 0) + value ** 2;
    }
  }
  return { seen, sums, squares };
}

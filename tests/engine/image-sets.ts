import type { LabelledImages } from '../../engine/data/images/labelled-images.ts';
import { randomSource } from './random.ts';

/** An IDX file of unsigned bytes. */
export function idxFile(shape: readonly number[], bytes: Uint8Array): Uint8Array {
  const file = new Uint8Array(4 + 4 * shape.length + bytes.length);
  file.set([0, 0, 8, shape.length]);
  const view = new DataView(file.buffer);
  for (const [axis, length] of shape.entries()) view.setUint32(4 + 4 * axis, length);
  file.set(bytes, 4 + 4 * shape.length);
  return file;
}

/** Images of one pixel, each as bright as its label says; labels count up from 0. At most 256. */
export function countedImages(count: number): LabelledImages {
  const labels = Uint8Array.from({ length: count }, (_, i) => i);
  return { count, pixels: 1, images: labels.slice(), labels, classes: count };
}

/** Noisy images in which one of `classes` stripes is brighter: the class. */
export function stripedImages(count: number, classes: number, seed: number): LabelledImages {
  const stripe = 5;
  const pixels = classes * stripe;
  const from = randomSource(seed);
  const labels = Uint8Array.from(from.integers(count, classes));
  const images = Uint8Array.from(from.integers(count * pixels, 160), (noise, i) => {
    const isBright = Math.floor((i % pixels) / stripe) === labels[Math.floor(i / pixels)];
    return isBright ? noise + 95 : noise;
  });
  return { count, pixels, images, labels, classes };
}

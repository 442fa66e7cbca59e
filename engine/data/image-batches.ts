import { EngineError } from '../errors.ts';
import { type Key, keyOf, philox } from '../random/philox.ts';
import type { LabelledImages } from './labelled-images.ts';

/** Some images as a network sees them. */
export interface ImageBatch {
  /** `[batch][pixels]`, 0 to 1. */
  readonly inputs: Float32Array;
  /** `[batch]` */
  readonly labels: Uint32Array;
}

/** Batches of images in an order drawn anew for every epoch, from the seed and the epoch alone. */
export interface ImageSampler {
  /** Whole batches of an epoch; images left over are seen in other epochs. */
  readonly stepsPerEpoch: number;
  batch(step: number): ImageBatch;
}

const ORDER_STREAM = 0x494d4147;
const BRIGHTEST = 255;

/** Throws EngineError `images-invalid` for fewer images than one batch. */
export function createImageSampler(set: LabelledImages, batch: number, seed: number): ImageSampler {
  const stepsPerEpoch = Math.floor(set.count / batch);
  if (stepsPerEpoch === 0) {
    throw new EngineError(
      'images-invalid',
      `there are ${set.count} images: a batch of ${batch} needs as many at least`,
    );
  }
  const key = keyOf(seed);
  let drawn = { epoch: 0, order: shuffledIndices(set.count, 0, key) };
  return {
    stepsPerEpoch,
    batch(step) {
      const epoch = Math.floor(step / stepsPerEpoch);
      if (epoch !== drawn.epoch) drawn = { epoch, order: shuffledIndices(set.count, epoch, key) };
      const first = (step % stepsPerEpoch) * batch;
      return gather(set, drawn.order.subarray(first, first + batch), batch);
    },
  };
}

/** All images in their order, in batches of exactly `batch`; the last is filled up with black images. */
export function* imagesInOrder(set: LabelledImages, batch: number): Generator<ImageBatch> {
  const order = Uint32Array.from({ length: set.count }, (_, i) => i);
  for (let first = 0; first < set.count; first += batch) {
    yield gather(set, order.subarray(first, first + batch), batch);
  }
}

/** The images at `places`, with as many labels; inputs are padded to `batch`. */
function gather(
  { images, labels, pixels }: LabelledImages,
  places: Uint32Array,
  batch: number,
): ImageBatch {
  const inputs = new Float32Array(batch * pixels);
  let to = 0;
  for (const place of places) {
    const from = place * pixels;
    for (let i = 0; i < pixels; i++) inputs[to++] = (images[from + i] ?? 0) / BRIGHTEST;
  }
  return { inputs, labels: Uint32Array.from(places, (place) => labels[place] ?? 0) };
}

/** Fisher and Yates. */
function shuffledIndices(count: number, epoch: number, key: Key): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const [word = 0] = philox([i, epoch, 0, ORDER_STREAM], key);
    const j = Math.floor((word * (i + 1)) / 2 ** 32);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

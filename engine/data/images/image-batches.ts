import { EngineError } from '../../errors.ts';
import { type Key, keyOf, philox } from '../../random/philox.ts';
import type { LabelledImages } from './labelled-images.ts';

/** Some images as a network sees them. */
interface ImageBatch {
  /** `[batch][pixels]`, 0 to 1. */
  readonly inputs: Float32Array;
  /** `[batch]` */
  readonly labels: Uint32Array;
}

/** Batches of images in an order drawn for each epoch from the seed and the epoch alone. */
interface ImageSampler {
  /** Whole batches per epoch; images left over appear in other epochs. */
  readonly stepsPerEpoch: number;
  /** The images of a step, in arrays that the next batch overwrites. */
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
  const gathered = emptyBatch(set, batch);
  let drawn = { epoch: 0, order: shuffledIndices(set.count, 0, key) };
  return {
    stepsPerEpoch,
    batch(step) {
      const epoch = Math.floor(step / stepsPerEpoch);
      if (epoch !== drawn.epoch) drawn = { epoch, order: shuffledIndices(set.count, epoch, key) };
      const first = (step % stepsPerEpoch) * batch;
      gather(set, drawn.order, first, gathered);
      return gathered;
    },
  };
}

/** All images in order, in batches of exactly `batch`; the last is padded with black images. */
export function* imagesInOrder(set: LabelledImages, batch: number): Generator<ImageBatch> {
  const order = Uint32Array.from({ length: set.count }, (_, i) => i);
  for (let first = 0; first < set.count; first += batch) {
    const gathered = emptyBatch(set, batch);
    const count = gather(set, order, first, gathered);
    yield { ...gathered, labels: gathered.labels.subarray(0, count) };
  }
}

function emptyBatch({ pixels }: LabelledImages, batch: number): ImageBatch {
  return { inputs: new Float32Array(batch * pixels), labels: new Uint32Array(batch) };
}

/** Fills a batch with the images from index `first` of the order on; returns their number. */
function gather(
  { images, labels, pixels }: LabelledImages,
  order: Uint32Array,
  first: number,
  into: ImageBatch,
): number {
  const count = Math.min(into.labels.length, order.length - first);
  for (let row = 0, to = 0; row < count; row++) {
    const place = order[first + row] ?? 0;
    const from = place * pixels;
    for (let i = 0; i < pixels; i++) into.inputs[to++] = (images[from + i] ?? 0) / BRIGHTEST;
    into.labels[row] = labels[place] ?? 0;
  }
  return count;
}

/** The numbers below `count` in an order drawn from the key and the epoch (Fisher and Yates). */
export function shuffledIndices(count: number, epoch: number, key: Key): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const [word = 0] = philox([i, epoch, 0, ORDER_STREAM], key);
    const j = Math.floor((word * (i + 1)) / 2 ** 32);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

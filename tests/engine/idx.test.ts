import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Player } from '../../engine/graph/backend.ts';
import { batchesInOrder, batchSizes, type ExampleBatch } from '../../engine/data/examples.ts';
import { parseIdx } from '../../engine/data/images/idx.ts';
import { imagesBetween, openLabelledImages } from '../../engine/data/images/labelled-images.ts';
import { createExampleFeed } from '../../engine/models/classification/example-feed.ts';
import { memorySource } from './byte-sources.ts';
import { unalteredExamples } from './classifier-training.ts';
import { countedImages, idxFile } from './image-sets.ts';

const shapes = fc.array(fc.nat(5), { minLength: 1, maxLength: 4 });
const array = shapes.chain((shape) => {
  const length = shape.reduce((a, b) => a * b, 1);
  return fc.record({
    shape: fc.constant(shape),
    bytes: fc.uint8Array({ minLength: length, maxLength: length }),
  });
});

describe('an IDX file', () => {
  it('gives back its shape and bytes, wherever it lies in a buffer', () => {
    fc.assert(
      fc.property(array, fc.nat(9), ({ shape, bytes }, offset) => {
        const file = idxFile(shape, bytes);
        const buffer = new Uint8Array(offset + file.length + 3);
        buffer.set(file, offset);

        const parsed = parseIdx('x', buffer.subarray(offset, offset + file.length), shape.length);

        expect(parsed.shape).toEqual(shape);
        expect([...parsed.bytes]).toEqual([...bytes]);
      }),
    );
  });

  it('is refused by name when it is cut off anywhere or has bytes too many', () => {
    fc.assert(
      fc.property(array, fc.nat(), fc.boolean(), ({ shape, bytes }, at, isLonger) => {
        const file = idxFile(shape, bytes);
        const damaged = isLonger ? Uint8Array.of(...file, 7) : file.subarray(0, at % file.length);

        expect(() => parseIdx('digits', damaged, shape.length)).toThrow(
          expect.objectContaining({
            code: 'images-invalid',
            message: expect.stringMatching(/^digits is no such IDX file: /),
          }),
        );
      }),
    );
  });

  it.each([
    ['nothing', [], 'it starts with nothing, expected 00 00 08 03 (3 axes of bytes)'],
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d], 'it starts with 89 50 4e 47, expected 00 00 08 03'],
    ['floats', [0, 0, 0x0d, 3, 0, 0], 'it starts with 00 00 0d 03, expected 00 00 08 03'],
    ['labels', [0, 0, 8, 1, 0, 0], 'it starts with 00 00 08 01, expected 00 00 08 03'],
    ['half a header', [0, 0, 8, 3, 0, 0], 'it ends after 6 bytes, within its header of 16'],
    [
      'one pixel of the four billion it claims',
      [0, 0, 8, 3, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 9],
      '1 x 4294967295 x 1 needs 4294967295 bytes after the header, it has 1',
    ],
  ])('says what it found instead of images: %s', (_, bytes, message) => {
    expect(() => parseIdx('x', Uint8Array.from(bytes), 3)).toThrow(message);
  });
});

describe('labelled images', () => {
  const images = idxFile([3, 2, 1], Uint8Array.of(1, 2, 3, 4, 5, 6));
  const labels = idxFile([3], Uint8Array.of(4, 0, 2));
  const open = (imageFile: Uint8Array, labelFile: Uint8Array) =>
    openLabelledImages(memorySource(imageFile, 'images'), memorySource(labelFile, 'labels'));

  it('are read from files as they are and from gzipped ones', async () => {
    const plain = await open(images, labels);
    const packed = await open(gzipSync(images), gzipSync(labels));

    expect(plain).toMatchObject({ count: 3, pixels: 2, classes: 5 });
    expect([...plain.images]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...plain.labels]).toEqual([4, 0, 2]);
    expect(packed).toEqual(plain);
  });

  it.each([
    ['cut off', (file: Uint8Array) => file.subarray(0, file.length - 9)],
    ['changed in its middle', (file: Uint8Array) => file.map((b, i) => (i === 12 ? b ^ 0xff : b))],
  ])('are refused when a gzipped file is %s, naming it', async (_, damage) => {
    await expect(open(gzipSync(images), damage(gzipSync(labels)))).rejects.toMatchObject({
      code: 'images-invalid',
      message: 'labels is a damaged gzip file',
    });
  });

  it('are refused when there are not as many labels, naming both', async () => {
    await expect(open(images, idxFile([2], Uint8Array.of(1, 2)))).rejects.toMatchObject({
      code: 'images-invalid',
      message: 'images has 3 images but labels has 2 labels',
    });
  });

  it.each([[[0, 28, 28]], [[1, 0, 28]]])(
    'are refused when there is nothing to see: %j',
    async (shape) => {
      const none = idxFile(shape, new Uint8Array());
      await expect(
        open(none, idxFile([shape[0]!], new Uint8Array(shape[0]!))),
      ).rejects.toMatchObject({
        code: 'images-invalid',
        message: expect.stringMatching(/^images has \d images of \d+ x \d+ pixels: expected/),
      });
    },
  );
});

describe('a part of labelled images', () => {
  it('has the images and labels from the first to before the end, and as many', () => {
    const pairs = { ...countedImages(3), pixels: 2, images: Uint8Array.of(1, 2, 3, 4, 5, 6) };

    const part = imagesBetween(pairs, 1, 3);

    expect(part.count).toBe(2);
    expect([...part.images]).toEqual([3, 4, 5, 6]);
    expect([...part.labels]).toEqual([1, 2]);
  });
});

describe('batches of images', () => {
  const sizes = fc.record({
    count: fc.integer({ min: 1, max: 255 }),
    batch: fc.integer({ min: 1, max: 40 }),
  });

  it('show every image at most once in an epoch, with its own label, in an order of its own', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), ({ count, batch }, seed) => {
        fc.pre(count >= batch);
        const sampler = sample(count, batch, seed);
        const epoch = Array.from({ length: sampler.stepsPerEpoch }, (_, i) => sampler.batch(i));
        const seen = epoch.flatMap(({ labels }) => [...labels]);

        expect(seen).toHaveLength(count - (count % batch));
        expect(new Set(seen).size).toBe(seen.length);
        // The one pixel of an image is as bright as its label.
        const pixels = epoch.flatMap(({ inputs }) => [...inputs]);
        expect(pixels.map((pixel) => Math.round(pixel * 255))).toEqual(seen);
      }),
    );
  });

  it('come in the same order for the same seed, whatever was requested before', () => {
    const first = sample(200, 10, 3);
    const second = sample(200, 10, 3);
    second.batch(90);

    expect(second.batch(25)).toEqual(first.batch(25));
    expect(second.batch(5)).not.toEqual(first.batch(25));
    expect(sample(200, 10, 4).batch(25)).not.toEqual(first.batch(25));
  });

  it('are refused when there are too few images for one', () => {
    expect(() => sample(9, 10, 0)).toThrow(
      'batch_size is 10 with 9 examples to learn from: expected at most as many',
    );
  });

  it('show all images once in their order, the last batch with those that are left', () => {
    const rows = batchSizes(25, 10);
    const batches = [...batchesInOrder(unalteredExamples(countedImages(25)), rows)];

    expect(rows).toEqual([10, 5]);
    expect(batches.flatMap(({ labels }) => [...labels])).toEqual([...Array(25).keys()]);
    expect(batches.map(({ inputs }) => inputs.length)).toEqual([10, 10, 5]);
  });
});

/** Batches as a run feeds them to its program. */
function sample(count: number, batch: number, seed: number) {
  const examples = unalteredExamples(countedImages(count));
  const shown: ExampleBatch[] = [];
  const feed = createExampleFeed(examples, {
    batch,
    seed,
    write: (_, filled) => shown.push(structuredClone(filled)),
  });
  return {
    stepsPerEpoch: feed.stepsPerEpoch,
    batch(step: number): ExampleBatch {
      // `write` above needs no player.
      feed.write({} as Player, step);
      return shown.at(-1)!;
    },
  };
}

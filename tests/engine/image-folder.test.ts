import { describe, expect, it } from 'vitest';
import { openImageFolder } from '../../engine/data/images/image-folder.ts';
import { resizeImage } from '../../engine/data/images/resize-image.ts';
import type { DecodedImage } from '../../engine/data/images/png.ts';
import { memorySource } from './byte-sources.ts';
import { encodePng } from './png-files.ts';
import { randomSource } from './random.ts';

/** Opaque and grey. */
function greyPicture(width: number, samples: readonly number[]): DecodedImage {
  const rgba = Uint8Array.from(samples.flatMap((sample) => [sample, sample, sample, 255]));
  return { width, height: samples.length / width, rgba };
}

const resized = (picture: DecodedImage, width: number, height: number) => [
  ...resizeImage(picture, { width, height, channels: 1 }),
];

describe('a picture at another size', () => {
  it('is itself at its own size, and constant where it was', () => {
    const samples = [...randomSource(1).integers(35, 256)];

    expect(resized(greyPicture(7, samples), 7, 5)).toEqual(samples);
    expect(resized(greyPicture(7, Array(35).fill(77)), 3, 11)).toEqual(Array(33).fill(77));
  });

  it('has the mean of the area that each pixel covers', () => {
    // 3 to 2: the middle pixel is shared, (10 + 40 / 2) / 1.5 = 20 and (40 / 2 + 100) / 1.5 = 80.
    expect(resized(greyPicture(3, [10, 40, 100]), 2, 1)).toEqual([20, 80]);
    expect(resized(greyPicture(2, [0, 10, 20, 50]), 1, 1)).toEqual([20]);
    expect(resized(greyPicture(2, [0, 90]), 4, 2)).toEqual([0, 0, 90, 90, 0, 0, 90, 90]);
  });

  it('is grey as bright as BT.601 says, or one plane for each colour', () => {
    const picture = { width: 2, height: 1, rgba: Uint8Array.of(200, 0, 0, 255, 0, 100, 50, 255) };
    const shape = { width: 2, height: 1 };

    // 0.299 x 200 = 59.8; 0.587 x 100 + 0.114 x 50 = 64.4
    expect([...resizeImage(picture, { ...shape, channels: 1 })]).toEqual([60, 64]);
    expect([...resizeImage(picture, { ...shape, channels: 3 })]).toEqual([200, 0, 0, 100, 0, 50]);
  });

  it('shows the background through what is clear', () => {
    // 51 is a fifth of 255: 100 / 5 + 4 x 255 / 5 = 224, over black 20.
    const picture = { width: 1, height: 1, rgba: Uint8Array.of(100, 100, 100, 51) };
    const shape = { width: 1, height: 1, channels: 1 } as const;

    expect([...resizeImage(picture, shape)]).toEqual([224]);
    expect([...resizeImage(picture, { ...shape, background: 0 })]).toEqual([20]);
  });
});

describe('a folder of pictures', () => {
  const file = (path: string, brightness: number) =>
    memorySource(
      encodePng({ width: 2, height: 2, colour: 0, depth: 8, samples: Array(4).fill(brightness) }),
      path,
    );
  const shape = { width: 1, height: 1, channels: 1 } as const;

  it('has the classes of its folders, in an order that does not depend on that of the files', async () => {
    const files = [
      file('set/dog/2.png', 4),
      file('set/cat/b.PNG', 2),
      memorySource(Uint8Array.of(1), 'set/cat/notes.txt'),
      file('set/dog/10.png', 3),
      file('set/cat/a.png', 1),
    ];

    const read = await openImageFolder(files, shape);

    expect(read).toMatchObject({ count: 4, pixels: 1, classes: 2, classNames: ['cat', 'dog'] });
    expect([...read.images]).toEqual([1, 2, 3, 4]);
    expect([...read.labels]).toEqual([0, 0, 1, 1]);
    expect(await openImageFolder(files.toReversed(), shape)).toEqual(read);
  });

  it.each([
    [
      'no pictures',
      [memorySource(Uint8Array.of(1), 'a/b.txt')],
      {},
      'none of 1 files ends in .png',
    ],
    ['no folder', [file('1.png', 1)], {}, '1.png is in no folder'],
    ['a file too large', [file('a/1.png', 1)], { mostFileBytes: 9 }, 'expected at most 9'],
    ['no PNG', [memorySource(Uint8Array.of(1), 'a/b.png')], {}, 'a/b.png is no PNG file'],
    ['no width', [file('a/1.png', 1)], { width: 0 }, 'width is 0'],
    ['too much', [file('a/1.png', 1)], { width: 2 ** 16, height: 2 ** 16 }, '4294967296 values'],
    [
      'too many classes',
      Array.from({ length: 257 }, (_, i) => file(`${i}/1.png`, 1)),
      {},
      '257 classes, expected at most 256',
    ],
  ])('is refused with %s', async (_, files, options, message) => {
    await expect(openImageFolder(files, { ...shape, ...options })).rejects.toThrow(message);
  });

  it('stops when it is aborted', async () => {
    const stop = new AbortController();
    const files = [file('a/1.png', 1), file('a/2.png', 1)];
    const onProgress = () => stop.abort(new Error('enough'));

    await expect(
      openImageFolder(files, { ...shape, onProgress, signal: stop.signal }),
    ).rejects.toThrow('enough');
  });
});

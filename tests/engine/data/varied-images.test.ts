import { describe, expect, it } from 'vitest';
import { createDraws } from '../../../engine/data/draws.ts';
import { eraseImage } from '../../../engine/data/images/augment-image.ts';
import type { Augmentation } from '../../../engine/data/augmentations.ts';
import type { LabelledImages } from '../../../engine/data/images/labelled-images.ts';
import { mirroredClasses } from '../../../engine/data/images/mirrored-classes.ts';
import { variedImages } from '../../../engine/data/images/varied-images.ts';
import { batchesOf } from '../../../engine/data/batches.ts';
import { keyOf } from '../../../engine/random/philox.ts';
import { randomSource } from '../random.ts';

const image = { channels: 1, height: 9, width: 7 };
const PIXELS = 63;

/** Of class 0 a beam from left to right, of class 1 one from the left to the middle; noisy. */
function beams(count: number): LabelledImages {
  const from = randomSource(3);
  const labels = Uint8Array.from({ length: count }, (_, i) => i % 2);
  const images = Uint8Array.from(from.integers(count * PIXELS, 60), (noise, i) => {
    const [x, y] = [i % 7, Math.floor(i / 7) % 9];
    const isBeam = y === 4 && (x < 4 || labels[Math.floor(i / PIXELS)] === 0);
    return isBeam ? noise + 190 : noise;
  });
  return { count, classes: 2, pixels: PIXELS, height: 9, width: 7, images, labels };
}

/** The first image in epoch after epoch. */
function seen(set: LabelledImages, augmentation: Augmentation) {
  const examples = variedImages(set, image, { augmentation });
  return Array.from({ length: 200 }, (_, epoch) => {
    const options = { batchSize: set.count, seed: 1, epoch, isAugmented: true };
    const [batch] = [...batchesOf(examples, options)];
    const row = batch!.y.indexOf(0);
    return batch!.x.subarray(row * PIXELS, (row + 1) * PIXELS);
  });
}

const isBright = (value: number | undefined) => value !== undefined && value > 0.7;
describe('varied images', () => {
  it('have a rectangle of one brightness in all channels, as often as is told', () => {
    const shape = { channels: 2, height: 7, width: 9 };
    const from = new Float32Array(126).fill(-1);
    const covered = Array.from({ length: 400 }, (_, i) => {
      const to = new Float32Array(126);
      eraseImage({ chance: 0.25, share: 0.6 }).apply(
        from,
        to,
        shape,
        createDraws(keyOf(7), [i, 0]),
      );
      const planes = [to.subarray(0, 63), to.subarray(63)].map((plane) =>
        Array.from(plane, (value, at) => ({ value, x: at % 9, y: Math.floor(at / 9) })).filter(
          ({ value }) => value !== -1,
        ),
      );
      expect(planes[1]).toEqual(planes[0]);
      return planes[0]!;
    }).filter((places) => places.length > 0);
    const extent = (values: readonly number[]) => 1 + Math.max(...values) - Math.min(...values);
    const sides = covered.map((places) => [
      extent(places.map(({ x }) => x)),
      extent(places.map(({ y }) => y)),
    ]);

    expect(covered.length / 400).toBeCloseTo(0.25, 1);
    for (const [i, places] of covered.entries()) {
      expect(places).toHaveLength(sides[i]![0]! * sides[i]![1]!);
      expect(new Set(places.map(({ value }) => value)).size).toBe(1);
    }
    expect(new Set(sides.map(([wide]) => wide))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(new Set(sides.map(([, tall]) => tall))).toEqual(new Set([1, 2, 3, 4]));
    expect(() => eraseImage({ share: 2 })).toThrow('share is 2: expected a number from 0 to 1');
  });

  it('are the same for a seed and an epoch, and others in another epoch', () => {
    const set = beams(2);
    const [first, again] = [seen(set, 'varied'), seen(set, 'varied')];

    expect(again).toEqual(first);
    expect(new Set(first.map((pixels) => [...pixels].join())).size).toBeGreaterThan(100);
  });

  it('are as they are where nothing varies them', () => {
    const set = beams(2);
    const plain = Float32Array.from(set.images.subarray(0, PIXELS), (byte) => byte / 255);

    expect(new Set(seen(set, 'none').map((pixels) => [...pixels].join()))).toEqual(
      new Set([[...plain].join()]),
    );
    const [batch] = batchesOf(variedImages(set, image, { augmentation: 'varied' }), {
      batchSize: 2,
    });
    expect(batch!.x.subarray(0, PIXELS)).toEqual(plain);
  });

  it('are shifted alone by the choice plain', () => {
    const set = beams(2);
    const brightest = seen(set, 'plain').map((pixels) => pixels.filter(isBright).length);

    expect(new Set(seen(set, 'plain').map((pixels) => [...pixels].join())).size).toBe(25);
    expect(Math.max(...brightest)).toBe(7);
    expect(Math.min(...brightest)).toBe(5);
  });

  it('mirror the classes that are symmetric, not those that point to a side or are few', () => {
    const set = beams(400);

    expect(mirroredClasses(set, image)).toEqual([true, false]);
    expect(mirroredClasses(beams(8), image)).toEqual([false, false]);
  });

  it('of private runs are varied by none of the images', () => {
    const set = beams(400);
    const examples = (isPrivate: boolean) => {
      const all = variedImages(set, image, { augmentation: 'varied', isPrivate });
      return [...batchesOf(all, { batchSize: 400, seed: 2, isAugmented: true })][0]!;
    };
    const [open, closed] = [examples(false), examples(true)];
    const isSame = (row: number) =>
      open.x
        .subarray(row * PIXELS, (row + 1) * PIXELS)
        .every((value, i) => value === closed.x[row * PIXELS + i]);
    const rows = Array.from(open.y, (label, row) => ({ label, same: isSame(row) }));

    expect(rows.filter(({ label }) => label === 1).every(({ same }) => same)).toBe(true);
    expect(rows.filter(({ label }) => label === 0).some(({ same }) => !same)).toBe(true);
  });
});

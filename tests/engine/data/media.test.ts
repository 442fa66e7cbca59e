import { describe, expect, it } from 'vitest';
import { parseNpy } from '../../../engine/data/arrays/npy.ts';
import { readImage, readWav } from '../../../engine/data/load-files.ts';
import { expected, goldenFile } from './golden.ts';

describe('PNG', () => {
  it.each(['L', 'LA', 'RGB', 'RGBA', 'P', '1'])(
    'of the mode %s has the pixels that Pillow stored',
    async (mode) => {
      const { shape, data } = parseNpy(mode, goldenFile(`${mode}.png.npy`));

      const { height, width, rgba } = await readImage(goldenFile(`${mode}.png`));

      expect([height, width, 4]).toEqual(shape);
      expect(rgba).toEqual(data);
    },
  );
});

describe('WAV', () => {
  it.each(Object.entries(expected.wav))(
    '%s has the samples that Python wrote, its channels averaged',
    async (name, samples) => {
      const clip = await readWav(goldenFile(`${name}.wav`));

      expect(clip.sampleRateHz).toBe(8000);
      expect([...clip.samples]).toEqual(samples.map(Math.fround));
    },
  );
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { savePicture } from '../../compute/pictures/save-picture.ts';
import { decodePng } from '../../engine/index.ts';
import { drawRaster, type PictureTarget } from '../../engine/pictures.ts';

const spikes = Uint8Array.of(1, 0, 0, 1);
const layer = { name: 'hidden', shape: [2], spikes, rates: Float32Array.of(0.5, 0.5) };
const draw = (canvas: PictureTarget) => drawRaster(canvas, { steps: 2, count: 1, layers: [layer] });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spikegrid-pictures-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a picture is SVG or PNG by its name, of the size that was asked for', async () => {
  await savePicture(join(folder, 'raster.svg'), draw, { width: 300, height: 200 });
  expect(readFileSync(join(folder, 'raster.svg'), 'utf8')).toMatch(
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="300" height="200"[^]*<\/svg>\n$/,
  );
  for (const [ratio, scale] of [
    [undefined, 2],
    [1, 1],
    [3, 3],
  ] as const) {
    const size = { width: 300, height: 200, ...(ratio !== undefined && { ratio }) };
    await savePicture(join(folder, 'raster.PNG'), draw, size);
    const png = decodePng('raster.PNG', readFileSync(join(folder, 'raster.PNG')));
    expect([png.width, png.height]).toEqual([300 * scale, 200 * scale]);
    const pixel = (x: number, y: number) => {
      const at = 4 * (Math.round(y * scale) * png.width + Math.round(x * scale));
      return [...png.rgba.subarray(at, at + 3)];
    };
    // Neuron 0, below, fires in the first step, and neuron 1 in the second.
    const [left, right, above, below] = [52 + 238 / 4, 52 + (3 * 238) / 4, 60, 140];
    const [spike, surface] = [
      [0xb5, 0x44, 0x0a],
      [0xfc, 0xfd, 0xfb],
    ];
    expect(pixel(left, below)).toEqual(spike);
    expect(pixel(right, above)).toEqual(spike);
    expect(pixel(left - 9, above - 9)).toEqual(surface);
    expect(pixel(2, 2)).toEqual(surface);
  }
});

test.each([
  ['raster.gif', {}, /raster\.gif ends in "\.gif": expected \.svg or \.png/],
  ['raster', {}, /ends in "": expected \.svg or \.png/],
  [
    'raster.png',
    { ratio: 9 },
    /ratio of .*raster\.png is 9: expected a number above 0 and up to 8/,
  ],
  ['raster.png', { width: 16_384, height: 16_384 }, /at most 67108864 pixels in all/],
  ['raster.png', { width: 0 }, /the picture is 0 x 400 px/],
  ['raster.svg', { height: Number.NaN }, /the picture is 640 x NaN px/],
])('%s with %j is refused', async (name, options, message) => {
  await expect(savePicture(join(folder, name), draw, options)).rejects.toThrow(message);
});

test('nothing is left behind where a picture cannot be written', async () => {
  mkdirSync(join(folder, 'taken.svg'));
  await expect(savePicture(join(folder, 'taken.svg'), draw)).rejects.toThrow(/EISDIR|ENOTEMPTY/);
  expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
});

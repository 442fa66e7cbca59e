import { expect, it } from 'vitest';
import { parseNpy } from '../../engine/data/arrays/npy.ts';
import { decodeJpeg } from '../../engine/data/images/jpeg.ts';
import image from '../golden/data/subsampled.jpg?url';
import pixels from '../golden/data/subsampled.jpg.npy?url';

const bytesAt = async (url: string) => new Uint8Array(await (await fetch(url)).arrayBuffer());

it('a browser decodes JPEG by itself, as libjpeg does up to rounding', async () => {
  const golden = parseNpy('pixels', await bytesAt(pixels));

  const { width, height, rgba } = await decodeJpeg('image', await bytesAt(image));

  expect([height, width, 3]).toEqual(golden.shape);
  const differences = Array.from(golden.data, (level, i) =>
    Math.abs(level - rgba[4 * Math.floor(i / 3) + (i % 3)]!),
  );
  expect(differences.reduce((a, b) => a + b) / differences.length).toBeLessThan(2);
  expect(Math.max(...differences)).toBeLessThanOrEqual(8);
});

it('a JPEG without its coded pixels is refused in a browser, too', async () => {
  const file = await bytesAt(image);
  const scan = file.findIndex((byte, i) => byte === 0xff && file[i + 1] === 0xda);

  await expect(decodeJpeg('cut.jpg', file.subarray(0, scan))).rejects.toMatchObject({
    code: 'images-invalid',
    message: expect.stringMatching(/^cut\.jpg is no JPEG image that can be read: at its pixels/),
  });
});

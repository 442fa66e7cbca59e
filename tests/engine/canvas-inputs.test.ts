import { describe, expect, it } from 'vitest';
import { init, linear, type Picture, sequential } from '../../library/index.ts';
import { any } from './building-mistakes.ts';
import { reference } from './play.ts';

/** A picture of one colour, red, green, blue and opacity. */
const plain = (width: number, height: number, colour: readonly number[]): Picture => ({
  width,
  height,
  data: Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => colour[i % 4]!),
});
const white = [255, 255, 255, 255];

/** A network that gives back its inputs. */
async function mirror(features: number) {
  const layers = [linear(features, { bias: false, name: 'mirror' })];
  const model = await init(sequential(layers, { input: features }), { device: reference });
  const weight = model.parameter('mirror.weight');
  for (let i = 0; i < features; i++) {
    for (let o = 0; o < features; o++) weight[i * features + o] = i === o ? 1 : 0;
  }
  return model;
}

describe('a picture as the input of a network', () => {
  it('is scaled to a square, white as 1, black and nothing as 0', async () => {
    const model = await mirror(4);
    const halves = plain(10, 6, white);
    // The lower half is black, and the right one of the upper half is transparent.
    const { data } = halves as { data: Uint8ClampedArray };
    data.fill(0, 4 * 30);
    for (let i = 0; i < 30; i++) if (i % 10 >= 5) data[4 * i + 3] = 0;

    const { scores } = await model.predict(halves);

    expect([...scores]).toEqual([1, 0, 0, 0]);
  });

  it('is read off a canvas', async () => {
    const model = await mirror(1);
    const canvas = {
      width: 3,
      height: 5,
      getContext: (kind: string) =>
        kind === '2d'
          ? {
              getImageData: (_x: number, _y: number, w: number, h: number) =>
                plain(w, h, [128, 128, 128, 255]) as ImageData,
            }
          : null,
    };

    expect((await model.predict(canvas)).scores[0]).toBeCloseTo(128 / 255, 6);
  });

  it.each([
    [plain(2, 2, white), 'x is a picture, and the network takes [5]: expected [1, height, width]'],
    [
      { width: 0, height: 3, data: new Uint8ClampedArray() },
      'x is a picture, and it is 0 x 3: expected 1 to 67108864 pixels',
    ],
    [
      { width: 2, height: 2, data: new Uint8ClampedArray(4) },
      'x is a picture, and it has 4 bytes: expected 16',
    ],
    [{ width: 2, height: 2, getContext: () => null }, 'x is a picture, and it has no 2d context'],
    [
      {
        width: 2,
        height: 2,
        getContext: () => ({
          getImageData() {
            throw new Error('tainted');
          },
        }),
      },
      'x is a picture, and its pixels cannot be read: expected pictures of the same origin',
    ],
  ])('is refused where it cannot be', async (picture, message) => {
    const features = message.includes('[5]') ? 5 : 4;
    const model = await init(sequential([linear(2)], { input: features }), { device: reference });

    await expect(model.predict(any(picture))).rejects.toThrow(message);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayExamples } from '../../../engine/data/arrays/array-examples.ts';
import { packSpikes, unpackSpikes } from '../../../engine/data/arrays/packed-spikes.ts';
import { batchesOf, streamBatches } from '../../../engine/data/batches.ts';
import { createDraws } from '../../../engine/data/draws.ts';
import {
  addNoise,
  cropImage,
  eraseImage,
  flipImage,
  type ImageTransform,
  normaliseImage,
  rotateImage,
  shiftImage,
} from '../../../engine/data/images/augment-image.ts';
import { transformImages } from '../../../engine/data/images/transform-images.ts';
import { splitExamples, takeExamples } from '../../../engine/data/split-examples.ts';
import { emptyBatch, fillAltered, fillBatch } from '../../../engine/data/examples.ts';
import { keyOf, philox } from '../../../engine/random/philox.ts';

const draws = (example = 0) => createDraws(keyOf(7), [example, 0]);
const counted = (count: number) => Float32Array.from({ length: count }, (_, i) => i);

describe('draws', () => {
  it('are uniform and normal, and those of other words are others', () => {
    const from = draws();
    const normals = Float32Array.from({ length: 10_000 }, () => from.normal());
    const mean = normals.reduce((a, b) => a + b) / normals.length;
    const variance = normals.reduce((sum, x) => sum + (x - mean) ** 2, 0) / normals.length;

    expect(Math.abs(mean)).toBeLessThan(0.04);
    expect(Math.abs(variance - 1)).toBeLessThan(0.06);
    expect(draws(1).uniform(0, 1)).not.toBe(draws(2).uniform(0, 1));
    const words = [0, 1].flatMap((i) => [...philox([i, 3, 0, 0x44524157], keyOf(7))]);
    const other = draws(3);
    expect(words.map((word) => word / 2 ** 32)).toEqual(words.map(() => other.uniform(0, 1)));
  });
});

describe('packed spikes', () => {
  it.each([1, 31, 32, 33, 63, 64, 65])('of %i neurons come back', (width) => {
    const spikes = Float32Array.from({ length: 3 * width }, () => draws(width).below(2));
    spikes[width - 1] = 1;

    const packed = packSpikes(spikes, width);

    expect(packed).toHaveLength(3 * Math.ceil(width / 32));
    expect(unpackSpikes(packed, width)).toEqual(spikes);
  });

  it('begin with the lowest bit, and other numbers than 0 and 1 are refused', () => {
    expect([...packSpikes([1, 0, 1], 3)]).toEqual([5]);
    expect(() => packSpikes([0, 1, 0.5, 0], 2)).toThrow(
      'packSpikes: row 1, neuron 0 is 0.5: expected 0 or 1',
    );
    expect(() => packSpikes([0, 1, 0], 2)).toThrow('packSpikes: 3 spikes: expected rows of 2');
  });
});

describe('arrays as examples', () => {
  it('come as [rows][frames][width], whatever they are stored as', () => {
    const x = Float32Array.of(1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1);
    const forms = [
      arrayExamples({ x, y: [0, 1], frames: 2 }),
      arrayExamples({ x: Uint8Array.from(x), y: [0, 1], frames: 2 }),
      arrayExamples({
        x: Uint8Array.from(x, (v) => 255 * v),
        y: [0, 1],
        frames: 2,
        scale: 1 / 255,
      }),
      arrayExamples({ x: packSpikes(x, 3), y: [0, 1], frames: 2, width: 3 }),
    ];

    for (const examples of forms) {
      expect([...batchesOf(examples, { batchSize: 2 })]).toEqual([{ x, y: Uint32Array.of(0, 1) }]);
      expect(examples).toMatchObject({ count: 2, frames: 2, width: 3, classes: 2 });
    }
  });

  it('are laid out [frames][rows][width] for a program', () => {
    const examples = arrayExamples({ x: counted(12), y: [0, 1], frames: 2 });
    const batch = emptyBatch(examples, 2);
    fillBatch(examples, [0, 1], batch);

    expect([...batch.inputs]).toEqual([0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11]);
  });

  it.each([
    [
      { x: counted(7), y: [0, 1] },
      'shape-mismatch',
      'x has 7 numbers for 2 labels: expected 2 x 1 x a whole number',
    ],
    [
      { x: counted(8), y: [0, 1], width: 3 },
      'shape-mismatch',
      'x has 8 numbers for 2 labels: expected 2 x 1 x 3',
    ],
    [{ x: new Uint32Array(2), y: [0, 1] }, 'shape-mismatch', 'x is packed: expected a `width`'],
    [
      { x: Float32Array.of(1, Number.NaN), y: [0, 1] },
      'signal-invalid',
      'x[1] is NaN: expected a finite number',
    ],
    [
      { x: Uint8Array.of(1, 0, 0, 200), y: [0, 1] },
      'signal-invalid',
      'x[3] is 200: expected 0 or 1, as a Uint8Array is spikes; pixels have a scale, such as scale: 1 / 255',
    ],
    [{ x: counted(2), y: [0, -1] }, 'signal-invalid', 'y[1] is -1: expected a class from 0'],
    [{ x: counted(2), y: [0, 0.5] }, 'signal-invalid', 'y[1] is 0.5'],
    [{ x: counted(0), y: [] }, 'invalid-setting', 'examples is 0'],
  ])('of %j are refused', (arrays, code, message) => {
    expect(() => arrayExamples(arrays)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });
});

const numbered = (labels: readonly number[]) =>
  arrayExamples({ x: counted(labels.length), y: labels });
const inputsOf = (examples: ReturnType<typeof numbered>) =>
  [...batchesOf(examples, { batchSize: 1000 })].flatMap(({ x }) => [...x]);

describe('a split', () => {
  const labels = fc.array(fc.nat(4), { minLength: 2, maxLength: 200 });

  it('puts every example into one of its parts, the same for the same seed', () => {
    fc.assert(
      fc.property(
        labels,
        fc.nat(),
        fc.boolean(),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (y, seed, isStratified, fraction) => {
          fc.pre(!isStratified || new Set(y).size < y.length);
          const split = () => splitExamples(numbered(y), { fraction, seed, isStratified });
          const { train, validation } = split();
          const all = [...inputsOf(train), ...inputsOf(validation)];

          expect(all.toSorted((a, b) => a - b)).toEqual([...counted(y.length)]);
          expect(inputsOf(split().validation)).toEqual(inputsOf(validation));
        },
      ),
    );
  });

  it('has the fraction that is asked for, by class if stratified', () => {
    const y = Array.from({ length: 300 }, (_, i) => (i < 270 ? 0 : 1));
    const { validation } = splitExamples(numbered(y), { fraction: 0.2, isStratified: true });
    const held = Array.from({ length: validation.count }, (_, i) => validation.label(i));

    expect(held.filter((label) => label === 0)).toHaveLength(54);
    expect(held.filter((label) => label === 1)).toHaveLength(6);
    expect(splitExamples(numbered(y), { fraction: 0.2 }).validation.count).toBe(60);
    expect(inputsOf(splitExamples(numbered(y), { seed: 1 }).validation)).not.toEqual(
      inputsOf(splitExamples(numbered(y), { seed: 2 }).validation),
    );
  });

  it('of too few examples is refused, as is a place outside', () => {
    expect(() => splitExamples(numbered([0]))).toThrow('of 1 examples holds 0 out');
    expect(() => takeExamples(numbered([0, 1]), [0, 2])).toThrow('place 2 of 2 examples');
  });
});

describe('batches', () => {
  it('of an epoch have every example once, in an order of seed and epoch', () => {
    const examples = numbered(Array(65).fill(0));
    const epoch = (options: object) =>
      [...batchesOf(examples, { batchSize: 16, ...options })].flatMap(({ x }) => [...x]);

    expect(epoch({})).toEqual([...counted(65)]);
    expect(epoch({ seed: 3 })).not.toEqual([...counted(65)]);
    expect(epoch({ seed: 3 }).toSorted((a, b) => a - b)).toEqual([...counted(65)]);
    expect(epoch({ seed: 3 })).toEqual(epoch({ seed: 3 }));
    expect(epoch({ seed: 3, epoch: 1 })).not.toEqual(epoch({ seed: 3 }));
    expect(epoch({ seed: 4 })).not.toEqual(epoch({ seed: 3 }));
    expect(epoch({ seed: 3, isWhole: true })).toHaveLength(64);
  });

  it('augment each example by seed, epoch and place, the same in batches of any size', () => {
    const size = { channels: 1, height: 3, width: 3 };
    const examples = transformImages(arrayExamples({ x: counted(45), y: Array(5).fill(0) }), size, [
      shiftImage(1, -1),
    ]);
    const epoch = (batchSize: number, number = 0) =>
      [...batchesOf(examples, { batchSize, seed: 2, epoch: number, isAugmented: true })].flatMap(
        ({ x }) => [...x],
      );

    expect(epoch(2)).toEqual(epoch(5));
    expect(epoch(2, 1)).not.toEqual(epoch(2));
  });

  it('of a stream hold what came, the last one what is left', async () => {
    const source = function* (last = 2) {
      for (let i = 0; i < 5; i++) yield { x: new Float32Array(i === 4 ? last : 2).fill(i), y: i };
    };
    const batches = [];
    for await (const batch of streamBatches(source(), { batchSize: 2 })) batches.push(batch);
    const uneven = streamBatches(source(3), { batchSize: 4 });
    await uneven.next();

    expect(batches.map(({ y }) => [...y])).toEqual([[0, 1], [2, 3], [4]]);
    expect([...batches[1]!.x]).toEqual([2, 2, 3, 3]);
    await expect(uneven.next()).rejects.toThrow(
      'streamBatches: example 4 has 3 numbers: expected 2',
    );
  });
});

describe('transforms of images', () => {
  const size = { channels: 2, height: 3, width: 4 };
  const image = counted(24);
  const run = (transform: ImageTransform, from = image, random = true, shape = size) => {
    const result = transform.sizeOf(shape);
    const to = new Float32Array(result.channels * result.height * result.width).fill(-7);
    transform.apply(from, to, shape, random ? draws() : undefined);
    return [...to];
  };

  it('do nothing by chance without draws', () => {
    for (const transform of [
      shiftImage(2),
      flipImage(),
      rotateImage(20),
      addNoise(3),
      eraseImage({ chance: 1 }),
      cropImage({ height: 3, width: 4, padding: 2 }),
    ]) {
      expect(run(transform, image, false)).toEqual([...image]);
    }
  });

  it('mirror each channel across and down', () => {
    const [first, second] = [
      [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8],
      [8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3],
    ];

    expect(run(flipImage({ across: 1 }))).toEqual([...first!, ...first!.map((v) => v + 12)]);
    expect(run(flipImage({ across: 0, down: 1 }))).toEqual([
      ...second!,
      ...second!.map((v) => v + 12),
    ]);
  });

  it('shift to every place equally often, and fill the edges', () => {
    const dot = new Float32Array(25).with(12, 1);
    const square = { channels: 1, height: 5, width: 5 };
    const places = Array.from({ length: 500 }, (_, i) => {
      const to = new Float32Array(25);
      shiftImage(2, 0).apply(dot, to, square, draws(i));
      return to.indexOf(1);
    });

    expect(new Set(places).size).toBe(25);
    expect(
      run(shiftImage(9, 5), dot.fill(0), true, square).filter((v) => v !== 0 && v !== 5),
    ).toEqual([]);
  });

  it('crop the middle without draws, and a part with its margin with them', () => {
    expect(run(cropImage({ height: 1, width: 2 }), image, false)).toEqual([5, 6, 17, 18]);
    expect(
      run(cropImage({ height: 7, width: 8, padding: 2, fill: -1 }), image, false).filter(
        (v) => v !== -1,
      ),
    ).toEqual([...image]);
    expect(() => cropImage({ height: 4, width: 1 }).sizeOf(size)).toThrow(
      'height is 4: expected a number from 1 to 3',
    );
  });

  it('rotate about the middle, as the exact sine and cosine would', () => {
    const square = { channels: 1, height: 5, width: 5 };
    const from = counted(25);
    const to = new Float32Array(25);
    rotateImage(45).apply(from, to, square, { ...draws(), uniform: () => 30 });
    // The plane 5 y + x, about its middle 12, turned by 30 degrees.
    const [sin, cos] = [Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)];
    const expected = (x: number, y: number) => 12 + (cos * x + sin * y) + 5 * (cos * y - sin * x);

    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [-1, 1],
      [1, 1],
    ] as const) {
      expect(to[(y + 2) * 5 + x + 2]).toBeCloseTo(expected(x, y), 5);
    }
  });

  it('add noise of a deviation, and normalise by channel', () => {
    const noisy = run(addNoise(0.5), new Float32Array(5000), true, {
      channels: 1,
      height: 50,
      width: 100,
    });

    expect(Math.abs(Math.sqrt(noisy.reduce((sum, v) => sum + v * v, 0) / 5000) - 0.5)).toBeLessThan(
      0.02,
    );
    expect(run(normaliseImage([2, 12], [2, 4]), image, false).slice(10, 14)).toEqual([
      4, 4.5, 0, 0.25,
    ]);
    expect(run(normaliseImage([1], [2])).slice(0, 3)).toEqual([-0.5, 0, 0.5]);
    expect(() => normaliseImage([1, 2, 3], [1]).sizeOf(size)).toThrow('values is 3');
    expect(() => normaliseImage([1], [0])).toThrow('deviation is 0');
  });

  it('of examples are drawn in training and follow each other', () => {
    const examples = transformImages(arrayExamples({ x: counted(48), y: [0, 1] }), size, [
      shiftImage(2),
      cropImage({ height: 2, width: 2 }),
      normaliseImage([0], [2]),
    ]);
    const batch = emptyBatch(examples, 2);
    fillBatch(examples, [1, 0], batch);
    const plain = [...batch.inputs];
    fillAltered(examples, [1, 0], batch, { key: keyOf(1), step: 4 });
    const drawn = [...batch.inputs];
    fillAltered(examples, [1, 0], batch, { key: keyOf(1), step: 4 });

    expect(plain).toEqual(
      [25, 26, 29, 30, 37, 38, 41, 42, 1, 2, 5, 6, 13, 14, 17, 18].map((v) => v / 2),
    );
    expect(drawn).not.toEqual(plain);
    expect([...batch.inputs]).toEqual(drawn);
    expect(() => transformImages(examples, size, [])).toThrow(
      'examples are 1 x 8: expected 1 x 24',
    );
  });
});

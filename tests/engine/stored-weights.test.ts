import { halfValue } from '../../engine/data/arrays/numeric-array.ts';
import { describe, expect, it } from 'vitest';
import {
  halfBits,
  packParameter,
  roundBlock,
  unpackParameter,
} from '../../engine/checkpoint/stored-weights.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { randomSource } from './random.ts';

import fc from 'fast-check';

const initial = { kind: 'constant', value: 0 } as const;
const layout = layOutParameters([
  { name: 'dense', shape: [5, 3], initial, decayed: true },
  { name: 'filters', shape: [3, 2, 2, 2], initial, decayed: true },
  { name: 'bias', shape: [3], initial, decayed: false },
]);

describe('half precision', () => {
  it('gives every half its own bits back', () => {
    const halves = Array.from({ length: 2 ** 16 }, (_, half) => half);
    const numbers = halves.filter((half) => !Number.isNaN(halfValue(half)));

    expect(numbers).toHaveLength(2 ** 16 - 2 * 1023);
    expect(numbers.map((half) => halfBits(halfValue(half)))).toEqual(numbers);
    expect(halfValue(halfBits(Number.NaN))).toBeNaN();
  });

  // IEEE 754: the largest half is 65504, the smallest 2^-24; ties go to the even one.
  it.each([
    [65504, 65504],
    [65519, 65504],
    [65520, Number.POSITIVE_INFINITY],
    [2 ** -25, 0],
    [2 ** -25 * 1.001, 2 ** -24],
    [1 + 2 ** -11, 1],
    [1 + 3 * 2 ** -11, 1 + 2 ** -9],
    [-1 / 3, -0.333251953125],
  ])('rounds %d to %d', (value, rounded) => {
    expect(halfValue(halfBits(value))).toBe(rounded);
  });

  it('is never farther off than half a step', () => {
    const magnitudes = fc.double({ min: 2 ** -14, max: 65504, noNaN: true });
    fc.assert(
      fc.property(magnitudes, (value) => {
        const step = 2 ** (Math.floor(Math.log2(Math.fround(value))) - 10);
        expect(Math.abs(halfValue(halfBits(value)) - Math.fround(value))).toBeLessThanOrEqual(
          step / 2,
        );
      }),
    );
  });
});

describe('a model in int8', () => {
  const form = { precision: 'f32', quantization: 'int8' } as const;

  it('rounds each output by half a step of its own scale at most, and keeps vectors', () => {
    const block = randomSource(1).floats(layout.blockBytes / 4);
    // The second output is a thousand times larger: it must not cost the others their digits.
    for (let i = 0; i < 5; i++) block[3 * i + 1]! *= 1000;

    const rounded = roundBlock(layout, block, form);

    const [dense, , bias] = layout.parameters.map(({ offsetBytes }) => offsetBytes / 4);
    for (let output = 0; output < 3; output++) {
      const column = Array.from({ length: 5 }, (_, i) => dense! + 3 * i + output);
      const scale = Math.max(...column.map((i) => Math.abs(block[i]!))) / 127;
      for (const i of column) expect(Math.abs(rounded[i]! - block[i]!)).toBeLessThan(0.501 * scale);
    }
    expect(rounded.subarray(bias!, bias! + 3)).toEqual(block.subarray(bias!, bias! + 3));
  });

  it('has a scale for each filter of a convolution', () => {
    const filters = layout.get('filters');
    const values = Float32Array.from({ length: 24 }, (_, i) => (i < 8 ? 1 : i < 16 ? 0 : -127));

    const packed = packParameter(filters, values, form);

    expect(packed.get('filters')).toMatchObject({ dtype: 'I8', shape: [3, 2, 2, 2] });
    expect(packed.get('filters.scale')!.data).toEqual(Float32Array.of(1 / 127, 0, 1));
    expect(unpackParameter(filters, packed)).toEqual(values);
  });
});

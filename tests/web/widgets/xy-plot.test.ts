import { describe, expect, it } from 'vitest';
import { createCurvesBuffer } from '../../../web/widgets/buffers/curves-buffer.ts';
import { multiplesOf, roundStep } from '../../../engine/pictures/round-ticks.ts';
import { binValues, edgesOf } from '../../../engine/pictures/value-bins.ts';
import { placeOf, scalesOf } from '../../../engine/pictures/scale.ts';
import { nearestPoint } from '../../../web/widgets/xy-plot/nearest-point.ts';
import { curvesTable, describePoint } from '../../../web/widgets/xy-plot/xy-words.ts';
import { text } from './chart-english.ts';

const x = [0, 1, 2, 3];
const up = { x, y: [0, 1, 4, 9] };
const words = {
  names: ['square', 'gap'],
  x: { label: 'time', write: (value: number) => `${value} ms` },
  y: { label: 'value', write: String },
};

describe('the axes of a plane', () => {
  it('end with the data along x and with round numbers along y', () => {
    const scales = scalesOf([up], {});
    expect([scales.x.low, scales.x.high]).toEqual([0, 3]);
    expect([scales.y.low, scales.y.high, ...scales.y.ticks]).toEqual([0, 10, 0, 2, 4, 6, 8, 10]);
    expect(placeOf(scales.y, 5)).toBe(0.5);
  });

  it('are there without data, for a single value, and as they are fixed', () => {
    expect(scalesOf([], {}).x).toMatchObject({ low: 0, high: 1 });
    expect(scalesOf([{ x: [2], y: [Number.NaN] }], {}).x).toMatchObject({ low: 1, high: 3 });
    expect(scalesOf([up], { y: [-1, 1] }).y).toMatchObject({ low: -1, high: 1 });
  });

  it('have ticks free of the dust of binary fractions', () => {
    expect(multiplesOf(0.1, 0, 0.5)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    expect([0.3, 7, 23].map(roundStep)).toEqual([0.5, 10, 25]);
  });
});

describe('a point of a curve', () => {
  const scales = scalesOf([up], {});

  it('is the nearest along the axis, or in the plane', () => {
    expect(nearestPoint(up, scales, { x: 0.6, y: 0 }, 'x')).toBe(2);
    expect(nearestPoint(up, scales, { x: 0.6, y: 0.95 }, 'plane')).toBe(3);
    expect(nearestPoint({ x: [], y: [] }, scales, { x: 0, y: 0 }, 'x')).toBeNull();
  });

  it('is read with all curves that have a value there', () => {
    const gap = { x, y: [5, Number.NaN, 7, 8] };
    const at = (point: number) => describePoint(text, [up, gap], words, { curve: 0, point });
    expect(at(2)).toBe('2 ms: square 4 and gap 7');
    expect(at(1)).toBe('1 ms: square 1');
  });
});

describe('the table of a plane', () => {
  it('has a column a curve where all share their x, thinned out where it is long', () => {
    const gap = { x, y: [5, Number.NaN, 7, 8] };
    expect(curvesTable([up, gap], words)).toEqual({
      columns: ['time', 'square', 'gap'],
      rows: [
        ['0', '0', '5'],
        ['1', '1', ''],
        ['2', '4', '7'],
        ['3', '9', '8'],
      ],
    });
    expect(curvesTable([up], words, 2).rows.map(([at]) => at)).toEqual(['0', '2']);
  });

  it('has a row a point where they do not', () => {
    const other = { x: [7], y: [8] };
    expect(curvesTable([up, other], words).rows.at(-1)).toEqual(['gap', '7', '8']);
  });
});

it('curves have as many x as y', () => {
  expect(() => createCurvesBuffer().replace([{ x: [1], y: [] }])).toThrow('1 x and 0 y');
});

it('values fall into one bin each, the last edge into the last bin', () => {
  const bins = binValues([0, 0.5, 1, 1.99, 2, 3, Number.NaN], { from: 0, to: 2, bins: 2 });
  expect(Array.from(bins.counts)).toEqual([2, 3]);
  expect(bins.outside).toBe(1);
  expect(edgesOf(bins, 1)).toEqual([1, 2]);
});

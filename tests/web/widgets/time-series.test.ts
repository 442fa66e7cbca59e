import { describe, expect, it } from 'vitest';
import { plotRows } from '../../../engine/pictures/plot-rows.ts';
import { reduceMinMax } from '../../../engine/pictures/reduce.ts';
import { smooth } from '../../../engine/pictures/smooth.ts';
import { createSeriesBuffer } from '../../../web/widgets/buffers/series-buffer.ts';
import {
  lastRow,
  nearestRow,
  tableRows,
  trendOf,
} from '../../../web/widgets/time-series/reading.ts';
import {
  describePoint,
  describeSeries,
  seriesTable,
} from '../../../web/widgets/time-series/series-words.ts';
import { fc } from '../seeded.ts';
import { text } from './chart-english.ts';

const value = fc.double({ noNaN: true, noDefaultInfinity: true });
const curve = fc
  .array(fc.option(value, { nil: Number.NaN, freq: 8 }), { minLength: 1, maxLength: 300 })
  .map((values) => Float64Array.from(values));
const steps = (length: number) => Float64Array.from({ length }, (_, step) => step);

describe('reduceMinMax', () => {
  it('keeps the first x, the last x and the extremes of every curve, in few rows', () => {
    fc.assert(
      fc.property(curve, fc.integer({ min: 2, max: 64 }), (y, maxRows) => {
        const rows = reduceMinMax({ x: steps(y.length), y: [y] }, maxRows);
        const kept = rows.y[0]!.filter((v) => v !== null);
        const all = Array.from(y).filter((v) => !Number.isNaN(v));

        expect(rows.x.length).toBeLessThanOrEqual(maxRows);
        expect(rows.x[0]).toBe(0);
        expect(rows.x.at(-1)).toBe(y.length - 1);
        expect(rows.x).toEqual(rows.x.toSorted((a, b) => a - b));
        expect(Math.min(...kept)).toBe(Math.min(...all));
        expect(Math.max(...kept)).toBe(Math.max(...all));
      }),
    );
  });

  it('changes nothing that is small enough, but for gaps', () => {
    const rows = reduceMinMax({ x: steps(3), y: [Float64Array.of(1, Number.NaN, 3)] }, 3);

    expect(rows).toEqual({ x: [0, 1, 2], y: [[1, null, 3]] });
  });

  it('keeps a lone peak among a million points', () => {
    const y = new Float64Array(1_000_000);
    y[654_321] = 7;

    const rows = reduceMinMax({ x: steps(y.length), y: [y] }, 1_000);

    expect(Math.max(...rows.y[0]!.map((v) => v ?? 0))).toBe(7);
  });
});

const smoothedBy = (values: readonly number[], weight: number) =>
  Array.from(smooth(Float64Array.from(values), weight, new Float64Array(values.length)));

describe('smooth', () => {
  it('is the curve itself without weight', () => {
    expect(smoothedBy([3, 1, 2], 0)).toEqual([3, 1, 2]);
  });

  it('leaves a level curve level from its first point on', () => {
    for (const level of smoothedBy([5, 5, 5, 5], 0.9)) expect(level).toBeCloseTo(5, 12);
  });

  it('is the weighted mean of all values so far', () => {
    // (0.5 * 1 + 1 * 4) / (0.5 + 1)
    expect(smoothedBy([1, 4], 0.5)[1]).toBeCloseTo(3, 12);
  });

  it('never leaves the range of the values before it', () => {
    const weights = fc.double({ min: 0, max: 0.99, noNaN: true });
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, weights, (raw, weight) => {
        smoothedBy(raw, weight).forEach((level, row) => {
          const before = raw.slice(0, row + 1);
          expect(level).toBeGreaterThanOrEqual(Math.min(...before) - 1e-6);
          expect(level).toBeLessThanOrEqual(Math.max(...before) + 1e-6);
        });
      }),
    );
  });

  it('leaves a gap a gap and goes on after it', () => {
    expect(smoothedBy([2, Number.NaN, 2], 0.9)).toEqual([2, Number.NaN, 2]);
  });
});

describe('reading a curve', () => {
  it('finds the nearest row as a search through all of them would', () => {
    const xs = fc
      .array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 })
      .map((list) => Float64Array.from(list.toSorted((a, b) => a - b)));
    fc.assert(
      fc.property(xs, fc.double({ min: -2000, max: 2000, noNaN: true }), (sorted, x) => {
        const nearest = Math.min(...Array.from(sorted, (at) => Math.abs(at - x)));

        expect(Math.abs(sorted[nearestRow(sorted, x)]! - x)).toBe(nearest);
      }),
    );
  });

  it('has no nearest and no last row without rows', () => {
    expect(nearestRow(new Float64Array(0), 1)).toBe(-1);
    expect(lastRow(Float64Array.of(Number.NaN))).toBe(-1);
  });

  it.each([
    ['falling', [5, 4, 3, 2, 1, 0.9, 0.8, 0.7, 0.6, 0.5]],
    ['rising', [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]],
    ['steady', [9, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ['steady', [1, 1, 1, 1]],
    ['unknown', [1, 2, 3]],
    ['unknown', []],
  ] as const)('calls a curve %s', (trend, values) => {
    expect(trendOf(Float64Array.from(values))).toBe(trend);
  });

  it('spreads the rows of a table over all, first and last included', () => {
    const rows = tableRows({ x: steps(1_001), y: [] }, 11);

    expect(rows).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  });
});

describe('the words of a time series', () => {
  const names = { series: ['loss', 'accuracy'], axis: 'step' };
  const buffer = createSeriesBuffer(2, 2_000);
  for (let step = 0; step <= 1_200; step++) {
    buffer.push(step, [2 * Math.exp(-step / 600) + 0.04, step < 600 ? Number.NaN : 0.9]);
  }

  it('are one sentence a curve', () => {
    expect(describeSeries(text, buffer.window(), names)).toEqual([
      'loss 0.311 at step 1,200, falling',
      'accuracy 0.9 at step 1,200, steady',
    ]);
  });

  it('leave out a curve without a value', () => {
    const empty = createSeriesBuffer(2, 4);
    empty.push(0, [Number.NaN, 0.5]);

    expect(describeSeries(text, empty.window(), names)).toEqual(['accuracy 0.5 at step 0']);
    expect(describeSeries(text, createSeriesBuffer(2, 4).window(), names)).toEqual([]);
  });

  it('read every curve that has a value at a point', () => {
    expect(describePoint(text, buffer.window(), names, 600.4)).toBe(
      'step 600: loss 0.776 and accuracy 0.9',
    );
    expect(describePoint(text, buffer.window(), names, 10)).toBe('step 10: loss 2.01');
  });

  it('make a table of a hundred rows at most', () => {
    const { columns, rows } = seriesTable(text, buffer.window(), names);

    expect(columns).toEqual(['step', 'loss', 'accuracy']);
    expect(rows).toHaveLength(100);
    expect(rows[0]).toEqual(['0', '2.04', '–']);
  });
});

describe('the rows of a plot', () => {
  it('have the smoothed curves after the plain ones', () => {
    const buffer = createSeriesBuffer(1, 8);
    for (const [step, loss] of [4, 2, 1].entries()) buffer.push(step, [loss]);

    expect(
      plotRows(buffer.window(), { scale: 'linear', smoothing: 0, maxRows: 10 }).y,
    ).toHaveLength(1);
    const [plain, smoothed] = plotRows(buffer.window(), {
      scale: 'linear',
      smoothing: 0.5,
      maxRows: 10,
    }).y;
    expect(plain).toEqual([4, 2, 1]);
    expect(smoothed![1]).toBeCloseTo(8 / 3, 12);
  });

  it('have gaps where a logarithm has no value', () => {
    const buffer = createSeriesBuffer(1, 8);
    for (const [step, loss] of [1, 0, -1, 2].entries()) buffer.push(step, [loss]);

    const { y } = plotRows(buffer.window(), { scale: 'log', smoothing: 0, maxRows: 10 });

    expect(y[0]).toEqual([1, null, null, 2]);
  });
});

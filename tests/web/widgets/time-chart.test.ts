import { describe, expect, it } from 'vitest';
import {
  curvePath,
  gridOf,
  onGrid,
  stepAt,
  timeOf,
  timeTicks,
  valueScale,
} from '../../../web/widgets/time-chart/time-scale.ts';
import { fc } from '../seeded.ts';

describe('the grid of a time chart', () => {
  const grid = gridOf({ from: 1_000, to: 61_000, stepMs: 15_000 });

  it('begins on a whole step and reaches the end', () => {
    expect(grid).toEqual({ start: 0, stepMs: 15_000, count: 5 });
    expect(stepAt(grid, timeOf(grid, 3))).toBe(3);
  });

  it('leaves a gap where nothing was measured, and drops what lies outside', () => {
    const points = [
      [0, 1],
      [30_000, null],
      [45_000, 2],
      [900_000, 9],
    ] as const;

    expect([...onGrid(grid, { name: 'x', points })]).toEqual([
      1,
      Number.NaN,
      Number.NaN,
      2,
      Number.NaN,
    ]);
  });

  it('breaks a curve at a gap, and draws a lone point', () => {
    const path = curvePath(new Float64Array([1, 1, Number.NaN, 1, Number.NaN]), valueScale([0, 1]));

    expect(path.match(/M/g)).toHaveLength(2);
    expect(path.match(/h\.01/g)).toHaveLength(1);
  });

  it('goes on over a silence that is short enough', () => {
    const values = new Float64Array([1, Number.NaN, 1, Number.NaN, Number.NaN, 1]);

    expect(curvePath(values, valueScale([0, 1]), 1).match(/[MLh]/g)).toEqual(['M', 'L', 'M', 'h']);
    expect(curvePath(values, valueScale([0, 1]), 2).match(/[MLh]/g)).toEqual(['M', 'L', 'L']);
  });
});

describe('the scales of a time chart', () => {
  it('enclose every value with a handful of round ticks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 }),
        (values) => {
          const { min, max, ticks } = valueScale(values);
          expect(min).toBeLessThanOrEqual(Math.min(0, ...values));
          expect(max).toBeGreaterThanOrEqual(Math.max(...values));
          expect(ticks.length).toBeLessThanOrEqual(8);
        },
      ),
    );
  });

  it('need not reach down to zero', () => {
    const { min, max, ticks } = valueScale([20.1, 20.9], { base: 'values' });

    expect([min, max]).toEqual([20, 21]);
    expect(ticks.length).toBeGreaterThan(2);
    expect(valueScale([20], { base: 'values' })).toMatchObject({ min: 20, max: 21 });
    expect(valueScale([], { base: 'values' })).toMatchObject({ min: 0, max: 1 });
  });

  it('show the range from zero where nothing was measured', () => {
    expect(valueScale([Number.NaN])).toMatchObject({ min: 0, max: 1 });
  });

  it('say no number twice, and end with it also where all are written alike', () => {
    const whole = (value: number) => value.toFixed(0);

    expect(valueScale([0, 1], { write: whole }).ticks).toEqual([0, 1]);
    expect(valueScale([0, 3], { write: whole }).ticks).toEqual([0, 1, 2, 3]);
    expect(valueScale([-0.2, 0.2], { write: () => 'x' }).ticks).toHaveLength(3);
  });

  it('have at most as many times as there is room for', () => {
    for (const hours of [1 / 60, 0.25, 1, 6, 24, 168, 720]) {
      const to = Date.UTC(2026, 10, 21, 12);
      const ticks = timeTicks({ from: to - hours * 3_600_000, to, stepMs: 60_000 }, 6);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
  });
});

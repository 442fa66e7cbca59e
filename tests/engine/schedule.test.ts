import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learningRateAt } from '../../engine/optimizers/learning-rate.ts';
import { progressOf, totalSteps } from '../../engine/train/schedule.ts';
import { stableBaseline, type TrainingControls } from '../../engine/settings/controls.ts';

const rates = fc.double({ min: 1e-6, max: 10, noNaN: true });
const totals = fc.integer({ min: 1, max: 100_000 });
const shares = fc.double({ min: 0, max: 1, noNaN: true });

describe('a budget', () => {
  it('of steps is as many steps', () => {
    const budget = { kind: 'steps', steps: 400 } as const;

    expect(totalSteps(budget, 7)).toBe(400);
    expect([0, 100, 400, 500].map((step) => progressOf(budget, 7, { step, seconds: 9 }))).toEqual([
      0, 0.25, 1, 1,
    ]);
  });

  it('of epochs is that many times the steps of one, at least one step', () => {
    expect(totalSteps({ kind: 'epochs', epochs: 2.5 }, 40)).toBe(100);
    expect(totalSteps({ kind: 'epochs', epochs: 0.001 }, 40)).toBe(1);
    const budget = { kind: 'epochs', epochs: 2.5 } as const;
    expect(progressOf(budget, 40, { step: 50, seconds: 0 })).toBe(0.5);
  });

  it('of minutes is spent by the clock, whatever the steps, and has no number of steps', () => {
    const budget = { kind: 'minutes', minutes: 2 } as const;

    expect(totalSteps(budget, 40)).toBeUndefined();
    expect(progressOf(budget, 40, { step: 1_000_000, seconds: 30 })).toBe(0.25);
    expect(progressOf(budget, 40, { step: 0, seconds: 121 })).toBe(1);
  });
});

describe('the learning rate', () => {
  const controls = (warmup: number): TrainingControls => ({ ...stableBaseline, warmup });

  it('rises in a straight line over the warm-up, and the first step already learns', () => {
    // 1000 steps, 50 of them warm-up; the cosine has hardly begun.
    const at = (step: number) => learningRateAt(0.5, controls(0.05), step / 1000, 1000);

    for (const step of [0, 1, 24, 48, 49]) {
      const cosine = 0.1 + 0.9 * 0.5 * (1 + Math.cos((Math.PI * step) / 1000));
      expect(at(step)).toBeCloseTo((0.5 * cosine * (step + 1)) / 50, 12);
    }
    expect(at(0)).toBeCloseTo(0.01, 12);
  });

  it('is the submitted rate at once without a warm-up', () => {
    expect(learningRateAt(0.003, controls(0), 0, 100)).toBe(0.003);
  });

  it('falls along a cosine to a tenth of the submitted rate', () => {
    const at = (progress: number) => learningRateAt(2, stableBaseline, progress, 1000);

    expect(at(0.5)).toBeCloseTo(2 * 0.55, 12);
    expect(at(1)).toBeCloseTo(0.2, 12);
    expect(at(7)).toBeCloseTo(0.2, 12);
  });

  it('is positive, never above the submitted one, and only falls after the warm-up', () => {
    const cases = fc.tuple(
      rates,
      totals,
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      shares,
      shares,
    );
    fc.assert(
      fc.property(cases, ([submitted, total, warmup, a, b]) => {
        const at = (progress: number) =>
          learningRateAt(submitted, controls(warmup), progress, total);
        const [earlier, later] = [Math.min(a, b), Math.max(a, b)];

        expect(at(earlier)).toBeGreaterThan(0);
        expect(at(earlier)).toBeLessThanOrEqual(submitted);
        if (earlier < warmup) return;
        expect(at(later)).toBeLessThanOrEqual(at(earlier));
      }),
    );
  });

  it('rises by the clock when the budget is in minutes', () => {
    const at = (progress: number) => learningRateAt(1, controls(0.1), progress, undefined);

    expect(at(0)).toBeCloseTo(0.01, 12);
    expect(at(0.05)).toBeGreaterThan(at(0.04));
    expect(at(1)).toBeCloseTo(0.1, 12);
  });
});

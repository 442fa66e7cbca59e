import { describe, expect, it } from 'vitest';
import {
  constantRate,
  cosineRate,
  exponentialRate,
  oneCycleRate,
  type PlateauRate,
  plateauRate,
  type PlateauState,
  type Schedule,
  stepRate,
} from '../../engine/optimizers/schedules.ts';

const at = (schedule: Schedule, total: number, ...steps: number[]) =>
  steps.map((step) => schedule(step, total));

describe('a schedule', () => {
  it('that is constant stays at 1', () => {
    expect(at(constantRate(), 10, 0, 5, 9)).toEqual([1, 1, 1]);
  });

  it('rises in a straight line and falls along half a cosine', () => {
    const rates = at(
      cosineRate({ warmup: 0.1, decayStart: 0.5, finalRate: 0.2 }),
      100,
      0,
      4,
      9,
      50,
      75,
      100,
    );
    const expected = [0.1, 0.5, 1, 1, 0.6, 0.2];
    for (const [i, rate] of rates.entries()) expect(rate).toBeCloseTo(expected[i]!, 12);
  });

  it('of one cycle goes from its start to 1 and to its end', () => {
    const schedule = oneCycleRate({ peak: 0.25, start: 0.1, end: 0.01 });
    const rates = at(schedule, 101, 0, 25, 100, 1000);
    for (const [i, rate] of [0.1, 1, 0.01, 0.01].entries()) expect(rates[i]).toBeCloseTo(rate, 12);
    expect(schedule(12, 101)).toBeGreaterThan(schedule(11, 101));
    expect(schedule(60, 101)).toBeLessThan(schedule(59, 101));
  });

  it('of one cycle is a number at every edge', () => {
    for (const peak of [0, 1]) {
      for (const total of [1, 2, 5]) {
        for (let step = 0; step < total; step++) {
          expect(oneCycleRate({ peak })(step, total)).toBeGreaterThan(0);
        }
      }
    }
  });

  it('falls in steps, or in every step', () => {
    expect(at(stepRate({ every: 10, factor: 0.5 }), 100, 0, 9, 10, 25)).toEqual([1, 1, 0.5, 0.25]);
    expect(at(exponentialRate({ factor: 0.5 }), 100, 0, 1, 3)).toEqual([1, 0.5, 0.125]);
  });

  it.each([
    [() => stepRate({ every: 0 }), /every is 0: expected a whole number of at least 1/],
    [() => exponentialRate({ factor: 2 }), /factor is 2: expected a number from 0 to 1/],
    [() => oneCycleRate({ peak: -1 }), /peak is -1/],
    [() => plateauRate({ patience: 0.5 }), /patience is 0.5/],
    [() => plateauRate().observe(Number.NaN), /the loss is NaN/],
  ])('refuses settings that cannot be, %#', (make, message) => {
    expect(make).toThrow(message);
  });
});

describe('a rate that falls at plateaus', () => {
  const observe = (rate: PlateauRate, ...losses: number[]) =>
    losses.map((loss) => {
      rate.observe(loss);
      return rate.factor;
    });
  const options = { factor: 0.5, patience: 1, threshold: 0.01, lowest: 0.2 };

  it('falls once more observations than its patience brought nothing', () => {
    const rate = plateauRate(options);
    // 0.995 is no improvement of 1 %.
    expect(observe(rate, 1, 0.995, 0.995, 0.9, 1, 1, 1, 1, 1)).toEqual([
      1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.2, 0.2,
    ]);
  });

  it('goes on from a state that went through a file', () => {
    const whole = plateauRate(options);
    const first = plateauRate(options);
    observe(whole, 3, 2, 2, 2, 2);
    observe(first, 3, 2, 2);
    const state = JSON.parse(JSON.stringify(first.state)) as PlateauState;
    const second = plateauRate(options, state);
    observe(second, 2, 2);

    expect(second.state).toEqual(whole.state);
  });
});

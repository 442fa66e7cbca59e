import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueOf, windowOf, windowsOf } from '../../edge/monitoring/aggregate.ts';
import {
  decodePoints,
  decodeRollups,
  encodePoints,
  encodeRollups,
} from '../../edge/monitoring/block-codec.ts';
import { type Distribution, increaseOf, quantileOf } from '../../edge/monitoring/distribution.ts';
import {
  join,
  type Rollup,
  rollupAll,
  rollupOf,
  type TimedValue,
} from '../../edge/monitoring/rollup.ts';
import { resolutionFor } from '../../edge/monitoring/tiers.ts';

const BOUNDS = [0.1, 1, 10] as const;

/** The distribution of observations, counted one by one. */
const distributionFor = (observed: readonly number[]): Distribution => ({
  le: BOUNDS,
  counts: BOUNDS.map((bound) => observed.filter((value) => value <= bound).length),
  count: observed.length,
  sum: observed.reduce((sum, value) => sum + value, 0),
});

const timed = (values: readonly TimedValue['value'][]): TimedValue[] =>
  values.map((value, i) => ({ at: i * 1000, value }));

/** A total and how far it really rose: each step adds, or the program restarts and counts from 0. */
const anyTotal = fc
  .array(fc.record({ more: fc.nat(100), restarts: fc.boolean() }), { minLength: 1, maxLength: 30 })
  .map((steps) => {
    let total = 0;
    let rise = 0;
    const values = steps.map(({ more, restarts }, i) => {
      // A restart shows only where the total then is lower than before.
      total = restarts && more < total ? more : total + more;
      if (i > 0) rise += more;
      return total;
    });
    return { values, rise };
  });

const anyObservations = fc.array(
  fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { maxLength: 6 }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

/** The cumulative reports of a histogram after each batch of observations. */
const cumulativeReports = (batches: readonly (readonly number[])[]): Distribution[] =>
  batches.map((_, i) => distributionFor(batches.slice(0, i + 1).flat()));

/** Cuts a list at random places and rolls up each part, then the parts. */
function inParts(samples: readonly TimedValue[], cuts: readonly number[]): Rollup | undefined {
  const places = [...new Set(cuts.map((cut) => cut % (samples.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  const parts = [0, ...places].map((from, i) => samples.slice(from, places[i] ?? samples.length));
  return parts.reduce<Rollup | undefined>((whole, part) => {
    const rollup = rollupAll(part);
    return rollup ? join(whole, rollup) : whole;
  }, undefined);
}

describe('a rollup of rollups', () => {
  it('says of numbers what the samples say', () => {
    const anyNumbers = fc.array(fc.oneof(fc.integer(), fc.constant(NaN)), { minLength: 1 });
    fc.assert(
      fc.property(anyNumbers, fc.array(fc.nat(50)), (values, cuts) => {
        expect(inParts(timed(values), cuts)).toEqual(rollupAll(timed(values)));
      }),
    );
  });

  it('keeps the rise of a total, restarts included', () => {
    fc.assert(
      fc.property(anyTotal, fc.array(fc.nat(50)), ({ values, rise }, cuts) => {
        const rollup = inParts(timed(values), cuts);
        expect(rollup).toMatchObject({ increase: rise, n: values.length, last: values.at(-1) });
      }),
    );
  });

  it('keeps every observation of a histogram', () => {
    fc.assert(
      fc.property(anyObservations, fc.array(fc.nat(50)), (batches, cuts) => {
        const rollup = inParts(timed(cumulativeReports(batches)), cuts);
        const { counts, count, sum } = distributionFor(batches.slice(1).flat());
        expect(rollup?.increase).toMatchObject({ counts, count, sum: expect.closeTo(sum, 6) });
      }),
    );
  });

  it('does not depend on the order in which samples came', () => {
    const shuffled = fc
      .array(fc.integer(), { minLength: 1 })
      .chain((values) =>
        fc.tuple(
          fc.constant(timed(values)),
          fc.shuffledSubarray(timed(values), { minLength: values.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([inOrder, mixed]) => {
        expect(rollupAll(mixed)).toEqual(rollupAll(inOrder));
      }),
    );
  });

  it('is stored and read back the same', () => {
    const numbers = fc.array(fc.oneof(fc.double(), fc.constantFrom(Infinity, -Infinity)));
    fc.assert(
      fc.property(numbers, anyObservations, (values, batches) => {
        const rollups = new Map<number, Rollup>();
        const ofNumbers = rollupAll(timed(values));
        const ofBatches = rollupAll(timed(cumulativeReports(batches)));
        if (ofNumbers) rollups.set(1, ofNumbers);
        if (ofBatches) rollups.set(2, ofBatches);
        const points = timed(values).map((one) => ({ ...one, series: 7 }));

        const read = encodeRollups(rollups).flatMap((text) => [...decodeRollups(text)]);
        expect(new Map(read)).toEqual(
          new Map([...rollups].map(([id, one]) => [id, withoutMinusZero(one)])),
        );
        expect(encodePoints(points).flatMap(decodePoints)).toEqual(points.map(withoutMinusZero));
      }),
    );
  });
});

/** JSON has no -0. */
const withoutMinusZero = <T extends object>(one: T): T =>
  Object.fromEntries(
    Object.entries(one).map(([key, value]) => [key, value === 0 ? 0 : value]),
  ) as T;

describe('a quantile', () => {
  it('lies in the bucket that holds the observation of its rank', () => {
    const observed = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(observed, fc.constantFrom(0.5, 0.9, 0.95, 0.99), (values, quantile) => {
        const found = quantileOf(distributionFor(values), quantile);
        const rank = Math.max(1, Math.ceil(quantile * values.length));
        const exact = values.toSorted((a, b) => a - b)[rank - 1] ?? NaN;
        const i = BOUNDS.findIndex((bound) => exact <= bound);
        expect(found).toBeGreaterThanOrEqual(BOUNDS[i - 1] ?? 0);
        expect(found).toBeLessThanOrEqual(BOUNDS[i] ?? Infinity);
      }),
    );
  });

  it.each([
    [0.5, [0, 10, 10], 10, expect.closeTo(0.1 + 0.9 * 0.5, 9)],
    [0.99, [0, 0, 0], 10, 10],
    [0.5, [0, 0, 0], 0, null],
  ])('%d of buckets %j and count %d is %s', (quantile, counts, count, expected) => {
    const found = quantileOf({ le: BOUNDS, counts, count, sum: 0 }, quantile);
    expect(found).toEqual(expected);
  });
});

describe('a histogram', () => {
  const first = distributionFor([0.05, 5, 50]);

  it('that shrank was reset, and all it counts came since', () => {
    const restarted = distributionFor([0.5]);
    expect(increaseOf(first, restarted)).toEqual(restarted);
  });

  it('whose bounds changed keeps its count', () => {
    const later: Distribution = { le: [1, 2], counts: [2, 2], count: 5, sum: 60 };
    const { count, counts, le } = increaseOf(first, later);
    expect(count).toBe(2);
    expect(le).toEqual([0.1, 1, 2, 10]);
    expect(counts.toSorted((a, b) => a - b)).toEqual(counts);
  });
});

describe('windows', () => {
  it('side by side hold the whole rise of a total, each rise once', () => {
    fc.assert(
      fc.property(anyTotal, fc.integer({ min: 1, max: 7000 }), ({ values, rise }, widthMs) => {
        const cells = timed(values).map(({ at, value }) => ({
          start: at,
          rollup: rollupOf(value, at)!,
        }));
        const count = Math.ceil((values.length * 1000) / widthMs);
        const starts = Array.from({ length: count }, (_, i) => i * widthMs);
        const windows = windowsOf(cells, { starts, widthMs, lookbackMs: 1e9 });
        const whole = [...windows.values()].reduce((sum, { increase }) => sum + increase, 0);
        expect(whole).toBe(rise);
      }),
    );
  });

  it('follow a total only from near samples on', () => {
    const cells = [
      { start: 0, rollup: rollupOf(10, 0)! },
      { start: 600_000, rollup: rollupOf(15, 600_000)! },
    ];
    const asked = { starts: [540_000], widthMs: 120_000 };
    const increaseWithin = (lookbackMs: number) =>
      windowsOf(cells, { ...asked, lookbackMs }).get(540_000)?.increase;

    expect(increaseWithin(600_000)).toBe(5);
    expect(increaseWithin(300_000)).toBe(0);
  });

  it('of a summary give the quantiles its program computed', () => {
    const summary: Distribution = { le: [], counts: [], count: 4, sum: 8, quantiles: [[0.5, 2]] };
    const window = windowOf(rollupOf(summary, 0)!, undefined);
    expect(valueOf(window, 'p50', 60)).toBe(2);
    expect(valueOf(window, 'p99', 60)).toBeNull();
  });
});

describe('the tier to read', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const HOUR = 3_600_000;
  it.each([
    [1 * HOUR, 15_000, 'raw'],
    [1 * HOUR, 60_000, 'minute'],
    [1 * HOUR, 900_000, 'quarter'],
    [6 * HOUR, 15_000, 'minute'],
    [48 * HOUR, 60_000, 'quarter'],
    [9000 * HOUR, 60_000, 'quarter'],
  ])('for %d ms back in steps of %d ms is %s', (back, stepMs, expected) => {
    expect(resolutionFor({ from: now - back, stepMs, now })).toBe(expected);
  });
});

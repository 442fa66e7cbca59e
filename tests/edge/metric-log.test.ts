import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Catalogue } from '../../edge/monitoring/catalogue.ts';
import type { MetricRefusal } from '../../edge/monitoring/contract/metrics.ts';
import type { Sample } from '../../edge/monitoring/sample.ts';
import { MetricLog } from '../../edge/monitoring/metric-log.ts';
import { MetricReader } from '../../edge/monitoring/reader.ts';
import { MONITORING_MIGRATIONS, MonitoringStore } from '../../edge/monitoring/store.ts';
import { openSql } from './sqlite.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const total = (value: number, at: number): Sample => ({
  service: 'svc',
  name: 'x_total',
  type: 'counter',
  unit: null,
  help: null,
  labels: {},
  at,
  value,
  temporality: 'cumulative',
  place: { pointer: '' },
});

/** The parts of a Monitoring object, with the clock in the test's hand. */
class Parts {
  readonly sql = openSql(MONITORING_MIGRATIONS);
  readonly store = new MonitoringStore(this.sql);
  catalogue = new Catalogue();
  log = new MetricLog(this.store);

  take(sample: Sample, now: number): MetricRefusal | undefined {
    const result = this.catalogue.take(sample, now);
    if (!('family' in result)) return result;
    this.log.add(result);
    return undefined;
  }

  flush(now: number): void {
    this.log.write();
    this.log.rollUp(this.catalogue, now);
    this.log.written();
  }

  /** Drops pending samples and reads stored ones again. */
  restart(): void {
    this.catalogue = new Catalogue();
    this.log = new MetricLog(this.store);
    this.log.load(this.catalogue);
  }

  reader = () => new MetricReader(this.catalogue, this.log);

  increase(range: { from: number; to: number; stepMs: number; now: number }): number {
    const asked = { service: 'svc', name: 'x_total', labels: [], agg: 'increase' } as const;
    const { series } = this.reader().ofService({ ...asked, ...range });
    return (series[0]?.points ?? []).reduce((sum, [, value]) => sum + (value ?? 0), 0);
  }

  rows(tier: number): { readonly count: number; readonly oldest: number | null } {
    return this.sql
      .exec<{ count: number; oldest: number | null }>(
        'SELECT count(*) AS count, min(start) AS oldest FROM blocks WHERE tier = ?',
        tier,
      )
      .one();
  }
}

describe('a month of samples', () => {
  const parts = new Parts();
  const end = NOON + 32 * DAY;
  for (let now = NOON, value = 0; now <= end; now += MINUTE, value += 3) {
    parts.take(total(value, now), now);
    if (now % (5 * MINUTE) === 0) parts.flush(now);
    if (now % HOUR === 0) parts.log.clearOld(now);
  }

  it('is retained for an hour raw, a day by the minute and 30 days by the quarter hour', () => {
    const [raw, minutes, quarters] = [0, 1, 2].map((tier) => parts.rows(tier));

    expect(raw?.oldest).toBeGreaterThanOrEqual(end - 1.5 * HOUR);
    expect(minutes?.oldest).toBeGreaterThanOrEqual(end - 24.5 * HOUR);
    expect(quarters?.oldest).toBeGreaterThanOrEqual(end - 30 * DAY - HOUR);
    expect(minutes?.count).toBeGreaterThanOrEqual(24 * 60);
    expect(quarters?.count).toBeGreaterThanOrEqual(30 * 24 * 4);
  });

  it.each([
    ['an hour in minutes', HOUR, MINUTE],
    ['a day in minutes', DAY, MINUTE],
    ['30 days in quarter hours', 30 * DAY, 15 * MINUTE],
    ['30 days in days', 30 * DAY, DAY],
  ])('shows the whole rise over %s', (_, range, stepMs) => {
    const from = end - range;
    const rise = parts.increase({ from, to: end, stepMs, now: end });

    // The first step starts where it is cut, at most one step before.
    expect(rise).toBeGreaterThanOrEqual((range / MINUTE) * 3);
    expect(rise).toBeLessThanOrEqual(((range + stepMs) / MINUTE) * 3);
  });

  it('gives past values as they were then', () => {
    const query = { metric: 'x_total', agg: 'rate', window_s: 3600 } as const;
    const [now] = parts.reader().evaluate({ ...query, at: end }, end);
    const range = { from: end - 10 * DAY, to: end - 9 * DAY, step_s: 3600 };
    const [past] = parts.reader().history({ ...query, ...range }, end);

    expect(now).toEqual({ labels: { service: 'svc' }, value: expect.closeTo(3 / 60, 6) });
    expect(past?.points).toHaveLength(25);
    for (const [, value] of past?.points ?? []) expect(value).toBeCloseTo(3 / 60, 6);
  });

  it('is forgotten 30 days after its last sample', () => {
    expect(parts.catalogue.forget(end)).toEqual({ families: [], series: [] });
    expect(parts.catalogue.forget(end + 1)).toEqual({ families: [1], series: [1] });
    expect(parts.catalogue.seriesCount).toBe(0);
  });
});

describe('samples in any order, with restarts in between', () => {
  const anyStep = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('take'), second: fc.nat(3500), value: fc.nat(50) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('flush') }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
  );

  it('rise the same at every step', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 40 }), (steps) => {
        const parts = new Parts();
        const kept = new Map<number, number>();
        const waiting = new Map<number, number>();
        for (const step of steps) {
          if ('second' in step) {
            const at = NOON - step.second * 1000;
            if (kept.has(at) || waiting.has(at)) continue;
            parts.take(total(step.value, at), NOON);
            waiting.set(at, step.value);
          } else if (step.do === 'flush') {
            parts.flush(NOON);
            for (const [at, value] of waiting) kept.set(at, value);
            waiting.clear();
          } else {
            parts.restart();
            waiting.clear();
          }
        }
        const all = [...kept, ...waiting].toSorted(([a], [b]) => a - b).map(([, value]) => value);
        const rises = all.slice(1).map((v, i) => (v >= (all[i] ?? 0) ? v - (all[i] ?? 0) : v));
        const rise = rises.reduce((sum, one) => sum + one, 0);
        const range = { from: NOON - HOUR, to: NOON + MINUTE, now: NOON };

        // One step over everything, so that no gap is longer than what a total is followed over.
        expect(parts.increase({ ...range, stepMs: 2 * HOUR + 1 })).toBe(rise);
        expect(parts.increase({ ...range, stepMs: 2 * HOUR + MINUTE })).toBe(rise);
        expect(parts.increase({ ...range, stepMs: 2 * HOUR + 15 * MINUTE })).toBe(rise);
      }),
      { numRuns: 200 },
    );
  });

  it('show the newest one, also after a restart', () => {
    const parts = new Parts();
    parts.take(total(5, NOON - 1000), NOON);
    parts.take(total(2, NOON - 30_000), NOON);
    parts.flush(NOON);
    parts.restart();

    const [family] = parts.catalogue.families();
    expect([...(family?.series.values() ?? [])].map(({ latest }) => latest)).toEqual([
      { at: NOON - 1000, value: 5 },
    ]);
  });
});

describe('series joined by a label', () => {
  it('add up', () => {
    const parts = new Parts();
    for (const route of ['/a', '/b']) {
      for (const [value, at] of [
        [0, NOON - 50_000],
        [30, NOON - 1000],
      ] as const) {
        parts.take({ ...total(value, at), labels: { route } }, NOON);
      }
    }
    const query = { metric: 'x_total', agg: 'increase', window_s: 60, at: NOON } as const;

    expect(parts.reader().evaluate({ ...query, by: ['service'] }, NOON)).toEqual([
      { labels: { service: 'svc' }, value: 60 },
    ]);
    expect(parts.reader().evaluate({ ...query, labels: { route: '/a' } }, NOON)).toEqual([
      { labels: { route: '/a', service: 'svc' }, value: 30 },
    ]);
    expect(parts.reader().evaluate({ ...query, agg: 'p99' }, NOON)).toEqual([]);
  });
});

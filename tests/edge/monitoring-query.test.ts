import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MetricInput } from '../../edge/monitoring/contract/metrics.ts';
import { type Edge, postJson, startEdge } from './harness.ts';
import {
  accepted,
  iso,
  metricsOf,
  MINUTE_MS,
  push,
  QUICK,
  risingTotal,
  stored,
  sumOf,
} from './metrics-harness.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge(QUICK);
});
afterAll(() => edge[Symbol.asyncDispose]());

describe('a range', () => {
  it('holds the whole rise of a total at every step, before and after it is rolled up', async () => {
    const now = Date.now();
    await accepted(push(edge, 'tiers', risingTotal('steps_total', now)));
    const rise = async (step: string) => {
      const from = String((now - 65 * MINUTE_MS) / 1000);
      const query = { name: 'steps_total', agg: 'increase', from, to: String(now / 1000), step };
      return sumOf((await metricsOf(edge, 'tiers', query)).series[0]);
    };

    const atOnce = [await rise('50s'), await rise('1m'), await rise('15m')];
    await stored(edge);
    const later = [await rise('50s'), await rise('1m'), await rise('15m')];

    expect(atOnce).toEqual([478, 478, 478]);
    expect(later).toEqual([478, 478, 478]);
  });

  it('sees a late sample in a minute that was rolled up already', async () => {
    const now = Date.now();
    const at = (minutes: number, value: number) => ({
      name: 'late_total',
      type: 'counter',
      value,
      timestamp: iso(now - minutes * MINUTE_MS),
    });
    await accepted(push(edge, 'late', [at(30, 0), at(20, 10)]));
    await stored(edge);

    // The program restarted in between, which nobody knew before.
    await accepted(push(edge, 'late', [at(25, 4)]));
    await accepted(push(edge, 'late', [at(24, 1)]));
    await stored(edge);

    const { series } = await metricsOf(edge, 'late', { agg: 'increase', step: '15m' });
    expect(sumOf(series[0])).toBe(4 + 1 + 9);
  });

  it('gives quantiles from buckets, and rates for each second', async () => {
    const now = Date.now();
    const told = (minutes: number, counts: readonly number[]): MetricInput => ({
      name: 'lat_seconds',
      type: 'histogram',
      buckets: [0.1, 1, 10].map((le, i) => ({ le, count: counts[i] ?? 0 })),
      count: counts[2] ?? 0,
      sum: counts[2] ?? 0,
      timestamp: iso(now - minutes * MINUTE_MS),
    });
    await accepted(push(edge, 'quantiles', [told(50, [0, 0, 0]), told(40, [0, 90, 100])]));
    const ask = async (agg: string) => {
      const { series } = await metricsOf(edge, 'quantiles', {
        agg,
        step: '1h',
        label: 'service:quantiles',
      });
      return Math.max(...(series[0]?.points ?? []).map(([, value]) => value ?? -1));
    };

    expect(await ask('p50')).toBeCloseTo(0.1 + 0.9 * (50 / 90));
    expect(await ask('p99')).toBeCloseTo(1 + 9 * 0.9);
    expect(await ask('count')).toBe(100);
    expect(await ask('avg')).toBe(1);
    expect(await ask('increase')).toBe(100);
  });

  it('shows only series with the requested labels', async () => {
    const gauge = { name: 'g', type: 'gauge', value: 1 };
    await accepted(
      push(edge, 'labels', [
        { ...gauge, labels: { a: '1' } },
        { ...gauge, labels: { a: '2' } },
      ]),
    );

    const { series, total } = await metricsOf(edge, 'labels', { label: 'a:2' });

    expect(total).toBe(1);
    expect(series[0]?.labels).toEqual({ a: '2', service: 'labels' });
  });
});

describe('after a restart', () => {
  it('everything that was stored is there, and totals go on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spikegrid-metrics-'));
    const options = { ...QUICK, stateDir: join(folder, 'state') };
    const now = Date.now();
    const query = {
      name: 'kept_total',
      agg: 'increase',
      step: '1m',
      from: String((now - 65 * MINUTE_MS) / 1000),
      to: String(now / 1000),
    };
    const post = (at: Edge, body: unknown) => postJson(new URL('/metrics', at.monitoring), body);

    const before = await (async () => {
      await using first = await startEdge(options);
      await accepted(
        post(first, { service_name: 'kept', metrics: risingTotal('kept_total', now) }),
      );
      await stored(first);
      return await metricsOf(first, 'kept', query);
    })();
    await using second = await startEdge(options);
    const after = await metricsOf(second, 'kept', query);
    const text = await (await fetch(new URL('/metrics', second.monitoring))).text();

    expect(sumOf(before.series[0])).toBe(478);
    expect(after.series).toEqual(before.series);
    expect(text).toContain('kept_total{service="kept"} 478\n');
    rmSync(folder, { recursive: true });
  });
});

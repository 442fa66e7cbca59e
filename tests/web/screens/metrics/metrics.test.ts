import { describe, expect, it } from 'vitest';
import type { Preview } from '../../../../edge/alerts/contract/alert-preview.ts';
import {
  type MetricFields,
  RANGE_NAMES,
  STEP_NAMES,
  windowOf,
} from '../../../../web/screens/metrics/metric-window.ts';
import { redOf } from '../../../../web/screens/metrics/RedPanel.tsx';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 7);
const FIELDS: MetricFields = {
  service: 'gateway',
  range: '1h',
  from: '',
  to: '',
  step: 'auto',
  live: true,
  metric: '',
  agg: 'auto',
};

describe('the window of the charts', () => {
  it('ends with the step that is under way, and lies on whole steps', () => {
    const window = windowOf(FIELDS, NOW)!;

    expect(window.stepS).toBe(60);
    expect(new Date(window.to).toISOString()).toBe('2026-11-21T12:01:00.000Z');
    expect(window.from % 60_000).toBe(0);
  });

  it('never asks for more points than the API evaluates', () => {
    for (const range of RANGE_NAMES.filter((name) => name !== 'custom')) {
      for (const step of STEP_NAMES) {
        const { from, to, stepS } = windowOf({ ...FIELDS, range, step }, NOW)!;
        expect((to - from) / 1000 / stepS).toBeLessThanOrEqual(1000);
      }
    }
  });

  it('is none where a custom range ends before it begins, or is not written yet', () => {
    const custom = { ...FIELDS, range: 'custom' as const };

    expect(windowOf(custom, NOW)).toBeUndefined();
    expect(
      windowOf({ ...custom, from: '2026-11-21T10:00', to: '2026-11-21T09:00' }, NOW),
    ).toBeUndefined();
    expect(windowOf({ ...custom, from: '2026-11-20T10:00' }, NOW)).toBeDefined();
  });
});

describe('rate, errors, duration', () => {
  const answer = (series: Preview['series']): Preview => ({
    expr: '',
    from: '',
    to: '',
    step_s: 60,
    threshold: 0,
    op: '>',
    series,
    truncated: false,
    firings: 0,
  });
  const ofStatus = (status: string, points: [number, number][]) => ({
    labels: { status },
    points,
    spans: [],
  });

  it('adds the classes of status up, and gives errors as shares of all', () => {
    const rates = answer([
      ofStatus('2xx', [
        [1, 9],
        [2, 0],
      ]),
      ofStatus('5xx', [[1, 1]]),
    ]);
    const red = redOf([rates, answer([]), answer([]), answer([])]);

    expect(red.requests).toEqual([
      [1, 10],
      [2, 0],
    ]);
    // Nothing was asked in the second step, so no share of it failed.
    expect(red.server).toEqual([
      [1, 0.1],
      [2, null],
    ]);
    expect(red.durations.map(({ name }) => name)).toEqual(['p50', 'p95', 'p99']);
  });
});

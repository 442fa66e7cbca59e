import { Aggregation } from '../../../edge/monitoring/contract/metrics-query.ts';
import type { MetricWindow } from '../../api/monitoring.ts';
import { flag, oneOf, text, type Values } from '../../url-state/fields.ts';

/** Ranges in seconds by their names. */
const RANGES = {
  '15m': 900,
  '1h': 3600,
  '6h': 21_600,
  '24h': 86_400,
  '7d': 604_800,
  '30d': 2_592_000,
} as const;
export const RANGE_NAMES = ['15m', '1h', '6h', '24h', '7d', '30d', 'custom'] as const;

/** Steps in seconds by their names; `auto` suits the range. */
const STEPS = {
  '15s': 15,
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '6h': 21_600,
  '1d': 86_400,
} as const;
type StepName = keyof typeof STEPS | 'auto';
export const STEP_NAMES = ['auto', '15s', '1m', '5m', '15m', '1h', '6h', '1d'] as const;

export const FIELDS = {
  service: text('gateway', 128),
  range: oneOf('1h', RANGE_NAMES),
  from: text('', 32),
  to: text('', 32),
  step: oneOf('auto', STEP_NAMES),
  live: flag(true),
  metric: text('', 200),
  agg: oneOf('auto', ['auto', ...Aggregation.options]),
};
export type MetricFields = Values<typeof FIELDS>;
export type ChangeMetricFields = (change: Partial<MetricFields>) => void;

/** The points that a chart has room for, and the API's maximum. */
const USUAL_POINTS = 180;
const MAX_POINTS = 1000;

/** The time range with its ends on whole steps, so that a step fetches once. */
export function windowOf(fields: MetricFields, now: number): MetricWindow | undefined {
  const ends = endsOf(fields, now);
  if (!ends || ends.from >= ends.to) return undefined;
  const span = (ends.to - ends.from) / 1000;
  const stepS = stepOf(fields.step, span);
  const stepMs = stepS * 1000;
  return {
    from: Math.floor(ends.from / stepMs) * stepMs,
    to: Math.ceil(ends.to / stepMs) * stepMs,
    stepS,
  };
}

function endsOf({ range, from, to }: MetricFields, now: number) {
  if (range !== 'custom') return { from: now - RANGES[range] * 1000, to: now };
  const ends = { from: Date.parse(from), to: to === '' ? now : Date.parse(to) };
  return Number.isNaN(ends.from) || Number.isNaN(ends.to) ? undefined : ends;
}

function stepOf(name: StepName, spanS: number): number {
  const all = Object.values(STEPS);
  const least = name === 'auto' ? spanS / USUAL_POINTS : STEPS[name];
  return (
    all.find((step) => step >= least && spanS / step <= MAX_POINTS) ??
    Math.ceil(spanS / USUAL_POINTS)
  );
}

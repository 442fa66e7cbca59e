import type { Condition } from '../../contract/alert-condition.ts';
import type { Preview, PreviewSeries, PreviewSpan } from '../../contract/alert-preview.ts';
import type { HistorySeries, MetricQuery, MetricSource } from '../query.ts';
import { advance, type AlertRecord, type Timing } from './alert-machine.ts';
import { compares, valuesOf } from './evaluate-condition.ts';
import { fingerprintOf } from './fingerprint.ts';
import { exprOf } from './promql.ts';

export interface PreviewRange {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

const MAX_SERIES = 20;

/** Plays a rule over the past with the machine that plays it in the present. */
export async function previewOf(
  condition: Condition,
  timing: Timing,
  source: MetricSource,
  { from, to, stepMs }: PreviewRange,
): Promise<Preview> {
  const times: number[] = [];
  for (let at = from; at <= to; at += stepMs) times.push(at);
  const step_s = stepMs / 1000;
  const last = times.at(-1) ?? from;
  const ask = (query: MetricQuery) => source.history({ ...query, from, to: last, step_s });
  const all = await valuesOf(condition, { times, ask });
  const played = all.map((one) => play(one, condition, timing, times));
  const series = played.toSorted((a, b) => b.spans.length - a.spans.length).slice(0, MAX_SERIES);
  return {
    expr: exprOf(condition),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    step_s,
    op: condition.op,
    threshold: condition.threshold ?? 0,
    series,
    truncated: played.length > series.length,
    firings: played.reduce(
      (sum, { spans }) => sum + spans.filter(({ state }) => state === 'firing').length,
      0,
    ),
  };
}

function play(
  { labels, points }: HistorySeries,
  { op, threshold = 0 }: Condition,
  timing: Timing,
  times: readonly number[],
): PreviewSeries {
  const values = new Map(points);
  const fingerprint = fingerprintOf(labels);
  const spans: PreviewSpan[] = [];
  let alerts: readonly AlertRecord[] = [];
  for (const at of times) {
    const value = values.get(at);
    const holds = value !== undefined && compares(value, op, threshold);
    const next = advance(alerts, holds ? [{ fingerprint, labels, value }] : [], timing, at);
    alerts = next.alerts;
    for (const { to: state } of next.changes) {
      const time = new Date(at).toISOString();
      const open = spans.at(-1);
      if (open && open.to === null) spans[spans.length - 1] = { ...open, to: time };
      if (state === 'pending' || state === 'firing') spans.push({ state, from: time, to: null });
    }
  }
  return { labels: { ...labels }, points: points.map(([at, value]) => [at, value]), spans };
}

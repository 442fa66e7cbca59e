import type { CompareOp } from './contract/alert-rule.ts';
import { type Condition } from './contract/alert-rule.ts';
import type {
  Preview,
  PreviewInput,
  PreviewSeries,
  PreviewSpan,
} from './contract/alert-preview.ts';
import type { HistorySeries, MetricQuery, MetricSource } from '../monitoring/query.ts';
import { advance, type AlertRecord, type Timing } from './alert-machine.ts';
import { compares, valuesOf } from './evaluate-condition.ts';
import { fingerprintOf } from './labels.ts';
import { evaluate } from '../promql/evaluate.ts';
import { PROMQL_LIMITS, PromqlError } from '../promql/limits.ts';
import { parsePromql } from '../promql/parse.ts';
import type { SeriesSource } from '../promql/source.ts';
import { comparisonOf, promqlOf, type RuleExpression } from './condition-promql.ts';
import { invalid } from './rule-request.ts';

interface PreviewRange {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

const MAX_SERIES = 20;

/** The values of a condition over the past, and what they are compared with. */
interface Past {
  readonly all: readonly HistorySeries[];
  readonly op: CompareOp | null;
  readonly threshold: number | null;
}

/**
 * Plays a rule over the past with the machine that plays it in the present.
 *
 * @throws Problem validation_failed for what reads too much, or does not fit its data
 */
export async function previewOf(
  rule: RuleExpression,
  timing: Timing,
  source: MetricSource & SeriesSource,
  range: PreviewRange,
): Promise<Preview> {
  const { from, to, stepMs } = range;
  const times: number[] = [];
  for (let at = from; at <= to; at += stepMs) times.push(at);
  const past = rule.condition
    ? await pastOf(rule.condition, source, times)
    : await queried(rule.expr ?? '', source, times);
  const played = past.all.map((one) => play(one, past, timing, times));
  const series = played.toSorted((a, b) => b.spans.length - a.spans.length).slice(0, MAX_SERIES);
  return {
    expr: promqlOf(rule),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    step_s: stepMs / 1000,
    op: past.op,
    threshold: past.threshold,
    series,
    truncated: played.length > series.length,
    firings: played.reduce(
      (sum, { spans }) => sum + spans.filter(({ state }) => state === 'firing').length,
      0,
    ),
  };
}

async function pastOf(
  condition: Condition,
  source: MetricSource,
  times: readonly number[],
): Promise<Past> {
  const { op, threshold = 0 } = condition;
  const [from = 0, second = from + 1000] = times;
  const step_s = (second - from) / 1000;
  const ask = async (query: MetricQuery) => {
    const count = await source.count(query);
    const most = Math.min(PROMQL_LIMITS.series, Math.floor(PROMQL_LIMITS.points / times.length));
    if (count > most) {
      const why = `${query.metric} has ${count} series here, and a preview reads at most ${most} at ${times.length} times`;
      throw invalid('/condition', `${why}: choose fewer by their labels, or a longer step_s`);
    }
    return source.history({ ...query, from, to: times.at(-1) ?? from, step_s });
  };
  return { all: await valuesOf(condition, { times, ask }), op, threshold };
}

/** A comparison with a number is shown with its threshold; any other query where it has a value. */
async function queried(
  expr: string,
  source: SeriesSource,
  times: readonly number[],
): Promise<Past> {
  const read = parsePromql(expr);
  const compared = comparisonOf(read);
  const [from = 0, second = from + 1000] = times;
  const grid = { from, steps: times.length, stepMs: second - from };
  const value = await evaluate(compared?.left ?? read, source, grid).catch((error: unknown) => {
    throw error instanceof PromqlError ? invalid('/expr', error.message) : error;
  });
  const series = value.type === 'vector' ? value.series : [];
  const all = series.map(({ labels, values }) => ({
    labels,
    points: times.flatMap((at, i): [number, number][] => {
      const here = values[i];
      return here === undefined ? [] : [[at, here]];
    }),
  }));
  return { all, op: compared?.op ?? null, threshold: compared?.threshold ?? null };
}

const isRaised = (value: number, { op, threshold }: Past): boolean =>
  op === null || compares(value, op, threshold ?? 0);

function play(
  { labels, points }: HistorySeries,
  past: Past,
  timing: Timing,
  times: readonly number[],
): PreviewSeries {
  const values = new Map(points);
  const fingerprint = fingerprintOf(labels);
  const spans: PreviewSpan[] = [];
  let alerts: readonly AlertRecord[] = [];
  for (const at of times) {
    const value = values.get(at);
    const holds = value !== undefined && isRaised(value, past);
    const next = advance(alerts, holds ? [{ fingerprint, labels, value }] : [], timing, at);
    alerts = next.alerts;
    for (const { to: state } of next.changes) {
      const time = new Date(at).toISOString();
      const open = spans.at(-1);
      if (open && open.to === null) spans[spans.length - 1] = { ...open, to: time };
      if (state === 'pending' || state === 'firing') spans.push({ state, from: time, to: null });
    }
  }
  // JSON has no word for what is not finite.
  const shown = points.filter(([, value]) => Number.isFinite(value));
  return { labels: { ...labels }, points: shown.map(([at, value]) => [at, value]), spans };
}

const MAX_STEPS = 1000;
const USUAL_STEPS = 240;
const HOUR_MS = 3_600_000;

/** The times that a preview evaluates, aligned to its steps. @throws Problem validation_failed */
export function previewRange(input: PreviewInput, now: number): PreviewRange {
  const to = input.to === undefined ? now : Date.parse(input.to);
  const from = input.from === undefined ? to - HOUR_MS : Date.parse(input.from);
  if (from >= to) throw invalid('/from', `expected a time before ${new Date(to).toISOString()}`);
  const usual = Math.max(15, Math.ceil((to - from) / USUAL_STEPS / 1000));
  const stepMs = (input.step_s ?? usual) * 1000;
  if ((to - from) / stepMs > MAX_STEPS) {
    throw invalid('/step_s', `expected at most ${MAX_STEPS} steps from "from" to "to"`);
  }
  return { from: Math.ceil(from / stepMs) * stepMs, to, stepMs };
}

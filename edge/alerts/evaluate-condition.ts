import type { CompareOp, Condition } from './contract/alert-rule.ts';
import type { Matcher } from './contract/alert-matcher.ts';
import type { HistorySeries, MetricQuery, MetricSource } from '../monitoring/query.ts';
import { compileMatchers, fingerprintOf, type LabelSet } from './labels.ts';
import { type Joining, joiningOf } from './condition-promql.ts';
import { evaluate } from '../promql/evaluate.ts';
import { parsePromql } from '../promql/parse.ts';
import type { SeriesSource } from '../promql/source.ts';
import type { Rule } from './rule.ts';
import type { Observation } from './alert-machine.ts';

/** Asks for series at the times a condition is evaluated at. */
interface Question {
  readonly ask: (query: MetricQuery) => Promise<readonly HistorySeries[]>;
  /** Milliseconds since 1970, ascending. */
  readonly times: readonly number[];
}

/** A question about one moment. */
export const questionAt = (source: MetricSource, at: number): Question => ({
  times: [at],
  ask: async (query) =>
    (await source.evaluate({ ...query, at })).map(({ labels, value }) => ({
      labels,
      points: [[at, value]],
    })),
});

/** The values of a condition's left side, series by series or group by group. */
export async function valuesOf(
  condition: Condition,
  question: Question,
): Promise<readonly HistorySeries[]> {
  if (condition.agg === 'absent') return [await absence(condition, question)];
  const values = await selected(condition, condition, question);
  if (!condition.divided_by) return values;
  return ratios(values, await selected(condition, condition.divided_by, question));
}

export function compares(value: number, op: CompareOp, threshold: number): boolean {
  switch (op) {
    case '>':
      return value > threshold;
    case '>=':
      return value >= threshold;
    case '<':
      return value < threshold;
    case '<=':
      return value <= threshold;
    case '==':
      return value === threshold;
    default:
      return value !== threshold;
  }
}

interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

/** The store looks up equality; an empty value also matches a missing label. */
const isLookup = ({ op, value }: Matcher) => op === '=' && value !== '';

async function selected(
  { agg, window_s, by }: Condition,
  { metric, matchers }: Selector,
  { ask }: Question,
): Promise<readonly HistorySeries[]> {
  const lookups = matchers.filter(isLookup);
  const rest = matchers.filter((matcher) => !isLookup(matcher));
  const matches = compileMatchers(matchers);
  // The store groups what it selects, so where matchers remain, the groups are formed here.
  const isGroupedThere = by !== undefined && rest.length === 0;
  const series = await ask({
    metric,
    // Never requested: a condition of absence selects the latest value.
    agg: agg === 'absent' ? 'last' : agg,
    window_s,
    labels: Object.fromEntries(lookups.map(({ name, value }) => [name, value])),
    ...(isGroupedThere && { by }),
  });
  if (isGroupedThere) return series;
  const found = series.filter(({ labels }) => matches(labels));
  return by ? grouped(found, by, joiningOf(agg)) : found;
}

function grouped(
  series: readonly HistorySeries[],
  by: readonly string[],
  joining: Joining,
): readonly HistorySeries[] {
  const groups = Map.groupBy(series, ({ labels }) => JSON.stringify(only(labels, by)));
  return [...groups.values()].map((members) => ({
    labels: only(members[0]?.labels ?? {}, by),
    points: joinPoints(members, joining),
  }));
}

const only = (labels: LabelSet, names: readonly string[]): LabelSet =>
  Object.fromEntries(
    names.toSorted().flatMap((name) => {
      const value = Object.hasOwn(labels, name) ? labels[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );

function joinPoints(members: readonly HistorySeries[], joining: Joining): HistorySeries['points'] {
  const values = new Map<number, number[]>();
  for (const [at, value] of members.flatMap(({ points }) => points)) {
    values.set(at, [...(values.get(at) ?? []), value]);
  }
  return [...values]
    .toSorted(([a], [b]) => a - b)
    .map(([at, several]) => [at, joined(several, joining)] as const);
}

function joined(values: readonly number[], joining: Joining): number {
  if (joining === 'min') return Math.min(...values);
  if (joining === 'max') return Math.max(...values);
  const sum = values.reduce((a, b) => a + b, 0);
  return joining === 'avg' ? sum / values.length : sum;
}

const keyOf = ({ labels }: HistorySeries) => JSON.stringify(Object.entries(labels).toSorted());

/** As in Prometheus, a group on only one side gives nothing; nor does a division by zero. */
function ratios(
  above: readonly HistorySeries[],
  below: readonly HistorySeries[],
): readonly HistorySeries[] {
  const divisors = new Map(below.map((series) => [keyOf(series), new Map(series.points)]));
  return above.flatMap((series) => {
    const divisor = divisors.get(keyOf(series));
    const points = series.points
      .map(([at, value]) => [at, value / (divisor?.get(at) ?? NaN)] as const)
      .filter(([, ratio]) => Number.isFinite(ratio));
    return points.length > 0 ? [{ labels: series.labels, points }] : [];
  });
}

/** 1 at each time without a sample in the window, labelled by the equality matchers. */
async function absence(condition: Condition, question: Question): Promise<HistorySeries> {
  const series = await selected(condition, condition, question);
  const present = new Set(series.flatMap(({ points }) => points.map(([at]) => at)));
  const wanted = condition.matchers.filter(isLookup);
  return {
    labels: Object.fromEntries(wanted.map(({ name, value }) => [name, value])),
    points: question.times.filter((at) => !present.has(at)).map((at) => [at, 1]),
  };
}

/** Alerts that one rule may have at a time. */
const MAX_ALERTS_PER_RULE = 200;

/** The result of evaluating a rule: the series its condition holds for, or the error. */
export type Observed =
  | {
      readonly kind: 'observed';
      readonly observations: readonly Observation[];
      readonly error: string | null;
    }
  | { readonly kind: 'failed'; readonly error: string };

/** Evaluates a rule at a moment; a failure is an answer, so that one rule does not stop the others. */
export async function observe(
  rule: Rule,
  source: MetricSource & SeriesSource,
  at: number,
): Promise<Observed> {
  try {
    const found = rule.condition
      ? await heldFor(rule.condition, source, at)
      : await queried(rule.expr ?? '', source, at);
    const all = found.map(({ labels, value }) => observationOf(rule, labels, value));
    const observations = all
      .toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
      .slice(0, MAX_ALERTS_PER_RULE);
    const error =
      all.length > observations.length
        ? `The condition holds for ${all.length} series; the first ${MAX_ALERTS_PER_RULE} count.`
        : null;
    return { kind: 'observed', observations, error };
  } catch (error) {
    return { kind: 'failed', error: error instanceof Error ? error.message : String(error) };
  }
}

interface Found {
  readonly labels: LabelSet;
  readonly value: number;
}

async function heldFor(
  condition: Condition,
  source: MetricSource,
  at: number,
): Promise<readonly Found[]> {
  const series = await valuesOf(condition, questionAt(source, at));
  return series
    .flatMap(({ labels, points }) => points.map(([, value]) => ({ labels, value })))
    .filter(({ value }) => compares(value, condition.op, condition.threshold ?? 0));
}

/** As in Prometheus, a query raises an alert for each series in its result. */
async function queried(expr: string, source: SeriesSource, at: number): Promise<readonly Found[]> {
  const value = await evaluate(parsePromql(expr), source, { from: at, steps: 1, stepMs: 1000 });
  if (value.type === 'scalar') return [];
  return value.series.flatMap(({ labels, values: [first] }) =>
    first === undefined ? [] : [{ labels, value: first }],
  );
}

function observationOf(rule: Rule, series: LabelSet, value: number): Observation {
  const labels = alertLabels(rule, series);
  return { fingerprint: fingerprintOf(labels), labels, value };
}

/** The labels of an alert: of the series, the rule's own over them, and what names it. */
const alertLabels = ({ name, severity, labels }: Rule, series: LabelSet): LabelSet => ({
  ...series,
  ...labels,
  alertname: name,
  severity,
});

import type { CompareOp, Condition } from './contract/alert-condition.ts';
import type { Matcher } from './contract/alert-matcher.ts';
import type { HistorySeries, MetricQuery, MetricSource } from '../monitoring/query.ts';
import { compileMatchers, type LabelSet } from './matching.ts';
import { type Joining, joiningOf } from './promql.ts';

/** Asks for series at the times a condition is evaluated at. */
export interface Question {
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

/** Whether a value raises an alert. */
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

/** Equality is the store's to look up; an empty value also means "has no such label". */
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
    // Never asked for: a condition of absence asks for the newest value.
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

/** As in Prometheus a group that only one side has gives nothing; nor does a division by zero. */
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

/** 1 at each time when no sample had come within the window; it is labelled by what was looked for. */
async function absence(condition: Condition, question: Question): Promise<HistorySeries> {
  const series = await selected(condition, condition, question);
  const present = new Set(series.flatMap(({ points }) => points.map(([at]) => at)));
  const wanted = condition.matchers.filter(isLookup);
  return {
    labels: Object.fromEntries(wanted.map(({ name, value }) => [name, value])),
    points: question.times.filter((at) => !present.has(at)).map((at) => [at, 1]),
  };
}

import type { Condition } from './contract/alert-condition.ts';
import { evaluate } from '../promql/evaluate.ts';
import { parsePromql } from '../promql/parse.ts';
import type { SeriesSource } from '../promql/source.ts';
import type { Rule } from './rule.ts';
import type { Observation } from './alert-machine.ts';
import { compares, questionAt, valuesOf } from './evaluate-condition.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { LabelSet } from './matching.ts';
import type { MetricSource } from '../monitoring/query.ts';

/** How many alerts one rule may have at a time. */
const MAX_ALERTS_PER_RULE = 200;

/** What an evaluation of a rule found: for which series its condition holds, or why it failed. */
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

/** A query raises an alert for each series that it gives, as in Prometheus. */
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

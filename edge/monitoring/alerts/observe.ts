import type { Rule } from './rule.ts';
import type { Observation } from './alert-machine.ts';
import { compares, questionAt, valuesOf } from './evaluate-condition.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { LabelSet } from './matching.ts';
import type { MetricSource } from '../query.ts';

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
export async function observe(rule: Rule, source: MetricSource, at: number): Promise<Observed> {
  try {
    const { condition } = rule;
    const series = await valuesOf(condition, questionAt(source, at));
    const all = series
      .flatMap(({ labels, points }) => points.map(([, value]) => ({ labels, value })))
      .filter(({ value }) => compares(value, condition.op, condition.threshold ?? 0))
      .map(({ labels, value }) => observationOf(rule, labels, value));
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

import type { Alert } from './contract/alert.ts';
import type { Transition } from './contract/alert-history.ts';
import type { Annotations, Severity } from './contract/alert-rule.ts';
import { ulid } from '../http/ulid.ts';
import { type AlertChange, type AlertRecord, stateOf } from './alert-machine.ts';
import type { LabelSet } from './matching.ts';
import type { Rule } from './rule.ts';
import type { SuppressedBy } from './suppression.ts';
import { fillTemplate } from './template.ts';

/** What an alert took from its rule when it was last evaluated; it outlives the rule. */
export interface AlertFacts {
  readonly ruleId: string;
  readonly name: string;
  readonly severity: Severity;
  readonly annotations: Annotations;
  readonly receivers: readonly string[];
}

/** An alert as it is kept. */
export interface KeptAlert {
  readonly record: AlertRecord;
  readonly facts: AlertFacts;
}

export const keyOf = ({ record, facts }: KeptAlert): string =>
  `${facts.ruleId}/${record.fingerprint}`;

export function keptAlert(rule: Rule, record: AlertRecord): KeptAlert {
  const { labels, value } = record;
  const fill = (template: string) => fillTemplate(template, labels, value);
  const { summary, description, runbook_url } = rule.annotations;
  return {
    record,
    facts: {
      ruleId: rule.id,
      name: rule.name,
      severity: rule.severity,
      annotations: {
        summary: fill(summary),
        description: fill(description),
        runbook_url: fill(runbook_url),
      },
      receivers: rule.receivers,
    },
  };
}

const NOT_SUPPRESSED: SuppressedBy = { silencedBy: [], inhibitedBy: [] };

/** An alert as it is shown (A6); what suppresses it is of the moment. */
export function alertOf({ record, facts }: KeptAlert, by: SuppressedBy = NOT_SUPPRESSED): Alert {
  const isQuiet = by.silencedBy.length > 0 || by.inhibitedBy.length > 0;
  const { phase, labels } = record;
  return {
    fingerprint: record.fingerprint,
    name: facts.name,
    severity: facts.severity,
    service_name: serviceOf(labels),
    status: {
      state: phase === 'firing' && isQuiet ? 'suppressed' : phase,
      silencedBy: [...by.silencedBy],
      inhibitedBy: [...by.inhibitedBy],
    },
    labels: { ...labels },
    annotations: facts.annotations,
    startsAt: timeOf(record.startsAt),
    updatedAt: timeOf(record.updatedAt),
    endsAt: phase === 'resolved' ? timeOf(record.endsAt) : null,
    value: record.value,
    rule_id: facts.ruleId,
    receivers: [...facts.receivers],
    generatorURL: `/alerts?rule=${facts.ruleId}`,
  };
}

export function transitionOf({ alert, from, to, at }: AlertChange, facts: AlertFacts): Transition {
  return {
    id: `trn_${ulid(at)}`,
    at: timeOf(at),
    fingerprint: alert.fingerprint,
    rule_id: facts.ruleId,
    name: facts.name,
    severity: facts.severity,
    service_name: serviceOf(alert.labels),
    labels: { ...alert.labels },
    from,
    to,
    value: alert.value,
  };
}

/** What of an alert must not wait to be written; its value alone may be a minute old. */
export function isWorthWriting(before: AlertRecord | undefined, after: AlertRecord): boolean {
  if (!before || stateOf(before) !== stateOf(after)) return true;
  if (before.phase === 'firing' && after.phase === 'firing') {
    if (before.clearSince !== after.clearSince) return true;
  }
  return after.updatedAt - before.updatedAt >= VALUE_WRITTEN_MS;
}

const VALUE_WRITTEN_MS = 60_000;

const timeOf = (ms: number) => new Date(ms).toISOString();

const serviceOf = (labels: LabelSet): string | null =>
  labels['service'] ?? labels['service_name'] ?? null;

import type { Alert, AlertQuery, Transition } from './contract/alert.ts';
import type { Annotations, Severity } from './contract/alert-rule.ts';
import { ulid } from '../http/ulid.ts';
import { type AlertChange, type AlertRecord, stateOf } from './alert-machine.ts';
import { compileMatchers, fillTemplate, type LabelSet } from './labels.ts';
import type { Rule } from './rule.ts';
import type { SuppressedBy } from './suppression.ts';
import { parseMatcher } from './contract/alert-matcher.ts';

/** The facts an alert took from its rule at the last evaluation; they outlive the rule. */
export interface AlertFacts {
  readonly ruleId: string;
  readonly name: string;
  readonly severity: Severity;
  readonly annotations: Annotations;
  readonly receivers: readonly string[];
}

/** An alert as it is stored. */
export interface StoredAlert {
  readonly record: AlertRecord;
  readonly facts: AlertFacts;
}

export const keyOf = ({ record, facts }: StoredAlert): string =>
  `${facts.ruleId}/${record.fingerprint}`;

export function storedAlert(rule: Rule, record: AlertRecord): StoredAlert {
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

/** An alert as the API shows it (A6), with the suppression in force now. */
export function alertOf({ record, facts }: StoredAlert, by: SuppressedBy = NOT_SUPPRESSED): Alert {
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

/** Whether a change must be stored at once; a value alone may be a minute old. */
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

const BY_SEVERITY: readonly Alert['severity'][] = ['critical', 'warning', 'info'];

/** The alerts a query selects, ordered by severity, then the latest first. */
export function selectAlerts(alerts: readonly Alert[], query: AlertQuery): Alert[] {
  const matches = compileMatchers(query.filter.flatMap((text) => parseMatcher(text) ?? []));
  return alerts
    .filter(
      (alert) =>
        isRequested(alert, query) &&
        (query.severity === undefined || alert.severity === query.severity) &&
        (query.service === undefined || alert.service_name === query.service) &&
        matches(alert.labels),
    )
    .toSorted(
      (a, b) =>
        BY_SEVERITY.indexOf(a.severity) - BY_SEVERITY.indexOf(b.severity) ||
        Date.parse(b.startsAt) - Date.parse(a.startsAt) ||
        (a.fingerprint < b.fingerprint ? -1 : 1),
    );
}

function isRequested({ status }: Alert, { active, silenced, inhibited, resolved }: AlertQuery) {
  const { state, silencedBy, inhibitedBy } = status;
  if (state === 'resolved') return resolved;
  if (silencedBy.length === 0 && inhibitedBy.length === 0) return active;
  return (silencedBy.length === 0 || silenced) && (inhibitedBy.length === 0 || inhibited);
}

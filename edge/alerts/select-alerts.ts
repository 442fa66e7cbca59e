import type { Alert, AlertQuery } from './contract/alert.ts';
import { parseMatcher } from './contract/alert-matcher.ts';
import { compileMatchers } from './matching.ts';

const GRAVEST_FIRST: readonly Alert['severity'][] = ['critical', 'warning', 'info'];

/** The alerts a query asks for, the gravest first, then the latest. */
export function selectAlerts(alerts: readonly Alert[], query: AlertQuery): Alert[] {
  const matches = compileMatchers(query.filter.flatMap((text) => parseMatcher(text) ?? []));
  return alerts
    .filter(
      (alert) =>
        isAsked(alert, query) &&
        (query.severity === undefined || alert.severity === query.severity) &&
        (query.service === undefined || alert.service_name === query.service) &&
        matches(alert.labels),
    )
    .toSorted(
      (a, b) =>
        GRAVEST_FIRST.indexOf(a.severity) - GRAVEST_FIRST.indexOf(b.severity) ||
        Date.parse(b.startsAt) - Date.parse(a.startsAt) ||
        (a.fingerprint < b.fingerprint ? -1 : 1),
    );
}

function isAsked({ status }: Alert, { active, silenced, inhibited, resolved }: AlertQuery) {
  const { state, silencedBy, inhibitedBy } = status;
  if (state === 'resolved') return resolved;
  if (silencedBy.length === 0 && inhibitedBy.length === 0) return active;
  return (silencedBy.length === 0 || silenced) && (inhibitedBy.length === 0 || inhibited);
}

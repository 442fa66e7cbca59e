import type { Alert, AlertState } from '../../../../edge/alerts/contract/alert.ts';
import type { AlertSearch } from '../../../api/alerts.ts';
import type { AlertFields } from '../alert-fields.ts';
import { badMatcherOf, piecesOf } from '../matchers.ts';

/** What to ask for; matchers that are none yet are left out. */
export function searchOf({ severity, service, labels }: AlertFields): AlertSearch {
  const filter = badMatcherOf(labels) === undefined ? piecesOf(labels) : [];
  const wanted = service.trim();
  return {
    ...(severity !== 'any' && { severity }),
    ...(wanted !== '' && { service: wanted }),
    ...(filter.length > 0 && { filter }),
  };
}

export function inState(alerts: readonly Alert[], state: AlertFields['state']): readonly Alert[] {
  if (state === 'all') return alerts;
  return alerts.filter(({ status }) =>
    state === 'now' ? status.state !== 'resolved' : status.state === state,
  );
}

export const countOf = (alerts: readonly Alert[], state: AlertState): number =>
  alerts.filter(({ status }) => status.state === state).length;

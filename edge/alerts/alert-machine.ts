import type { AlertState } from './contract/alert.ts';
import type { LabelSet } from './labels.ts';

/** A series for which a rule's condition holds now, with all the labels of its alert. */
export interface Observation {
  readonly fingerprint: string;
  readonly labels: LabelSet;
  readonly value: number;
}

/** Times in milliseconds since 1970. */
interface Known extends Observation {
  readonly startsAt: number;
  readonly updatedAt: number;
}

/** An alert of one rule. What its receivers are not notified of is firing here all the same. */
export type AlertRecord =
  | (Known & { readonly phase: 'pending' })
  | (Known & {
      readonly phase: 'firing';
      /** When the condition first ceased to hold. */
      readonly clearSince: number | null;
      readonly isSuppressed: boolean;
    })
  | (Known & { readonly phase: 'resolved'; readonly endsAt: number });

export interface Timing {
  readonly forMs: number;
  readonly keepFiringForMs: number;
}

export interface AlertChange {
  readonly alert: AlertRecord;
  readonly from: AlertState | null;
  readonly to: AlertState;
  readonly at: number;
}

interface Advance {
  /** The rule's alerts from here on. */
  readonly alerts: readonly AlertRecord[];
  readonly changes: readonly AlertChange[];
}

/**
 *   (none) --holds--> pending --held for `for`--> firing --clear for `keep firing`--> resolved
 *     ^                  |                          ^                                    |
 *     |---- clears ------|                          |---------- holds: pending ----------|
 *
 * Evaluates a rule's alerts at a time: `observed` are the series its condition holds for. It may be
 * called late, or twice for one time; a time before the last one changes nothing about how long a
 * condition has held. A pending alert that clears goes, and is reported as resolved.
 */
export function advance(
  known: readonly AlertRecord[],
  observed: readonly Observation[],
  timing: Timing,
  now: number,
): Advance {
  const seen = new Map(observed.map((observation) => [observation.fingerprint, observation]));
  const alerts: AlertRecord[] = [];
  const changes: AlertChange[] = [];
  const keep = (before: AlertRecord | undefined, after: AlertRecord) => {
    alerts.push(after);
    if (before?.phase !== after.phase) changes.push(changeOf(before, after, now));
  };
  for (const alert of known) {
    const observation = seen.get(alert.fingerprint);
    seen.delete(alert.fingerprint);
    if (observation) keep(alert, held(alert, observation, timing, now));
    else if (alert.phase === 'firing') keep(alert, cleared(alert, timing, now));
    else if (alert.phase === 'resolved') keep(alert, alert);
    else changes.push(changeOf(alert, resolved(alert, now), now));
  }
  for (const observation of seen.values()) keep(undefined, begun(observation, timing, now));
  return { alerts, changes };
}

/** Resolves all alerts of a rule that is disabled or removed. */
export const resolveAll = (known: readonly AlertRecord[], now: number): Advance =>
  advance(known, [], { forMs: 0, keepFiringForMs: 0 }, now);

/** The state of an alert as the API shows it, suppression included. */
export function stateOf(alert: AlertRecord): AlertState {
  return alert.phase === 'firing' && alert.isSuppressed ? 'suppressed' : alert.phase;
}

/** Suppresses a firing alert or ends that; other alerts stay as they are. */
export function suppress(
  alert: AlertRecord,
  isSuppressed: boolean,
  now: number,
): AlertChange | undefined {
  if (alert.phase !== 'firing' || alert.isSuppressed === isSuppressed) return undefined;
  const after = { ...alert, isSuppressed, updatedAt: Math.max(now, alert.updatedAt) };
  return { alert: after, from: stateOf(alert), to: stateOf(after), at: now };
}

function held(
  alert: AlertRecord,
  observation: Observation,
  timing: Timing,
  now: number,
): AlertRecord {
  if (alert.phase === 'resolved') return begun(observation, timing, now);
  const known: Known = {
    ...observation,
    startsAt: alert.startsAt,
    updatedAt: Math.max(now, alert.updatedAt),
  };
  if (alert.phase === 'firing') {
    return { ...known, phase: 'firing', clearSince: null, isSuppressed: alert.isSuppressed };
  }
  return begunAt(known, timing, now);
}

const begun = (observation: Observation, timing: Timing, now: number): AlertRecord =>
  begunAt({ ...observation, startsAt: now, updatedAt: now }, timing, now);

const begunAt = (known: Known, { forMs }: Timing, now: number): AlertRecord =>
  now - known.startsAt >= forMs
    ? { ...known, phase: 'firing', clearSince: null, isSuppressed: false }
    : { ...known, phase: 'pending' };

function cleared(
  alert: Extract<AlertRecord, { phase: 'firing' }>,
  { keepFiringForMs }: Timing,
  now: number,
): AlertRecord {
  const clearSince = alert.clearSince ?? now;
  if (now - clearSince >= keepFiringForMs) return resolved(alert, now);
  return { ...alert, clearSince };
}

function resolved(alert: AlertRecord, now: number): AlertRecord {
  const { fingerprint, labels, value, startsAt } = alert;
  const endsAt = Math.max(now, alert.updatedAt);
  return { fingerprint, labels, value, startsAt, updatedAt: endsAt, phase: 'resolved', endsAt };
}

function changeOf(before: AlertRecord | undefined, after: AlertRecord, at: number): AlertChange {
  // An alert that begins again after it was resolved has no previous state.
  const isNew = before === undefined || before.phase === 'resolved';
  return { alert: after, from: isNew ? null : stateOf(before), to: stateOf(after), at };
}

import type { Transition } from './contract/alert.ts';
import type { Outbox } from '../events/outbox.ts';
import {
  advance,
  type AlertChange,
  type AlertRecord,
  resolveAll,
  suppress,
} from './alert-machine.ts';
import {
  type AlertFacts,
  isWorthWriting,
  type StoredAlert,
  storedAlert,
  transitionOf,
} from './stored-alert.ts';
import type { Observed } from './evaluate-condition.ts';
import type { Rule } from './rule.ts';
import { createSuppression, type Suppression } from './suppression.ts';
import type { RuleStore } from './rule-store.ts';
import type { AlertStateStore } from './state-store.ts';

const DAY_MS = 86_400_000;
const RESOLVED_RETENTION_MS = 2 * 3_600_000;
const HISTORY_RETENTION_MS = 30 * DAY_MS;
const SILENCES_RETENTION_MS = 5 * DAY_MS;

interface Evaluated {
  readonly rule: Rule;
  readonly observed: Observed;
}

/** Applies the results of an evaluation to the stored alerts. Every method is one synchronous step. */
export class AlertEvaluation {
  readonly #rules: RuleStore;
  readonly #state: AlertStateStore;
  readonly #outbox: Pick<Outbox, 'add'>;

  constructor(rules: RuleStore, state: AlertStateStore, outbox: Pick<Outbox, 'add'>) {
    this.#rules = rules;
    this.#state = state;
    this.#outbox = outbox;
  }

  /**
   * Applies what was observed at `at`. What changed meanwhile counts as it is `now`: a changed rule is left for
   * the next time, and a silence that began is in force, one that ended is not.
   */
  apply(evaluated: readonly Evaluated[], at: number, now: number): void {
    for (const { rule, observed } of evaluated) {
      const stored = this.#rules.find(rule.id);
      if (!stored || !isSame(stored.rule, rule)) continue;
      if (stored.lastError !== observed.error) this.#rules.setError(rule.id, observed.error);
      if (observed.kind === 'observed') this.#advance(rule, observed.observations, at);
    }
    this.suppressAll(now);
    this.#rules.setEvaluatedAt(at);
    this.#state.forgetResolved(now - RESOLVED_RETENTION_MS);
    this.#state.forgetTransitions(now - HISTORY_RETENTION_MS);
    this.#state.forgetSilences(now - SILENCES_RETENTION_MS);
  }

  /** Resolves the alerts of a rule that is disabled or removed. */
  resolve(ruleId: string, now: number): void {
    const known = this.#state.alertsOf(ruleId);
    const next = resolveAll(
      known.map(({ record }) => record),
      now,
    );
    const factsOf = new Map(known.map(({ record, facts }) => [record.fingerprint, facts]));
    const facts = (record: AlertRecord) => factsOf.get(record.fingerprint);
    this.#write(known, next.alerts, facts);
    this.#notify(next.changes, facts);
  }

  /** Applies a changed rule to its existing alerts. */
  refresh(rule: Rule): void {
    for (const { record } of this.#state.alertsOf(rule.id)) {
      this.#state.putAlert(storedAlert(rule, record));
    }
  }

  /** Records which firing alerts are suppressed now. */
  suppressAll(now: number): void {
    const suppression = this.suppression(now);
    for (const { record, facts } of this.#state.alerts()) {
      const { silencedBy, inhibitedBy } = suppression(record);
      const change = suppress(record, silencedBy.length > 0 || inhibitedBy.length > 0, now);
      if (!change) continue;
      this.#state.putAlert({ record: change.alert, facts });
      this.#record(transitionOf(change, facts));
    }
  }

  /** The silences and inhibitions in force at a time. */
  suppression(now: number): Suppression {
    const rules = new Map(this.#rules.all().map(({ rule }) => [rule.id, rule]));
    const firing = this.#state
      .alerts()
      .filter(({ record }) => record.phase === 'firing')
      .map(({ record, facts }) => ({
        fingerprint: record.fingerprint,
        labels: record.labels,
        inhibits: rules.get(facts.ruleId)?.inhibits ?? [],
      }));
    return createSuppression(this.#state.activeSilences(now), firing);
  }

  #advance(rule: Rule, observations: Parameters<typeof advance>[1], now: number): void {
    const known = this.#state.alertsOf(rule.id);
    const next = advance(
      known.map(({ record }) => record),
      observations,
      { forMs: rule.for_s * 1000, keepFiringForMs: rule.keep_firing_for_s * 1000 },
      now,
    );
    const facts = (record: AlertRecord) => storedAlert(rule, record).facts;
    this.#write(known, next.alerts, facts);
    this.#notify(next.changes, facts);
  }

  #write(
    known: readonly StoredAlert[],
    alerts: readonly AlertRecord[],
    factsOf: (record: AlertRecord) => AlertFacts | undefined,
  ): void {
    const before = new Map(known.map((stored) => [stored.record.fingerprint, stored]));
    for (const record of alerts) {
      const was = before.get(record.fingerprint);
      before.delete(record.fingerprint);
      const facts = factsOf(record);
      if (facts && isWorthWriting(was?.record, record)) this.#state.putAlert({ record, facts });
    }
    for (const { record, facts } of before.values()) {
      this.#state.removeAlert(facts.ruleId, record.fingerprint);
    }
  }

  #notify(
    changes: readonly AlertChange[],
    factsOf: (record: AlertRecord) => AlertFacts | undefined,
  ): void {
    for (const change of changes) {
      const facts = factsOf(change.alert);
      if (facts) this.#record(transitionOf(change, facts));
    }
  }

  /** Event subscribers are notified when an alert fires, also after a silence, and when it is resolved. */
  #record(transition: Transition): void {
    this.#state.addTransition(transition);
    const { id, at: time, to, name: subject, ...data } = transition;
    if (to !== 'firing' && to !== 'resolved') return;
    this.#outbox.add({
      id,
      type: `alert.${to}`,
      subject,
      time,
      data: { name: subject, to, ...data },
    });
  }
}

/** A rule of the same id may be another one, made after the first was removed. */
const isSame = (a: Rule, b: Rule): boolean =>
  a.revision === b.revision && a.created_at === b.created_at;

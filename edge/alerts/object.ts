import type { Alert, AlertQuery, HistoryQuery, Transition } from './contract/alert.ts';
import type { Receiver } from './contract/alert-receiver.ts';
import type { RuleRecord } from './contract/alert-rule.ts';
import type { Silence, SilenceQuery } from './contract/alert-silence.ts';
import type { PlatformEvent } from '../events/contract/platform-event.ts';
import type { Env } from '../env.ts';
import { outboundTo } from '../gateway/upstreams.ts';
import { Outbox } from '../events/outbox.ts';
import { defaultRules, EDITION } from './default-rules.ts';
import { alertOf, selectAlerts } from './stored-alert.ts';
import { observe } from './evaluate-condition.ts';
import {
  type AddResult,
  ALERT_LIMITS,
  type AlertSummary,
  newRule,
  type NewRuleDefinition,
  recordOf,
  type RemoveResult,
  replacedRule,
  type RevisionTest,
  type Rule,
  type RuleDefinition,
  type RuleResult,
  type StoredRule,
} from './rule.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { queueDepth } from '../monitoring/sample.ts';
import { AlertEvaluation } from './evaluation.ts';
import { AlertNotifier } from './notifier.ts';
import { type StoredReceiver, NotificationStore } from './notification-store.ts';
import { RuleStore } from './rule-store.ts';
import {
  ALERTS_MIGRATIONS,
  AlertStateStore,
  type StoredSilence,
  silenceOf,
  stateAt,
} from './state-store.ts';
import { StoredObject } from '../storage/stored-object.ts';
import type { Page } from '../storage/table-store.ts';

/**
 * Alert rules, the alerts they raise, silences, and the receivers that are notified.
 *
 * Storage is the only truth; the alarm evaluates the rules, however late or often it fires.
 */
export class Alerts extends StoredObject {
  readonly #rules: RuleStore;
  readonly #state: AlertStateStore;
  readonly #notify: NotificationStore;
  readonly #evaluation: AlertEvaluation;
  readonly #notifying: AlertNotifier;
  /** An empty queue is notified once: a quiet platform writes nothing. */
  #reportedDepth = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, ALERTS_MIGRATIONS, { mayHold: { receivers: 0, silences: 0 } });
    this.#rules = new RuleStore(ctx.storage.sql);
    this.#state = new AlertStateStore(ctx.storage.sql);
    this.#notify = new NotificationStore(ctx.storage.sql);
    this.#evaluation = new AlertEvaluation(
      this.#rules,
      this.#state,
      new Outbox(ctx.storage.sql, env),
    );
    this.#notifying = new AlertNotifier(this.#notify, {
      fetchTo: (url) => outboundTo(env, url),
      allowlist: env.TARGET_ALLOWLIST,
      retryMs: env.ALERTS_RETRY_MS,
    });
    this.#rules.addDefaults(EDITION, (after) => {
      const now = new Date().toISOString();
      return defaultRules(after).map((rule) => newRule(rule, now));
    });
    void ctx.blockConcurrencyWhile(() => this.#arm());
  }

  summary(): AlertSummary {
    const by_severity: Record<string, number> = {};
    const firing = this.#alerts().filter(({ status }) => status.state === 'firing');
    for (const { severity } of firing) by_severity[severity] = (by_severity[severity] ?? 0) + 1;
    return { firing: firing.length, by_severity, rules: this.#rules.count() };
  }

  alerts(query: AlertQuery): Alert[] {
    return selectAlerts(this.#alerts(), query);
  }

  rules(): RuleRecord[] {
    return this.#rules.all().map((stored) => this.#record(stored));
  }

  rule(id: string): RuleRecord | undefined {
    const stored = this.#rules.find(id);
    return stored && this.#record(stored);
  }

  async addRule(definition: NewRuleDefinition): Promise<RuleResult> {
    const rule = newRule(definition, new Date().toISOString());
    if (this.#rules.find(rule.id)) return { kind: 'exists' };
    if (this.#rules.count() >= ALERT_LIMITS.rules) return { kind: 'full' };
    return this.#missing(definition) ?? this.#put(rule);
  }

  async replaceRule(
    id: string,
    definition: RuleDefinition,
    revisions: RevisionTest,
  ): Promise<RuleResult> {
    const before = this.#rules.find(id)?.rule;
    if (!before) return { kind: 'not-found' };
    const { revision } = before;
    if (revisions?.includes(revision) === false) return { kind: 'stale', revision };
    return (
      this.#missing(definition) ??
      this.#put(replacedRule(before, definition, new Date().toISOString()))
    );
  }

  async removeRule(id: string, revisions: RevisionTest): Promise<RemoveResult> {
    const before = this.#rules.find(id)?.rule;
    if (!before) return { kind: 'not-found' };
    const { revision } = before;
    if (revisions?.includes(revision) === false) return { kind: 'stale', revision };
    this.ctx.storage.transactionSync(() => {
      this.#evaluation.resolve(id, Date.now());
      this.#rules.remove(id);
      this.#evaluation.suppressAll(Date.now());
    });
    await this.#arm();
    return { kind: 'done' };
  }

  transitions(query: Omit<HistoryQuery, 'cursor'>, before: number): Page<Transition> {
    return this.#state.transitions(query, before);
  }

  silences(query: Omit<SilenceQuery, 'cursor'>, before: number): Page<Silence> {
    const now = Date.now();
    const { items, ...page } = this.#state.silences(query, before, now);
    return { ...page, items: items.map((silence) => silenceOf(silence, now)) };
  }

  addSilence(silence: StoredSilence): AddResult<Silence> {
    if (this.#state.countSilences() >= ALERT_LIMITS.silences) return { kind: 'full' };
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      this.#state.addSilence(silence);
      this.#evaluation.suppressAll(now);
    });
    return { kind: 'done', added: silenceOf(silence, now) };
  }

  /** The creator of a silence; undefined where there is none. */
  silencedBy(id: string): string | undefined {
    return this.#state.silence(id)?.created_by;
  }

  /** Ends a silence; one that has not begun never will. */
  expireSilence(id: string): Silence | undefined {
    const now = Date.now();
    const before = this.#state.silence(id);
    if (!before || stateAt(before, now) === 'expired') return before && silenceOf(before, now);
    const time = new Date(now).toISOString();
    const starts_at = Date.parse(before.starts_at) > now ? time : before.starts_at;
    const after = { ...before, starts_at, ends_at: time, updated_at: time };
    this.ctx.storage.transactionSync(() => {
      this.#state.replaceSilence(after);
      this.#evaluation.suppressAll(now);
    });
    return silenceOf(after, now);
  }

  receivers(): Receiver[] {
    return this.#notify.receivers().map((receiver) => this.#receiver(receiver));
  }

  addReceiver(receiver: StoredReceiver, secret: string): AddResult<Receiver> {
    if (this.#notify.receiver(receiver.id)) return { kind: 'exists' };
    if (this.#notify.receivers().length >= ALERT_LIMITS.receivers) return { kind: 'full' };
    this.#notify.addReceiver(receiver, secret);
    return { kind: 'done', added: this.#receiver(receiver) };
  }

  removeReceiver(id: string): RemoveResult {
    if (!this.#notify.receiver(id)) return { kind: 'not-found' };
    const users = this.#rules.all().filter(({ rule }) => rule.receivers.includes(id));
    if (users.length > 0) return { kind: 'in-use', rules: users.map(({ rule }) => rule.id) };
    this.ctx.storage.transactionSync(() => this.#notify.removeReceiver(id));
    return { kind: 'done' };
  }

  /** Sends a receiver a test notification with the next alarm. */
  async testReceiver(id: string): Promise<Receiver | undefined> {
    const receiver = this.#notify.receiver(id);
    if (!receiver) return undefined;
    this.ctx.storage.transactionSync(() => this.#notifying.planTest(receiver, Date.now()));
    await this.#arm();
    return this.#receiver(receiver);
  }

  /**
   * Stores notifications of events for the receivers subscribed to their types; the next alarm sends them.
   */
  async notifyEvents(events: readonly PlatformEvent[]): Promise<void> {
    this.ctx.storage.transactionSync(() => this.#notifying.planEvents(events, Date.now()));
    await this.#arm();
  }

  /**
   * An alarm may fire late or twice: it does what is due and arms the next one. It must not throw, as the
   * runtime gives up on alarms that do.
   */
  override async alarm(): Promise<void> {
    try {
      await this.#evaluate();
      await this.#notifying.send(Date.now());
      await this.#arm();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.error(JSON.stringify({ level: 'error', event: 'alerts_alarm_failed', text }));
      await this.#arm(Date.now() + this.env.ALERTS_INTERVAL_MS);
    }
  }

  async #evaluate(): Promise<void> {
    const now = Date.now();
    if (now < this.#nextEvaluation()) return;
    const source = monitoringOf(this.env);
    const rules = this.#rules.all().filter(({ rule }) => rule.enabled);
    const evaluated = await Promise.all(
      rules.map(async ({ rule }) => ({ rule, observed: await observe(rule, source, now) })),
    );
    this.ctx.storage.transactionSync(() => {
      this.#evaluation.apply(evaluated, now, Date.now());
      this.#notifying.plan(this.#state.alerts(), now);
    });
    await this.#reportQueue();
  }

  /** A report that fails is made up for by the next evaluation. */
  async #reportQueue(): Promise<void> {
    const depth = this.#notify.countWaiting();
    if (depth === 0 && this.#reportedDepth === 0) return;
    this.#reportedDepth = depth;
    const sample = queueDepth('monitoring', 'notifications', depth);
    await monitoringOf(this.env)
      .record([sample])
      .catch(() => {});
  }

  #nextEvaluation(): number {
    return (this.#rules.evaluatedAt() ?? -Infinity) + this.env.ALERTS_INTERVAL_MS;
  }

  /** Sets the alarm to what is due next; none where nothing is. */
  async #arm(earliest = 0): Promise<void> {
    const hasRules = this.#rules.all().some(({ rule }) => rule.enabled);
    const evaluation = hasRules || this.#notify.hasGroups() ? this.#nextEvaluation() : Infinity;
    const next = Math.min(evaluation, this.#notify.nextAttemptAt() ?? Infinity);
    if (next === Infinity) return;
    await this.ctx.storage.setAlarm(Math.max(next, earliest, Date.now()));
  }

  async #put(rule: Rule): Promise<RuleResult> {
    this.ctx.storage.transactionSync(() => {
      this.#rules.put(rule);
      if (rule.enabled) this.#evaluation.refresh(rule);
      else this.#evaluation.resolve(rule.id, Date.now());
    });
    await this.#arm();
    return { kind: 'done', rule: this.#record({ rule, lastError: null }) };
  }

  #missing({ receivers }: RuleDefinition): RuleResult | undefined {
    const missing = receivers.filter((id) => !this.#notify.receiver(id));
    return missing.length > 0 ? { kind: 'no-receiver', missing } : undefined;
  }

  #alerts(): Alert[] {
    const suppression = this.#evaluation.suppression(Date.now());
    return this.#state.alerts().map((stored) => alertOf(stored, suppression(stored.record)));
  }

  #record(stored: StoredRule): RuleRecord {
    const alerts = this.#state.alertsOf(stored.rule.id).map(({ record }) => record);
    return recordOf(stored, alerts, this.#rules.evaluatedAt());
  }

  #receiver(receiver: StoredReceiver): Receiver {
    return { ...receiver, deliveries: this.#notify.deliveries(receiver.id) };
  }
}

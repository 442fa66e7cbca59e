import type { Alert } from './contract/alert.ts';
import type { AlertNotification, EventsNotification } from './contract/alert-notification.ts';
import type { PlatformEvent } from '../events/contract/platform-event.ts';
import { checkTarget, parseAllowlist } from '../gateway/target-allowlist.ts';
import { ulid } from '../http/ulid.ts';
import { stateOf } from './alert-machine.ts';
import { alertOf, type KeptAlert, keyOf } from './kept-alert.ts';
import {
  type Attempt,
  type GroupPolicy,
  outcomeOf,
  planGroup,
  type Tellable,
  type Telling,
} from './notify-machine.ts';
import { sendWebhook } from './webhook.ts';
import type { DueDelivery, KeptReceiver, NotifyStore } from './notify-store.ts';

/** How many notifications are sent at a time. */
const SENT_AT_ONCE = 10;
/** Events have no labels: to each receiver they go in one order. */
const EVENTS_GROUP = '{}';
/** Notifications of events that may wait for a receiver; what is beyond is not told to it. */
const MOST_WAITING = 100;

export interface NotifySettings {
  /** What sends to an address. */
  readonly fetchTo: (url: string) => typeof fetch;
  /** TARGET_ALLOWLIST, which may have changed since a receiver was added. */
  readonly allowlist: unknown;
  /** What is waited after the first attempt that failed; twice that after the next. */
  readonly retryMs: number;
}

/** Tells the receivers what changed: first written down, then sent, then the outcome written down. */
export class AlertNotifying {
  readonly #store: NotifyStore;
  readonly #settings: NotifySettings;

  constructor(store: NotifyStore, settings: NotifySettings) {
    this.#store = store;
    this.#settings = settings;
  }

  /** Decides what each receiver is told now, and writes it down as deliveries. */
  plan(alerts: readonly KeptAlert[], now: number): void {
    for (const receiver of this.#store.receivers()) {
      const own = alerts.filter(({ facts }) => facts.receivers.includes(receiver.id));
      this.#planReceiver(receiver, own, now);
    }
  }

  /** Writes down what the receivers are told of events that have just come. */
  planEvents(all: readonly PlatformEvent[], now: number): void {
    for (const { id: receiverId, name, events: types } of this.#store.receivers()) {
      const events = all.filter(({ type }) => types.includes(type));
      if (events.length === 0) continue;
      if (this.#store.countWaitingOf(receiverId, EVENTS_GROUP) >= MOST_WAITING) continue;
      const id = `dlv_${ulid(now)}`;
      const notification: EventsNotification = {
        id,
        type: 'events',
        subject: receiverId,
        time: new Date(now).toISOString(),
        data: { receiver: { id: receiverId, name }, events },
      };
      const body = JSON.stringify(notification);
      const delivery = { id, receiverId, kind: 'events', labels: EVENTS_GROUP, body } as const;
      this.#store.addDelivery({ ...delivery, alerts: events.length }, now);
    }
  }

  /** Writes down a notification that says that the way to a receiver works. */
  planTest(receiver: KeptReceiver, now: number): void {
    this.#deliver(receiver, '{"alertname":"Test"}', [testAlert(receiver, now)], now);
  }

  /** Sends what is due. It does not throw: what failed is tried again. */
  async send(now: number): Promise<void> {
    await Promise.all(this.#store.due(now, SENT_AT_ONCE).map((delivery) => this.#send(delivery)));
  }

  #planReceiver(receiver: KeptReceiver, alerts: readonly KeptAlert[], now: number): void {
    const known = this.#store.groups(receiver.id);
    const members = Map.groupBy(alerts, (alert) => groupLabels(receiver, alert));
    for (const labels of new Set([...known.keys(), ...members.keys()])) {
      const group = known.get(labels);
      const kept = members.get(labels) ?? [];
      const plan = planGroup(group, kept.flatMap(tellableOf), policyOf(receiver), now);
      if (JSON.stringify(plan.group) !== JSON.stringify(group)) {
        this.#store.putGroup(receiver.id, labels, plan.group);
      }
      if (plan.tell) this.#deliver(receiver, labels, told(kept, plan.tell), now);
    }
  }

  #deliver(receiver: KeptReceiver, labels: string, alerts: readonly Alert[], now: number): void {
    const [first] = alerts;
    // What was told and is gone without a trace cannot be told of.
    if (!first) return;
    const isFiring = alerts.some(({ status }) => status.state !== 'resolved');
    const kind = isFiring ? ('firing' as const) : ('resolved' as const);
    const id = `dlv_${ulid(now)}`;
    const notification: AlertNotification = {
      id,
      type: `alert.${kind}`,
      subject: first.name,
      time: new Date(now).toISOString(),
      data: {
        receiver: { id: receiver.id, name: receiver.name },
        group_labels: JSON.parse(labels),
        alerts: [...alerts],
      },
    };
    const body = JSON.stringify(notification);
    const delivery = { id, receiverId: receiver.id, labels, kind, alerts: alerts.length, body };
    this.#store.addDelivery(delivery, now);
  }

  async #send({ id, receiverId, kind, body, attempts }: DueDelivery): Promise<void> {
    const url = this.#store.receiver(receiverId)?.url;
    const secret = this.#store.secretOf(receiverId);
    if (url === undefined || secret === undefined) return;
    const attempt = await this.#attempt({ url, secret }, { id, kind, body });
    const at = Date.now();
    this.#store.recordAttempt({
      id,
      at,
      outcome: outcomeOf(attempt, attempts + 1, this.#settings.retryMs, at),
      httpStatus: attempt.kind === 'answered' ? attempt.status : null,
      error: attempt.kind === 'answered' ? null : attempt.error,
    });
  }

  async #attempt(
    webhook: Parameters<typeof sendWebhook>[0],
    notification: Parameters<typeof sendWebhook>[1],
  ): Promise<Attempt> {
    try {
      const refusal = refusalOf(webhook.url, this.#settings.allowlist);
      if (refusal !== undefined) return { kind: 'unreachable', error: refusal };
      const send = this.#settings.fetchTo(webhook.url);
      const delivery = { now: Date.now(), send };
      return { kind: 'answered', status: await sendWebhook(webhook, notification, delivery) };
    } catch (error) {
      return { kind: 'unreachable', error: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Why an address may not be a receiver's, by the allowlist of all targets; a query is left aside. */
export function refusalOf(address: string, allowlist: unknown): string | undefined {
  const url = new URL(address);
  url.search = '';
  const check = checkTarget(url.href, parseAllowlist(allowlist));
  return check.ok ? undefined : check.reason;
}

const policyOf = (receiver: KeptReceiver): GroupPolicy => ({
  sendResolved: receiver.send_resolved,
  waitMs: receiver.group_wait_s * 1000,
  intervalMs: receiver.group_interval_s * 1000,
  repeatMs: receiver.repeat_interval_s * 1000,
});

const groupLabels = ({ group_by }: KeptReceiver, { record }: KeptAlert): string =>
  JSON.stringify(
    Object.fromEntries(group_by.toSorted().map((name) => [name, record.labels[name] ?? ''])),
  );

function tellableOf(kept: KeptAlert): readonly Tellable[] {
  const phase = stateOf(kept.record);
  return phase === 'pending' ? [] : [{ key: keyOf(kept), phase }];
}

function told(kept: readonly KeptAlert[], { firing, resolved }: Telling): readonly Alert[] {
  const wanted = new Set([...firing, ...resolved]);
  return kept.filter((alert) => wanted.has(keyOf(alert))).map((alert) => alertOf(alert));
}

function testAlert({ id }: KeptReceiver, now: number): Alert {
  const time = new Date(now).toISOString();
  return {
    fingerprint: '0000000000000000',
    name: 'Test',
    severity: 'info',
    service_name: null,
    status: { state: 'firing', silencedBy: [], inhibitedBy: [] },
    labels: { alertname: 'Test', severity: 'info' },
    annotations: { summary: 'This is a test notification.', description: '', runbook_url: '' },
    startsAt: time,
    updatedAt: time,
    endsAt: null,
    value: 0,
    rule_id: 'test',
    receivers: [id],
    generatorURL: '/alerts',
  };
}

import type { Alert, AlertNotification, EventsNotification } from './contract/alert.ts';
import type { PlatformEvent } from '../events/contract/platform-event.ts';
import { checkTarget, parseAllowlist } from '../gateway/target-allowlist.ts';
import { ulid } from '../http/ulid.ts';
import { stateOf } from './alert-machine.ts';
import { alertOf, type StoredAlert, keyOf } from './stored-alert.ts';
import {
  type Attempt,
  type GroupPolicy,
  outcomeOf,
  planGroup,
  type Notifiable,
  type GroupChange,
} from './notification-machine.ts';
import type { DueDelivery, StoredReceiver, NotificationStore } from './notification-store.ts';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { DeliveryKind } from './contract/alert-receiver.ts';

/** Notifications sent concurrently. */
const SEND_BATCH = 10;
/** Events have no labels: to each receiver they go in one order. */
const EVENTS_GROUP = '{}';
/** Notifications of events that may wait for a receiver; what is beyond is not notified to it. */
const MAX_WAITING = 100;

interface NotifierSettings {
  readonly fetchTo: (url: string) => typeof fetch;
  /** TARGET_ALLOWLIST, which may have changed since a receiver was added. */
  readonly allowlist: unknown;
  /** The delay after the first failed attempt; it doubles with each further one. */
  readonly retryMs: number;
}

/** Tells the receivers what changed: first written down, then sent, then the outcome written down. */
export class AlertNotifier {
  readonly #store: NotificationStore;
  readonly #settings: NotifierSettings;

  constructor(store: NotificationStore, settings: NotifierSettings) {
    this.#store = store;
    this.#settings = settings;
  }

  /** Decides what each receiver is notified now, and writes it down as deliveries. */
  plan(alerts: readonly StoredAlert[], now: number): void {
    for (const receiver of this.#store.receivers()) {
      const own = alerts.filter(({ facts }) => facts.receivers.includes(receiver.id));
      this.#planReceiver(receiver, own, now);
    }
  }

  /** Stores the deliveries of new events to the receivers subscribed to their types. */
  planEvents(all: readonly PlatformEvent[], now: number): void {
    for (const { id: receiverId, name, events: types } of this.#store.receivers()) {
      const events = all.filter(({ type }) => types.includes(type));
      if (events.length === 0) continue;
      if (this.#store.countWaitingOf(receiverId, EVENTS_GROUP) >= MAX_WAITING) continue;
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

  /** Stores a test notification, which shows that a receiver is reachable. */
  planTest(receiver: StoredReceiver, now: number): void {
    this.#deliver(receiver, '{"alertname":"Test"}', [testAlert(receiver, now)], now);
  }

  /** Sends what is due. It does not throw: what failed is tried again. */
  async send(now: number): Promise<void> {
    await Promise.all(this.#store.due(now, SEND_BATCH).map((delivery) => this.#send(delivery)));
  }

  #planReceiver(receiver: StoredReceiver, alerts: readonly StoredAlert[], now: number): void {
    const known = this.#store.groups(receiver.id);
    const members = Map.groupBy(alerts, (alert) => groupLabels(receiver, alert));
    for (const labels of new Set([...known.keys(), ...members.keys()])) {
      const group = known.get(labels);
      const stored = members.get(labels) ?? [];
      const plan = planGroup(group, stored.flatMap(notifiableOf), policyOf(receiver), now);
      if (JSON.stringify(plan.group) !== JSON.stringify(group)) {
        this.#store.putGroup(receiver.id, labels, plan.group);
      }
      if (plan.notify) this.#deliver(receiver, labels, notified(stored, plan.notify), now);
    }
  }

  #deliver(receiver: StoredReceiver, labels: string, alerts: readonly Alert[], now: number): void {
    const [first] = alerts;
    // An alert that was reported and then removed cannot be shown.
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

/**
 * Why the allowlist of targets refuses a receiver's address, ignoring its query; undefined where it does
 * not.
 */
export function refusalOf(address: string, allowlist: unknown): string | undefined {
  const url = new URL(address);
  url.search = '';
  const check = checkTarget(url.href, parseAllowlist(allowlist));
  return check.ok ? undefined : check.reason;
}

const policyOf = (receiver: StoredReceiver): GroupPolicy => ({
  sendResolved: receiver.send_resolved,
  waitMs: receiver.group_wait_s * 1000,
  intervalMs: receiver.group_interval_s * 1000,
  repeatMs: receiver.repeat_interval_s * 1000,
});

const groupLabels = ({ group_by }: StoredReceiver, { record }: StoredAlert): string =>
  JSON.stringify(
    Object.fromEntries(group_by.toSorted().map((name) => [name, record.labels[name] ?? ''])),
  );

function notifiableOf(stored: StoredAlert): readonly Notifiable[] {
  const phase = stateOf(stored.record);
  return phase === 'pending' ? [] : [{ key: keyOf(stored), phase }];
}

function notified(
  stored: readonly StoredAlert[],
  { firing, resolved }: GroupChange,
): readonly Alert[] {
  const wanted = new Set([...firing, ...resolved]);
  return stored.filter((alert) => wanted.has(keyOf(alert))).map((alert) => alertOf(alert));
}

function testAlert({ id }: StoredReceiver, now: number): Alert {
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

interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** A notification that is sent, and sent again, under one id. */
interface Notification {
  readonly id: string;
  readonly kind: DeliveryKind;
  readonly body: string;
}

const TIMEOUT_MS = 5000;

const bytes = (text: string) => new TextEncoder().encode(text);

/**
 * The value of `X-Spikegrid-Signature`: the time of signing in seconds, and the HMAC-SHA256 of
 * `<seconds>.<body>` under the receiver's secret. A receiver rejects old times to prevent replays.
 */
export function signatureOf(secret: string, body: string, seconds: number): string {
  const mac = hmac(sha256, bytes(secret), bytes(`${seconds}.${body}`));
  return `t=${seconds},v1=${bytesToHex(mac)}`;
}

interface Delivery {
  readonly now: number;
  readonly send: typeof fetch;
}

/**
 * Sends a notification once; answers with the receiver's status. Redirects are not followed: they
 * could lead past the target check. @throws what fetch throws where nothing answers in time
 */
async function sendWebhook(
  { url, secret }: Webhook,
  { id, kind, body }: Notification,
  { now, send }: Delivery,
): Promise<number> {
  const answer = await send(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'spikegrid-alerts',
      'x-spikegrid-event': kind === 'events' ? kind : `alert.${kind}`,
      'x-spikegrid-delivery': id,
      'x-spikegrid-signature': signatureOf(secret, body, Math.floor(now / 1000)),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await answer.body?.cancel();
  return answer.status;
}

import { TableStore } from '../storage/table-store.ts';
import type { Delivery, Receiver } from './contract/alert-receiver.ts';
import type { Group, Outcome } from './notification-machine.ts';

/** A receiver as it is stored. */
export type StoredReceiver = Omit<Receiver, 'deliveries'>;

interface NewDelivery {
  readonly id: string;
  readonly receiverId: string;
  /** The labels of the group as JSON, which names the group. */
  readonly labels: string;
  readonly kind: Delivery['kind'];
  readonly alerts: number;
  readonly body: string;
}

export interface DueDelivery extends NewDelivery {
  readonly attempts: number;
}

interface AttemptRecord {
  readonly id: string;
  readonly at: number;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

/** Deliveries that are retained of each receiver. */
const MAX_DELIVERIES = 20;

/** The tables of receivers, of the groups they were notified of, and of deliveries. */
export class NotificationStore extends TableStore {
  receivers(): readonly StoredReceiver[] {
    return this.rows<{ receiver: string }>('SELECT receiver FROM receivers ORDER BY id').map(
      // Receivers of earlier versions have no events.
      ({ receiver }) => ({ events: [], ...JSON.parse(receiver) }),
    );
  }

  receiver(id: string): StoredReceiver | undefined {
    return this.receivers().find((receiver) => receiver.id === id);
  }

  secretOf(id: string): string | undefined {
    return this.row<{ secret: string }>`SELECT secret FROM receivers WHERE id = ${id}`?.secret;
  }

  addReceiver(receiver: StoredReceiver, secret: string): void {
    this.insert('receivers', { id: receiver.id, receiver: JSON.stringify(receiver), secret });
  }

  removeReceiver(id: string): void {
    this.run`DELETE FROM receivers WHERE id = ${id}`;
    this.run`DELETE FROM notify_groups WHERE receiver_id = ${id}`;
    this.run`DELETE FROM deliveries WHERE receiver_id = ${id}`;
  }

  /** The groups a receiver is notified of, by their labels as JSON. */
  groups(receiverId: string): ReadonlyMap<string, Group> {
    const rows = this.rows<{ labels: string; notify_group: string }>`
      SELECT labels, notify_group FROM notify_groups WHERE receiver_id = ${receiverId}`;
    return new Map(rows.map(({ labels, notify_group }) => [labels, JSON.parse(notify_group)]));
  }

  hasGroups(): boolean {
    return this.exists('SELECT 1 FROM notify_groups LIMIT 1');
  }

  putGroup(receiverId: string, labels: string, group: Group | undefined): void {
    if (group) {
      const notify_group = JSON.stringify(group);
      this.replace('notify_groups', { receiver_id: receiverId, labels, notify_group });
    } else {
      const query = 'DELETE FROM notify_groups WHERE receiver_id = ? AND labels = ?';
      this.run(query, receiverId, labels);
    }
  }

  addDelivery({ receiverId, ...delivery }: NewDelivery, now: number): void {
    this.insert('deliveries', {
      ...delivery,
      receiver_id: receiverId,
      status: 'waiting',
      created_at: now,
      next_attempt_at: now,
    });
    this.run`DELETE FROM deliveries WHERE receiver_id = ${receiverId} AND status != 'waiting'
      AND seq NOT IN (SELECT seq FROM deliveries WHERE receiver_id = ${receiverId}
        ORDER BY seq DESC LIMIT ${MAX_DELIVERIES})`;
  }

  /** Notifications of a group that are neither delivered nor given up. */
  countWaitingOf(receiverId: string, labels: string): number {
    return this.value`SELECT count(*) FROM deliveries
      WHERE status = 'waiting' AND receiver_id = ${receiverId} AND labels = ${labels}`;
  }

  countWaiting(): number {
    return this.value("SELECT count(*) FROM deliveries WHERE status = 'waiting'");
  }

  /** Deliveries to send now, the oldest of each group only: its notifications must arrive in order. */
  due(now: number, limit: number): readonly DueDelivery[] {
    return this.rows<{ [K in keyof DueDelivery]: DueDelivery[K] }>(
      `SELECT id, receiver_id AS receiverId, labels, kind, alerts, body, attempts FROM deliveries
       WHERE status = 'waiting' AND next_attempt_at <= ? AND seq IN (${OLDEST_WAITING})
       ORDER BY next_attempt_at, seq LIMIT ?`,
      now,
      limit,
    );
  }

  /** When the next delivery is due. */
  nextAttemptAt(): number | undefined {
    const query = `SELECT min(next_attempt_at) FROM deliveries WHERE seq IN (${OLDEST_WAITING})`;
    return this.value<number | null>(query) ?? undefined;
  }

  recordAttempt({ id, at, outcome, httpStatus, error }: AttemptRecord): void {
    const nextAt = outcome.status === 'waiting' ? outcome.nextAt : null;
    this.run`UPDATE deliveries
      SET status = ${outcome.status}, attempts = attempts + 1, last_attempt_at = ${at},
        next_attempt_at = ${nextAt}, http_status = ${httpStatus}, error = ${error}
      WHERE id = ${id}`;
  }

  deliveries(receiverId: string): Delivery[] {
    const rows = this.rows<DeliveryRow>`
      SELECT id, labels, kind, alerts, status, attempts, created_at, last_attempt_at,
        next_attempt_at, http_status, error
      FROM deliveries WHERE receiver_id = ${receiverId} ORDER BY seq DESC LIMIT ${MAX_DELIVERIES}`;
    return rows.map(({ labels, ...row }) => ({
      ...row,
      group_labels: JSON.parse(labels),
      created_at: new Date(row.created_at).toISOString(),
      last_attempt_at: timeOf(row.last_attempt_at),
      next_attempt_at: timeOf(row.next_attempt_at),
    }));
  }
}

const OLDEST_WAITING =
  "SELECT min(seq) FROM deliveries WHERE status = 'waiting' GROUP BY receiver_id, labels";

type DeliveryRow = {
  [K in Exclude<keyof Delivery, 'group_labels' | `${string}_at`>]: Delivery[K];
} & { labels: string; created_at: number } & Record<
    'last_attempt_at' | 'next_attempt_at',
    number | null
  >;

const timeOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

import type { Delivery, DeliveryKind, Receiver } from './contract/alert-receiver.ts';
import type { Group, Outcome } from './notify-machine.ts';

type Row = Record<string, SqlStorageValue>;

/** A receiver as it is kept. */
export type KeptReceiver = Omit<Receiver, 'deliveries'>;

export interface NewDelivery {
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

export interface AttemptRecord {
  readonly id: string;
  readonly at: number;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

/** How many deliveries a receiver keeps and shows. */
const KEPT_PER_RECEIVER = 20;

/** Receivers, what they were told, and what they are to be told. */
export class NotifyStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  receivers(): readonly KeptReceiver[] {
    return this.#rows('SELECT receiver FROM receivers ORDER BY id').map(({ receiver }) => ({
      // Those of before could ask for none.
      events: [],
      ...JSON.parse(String(receiver)),
    }));
  }

  receiver(id: string): KeptReceiver | undefined {
    return this.receivers().find((receiver) => receiver.id === id);
  }

  secretOf(id: string): string | undefined {
    const [row] = this.#rows('SELECT secret FROM receivers WHERE id = ?', id);
    return row && String(row['secret']);
  }

  addReceiver(receiver: KeptReceiver, secret: string): void {
    const { id } = receiver;
    this.#sql.exec('INSERT INTO receivers VALUES (?, ?, ?)', id, JSON.stringify(receiver), secret);
  }

  removeReceiver(id: string): void {
    this.#sql.exec('DELETE FROM receivers WHERE id = ?', id);
    this.#sql.exec('DELETE FROM notify_groups WHERE receiver_id = ?', id);
    this.#sql.exec('DELETE FROM deliveries WHERE receiver_id = ?', id);
  }

  /** The groups a receiver is told of, by their labels as JSON. */
  groups(receiverId: string): ReadonlyMap<string, Group> {
    const rows = this.#rows(
      'SELECT labels, notify_group FROM notify_groups WHERE receiver_id = ?',
      receiverId,
    );
    return new Map(
      rows.map(({ labels, notify_group }) => [String(labels), JSON.parse(String(notify_group))]),
    );
  }

  hasGroups(): boolean {
    return this.#rows('SELECT 1 FROM notify_groups LIMIT 1').length > 0;
  }

  putGroup(receiverId: string, labels: string, group: Group | undefined): void {
    if (group) {
      this.#sql.exec(
        'INSERT OR REPLACE INTO notify_groups VALUES (?, ?, ?)',
        receiverId,
        labels,
        JSON.stringify(group),
      );
    } else {
      this.#sql.exec(
        'DELETE FROM notify_groups WHERE receiver_id = ? AND labels = ?',
        receiverId,
        labels,
      );
    }
  }

  addDelivery(delivery: NewDelivery, now: number): void {
    const { id, receiverId, labels, kind, alerts, body } = delivery;
    this.#sql.exec(
      `INSERT INTO deliveries
         (id, receiver_id, labels, kind, alerts, body, status, created_at, next_attempt_at)
       VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?)`,
      id,
      receiverId,
      labels,
      kind,
      alerts,
      body,
      now,
      now,
    );
    this.#sql.exec(
      `DELETE FROM deliveries WHERE receiver_id = ?1 AND status != 'waiting' AND seq NOT IN
         (SELECT seq FROM deliveries WHERE receiver_id = ?1 ORDER BY seq DESC LIMIT ?2)`,
      receiverId,
      KEPT_PER_RECEIVER,
    );
  }

  /** How many notifications of a group of a receiver are not delivered and not given up. */
  countWaitingOf(receiverId: string, labels: string): number {
    return this.#sql
      .exec<{ total: number }>(
        `SELECT count(*) AS total FROM deliveries
         WHERE status = 'waiting' AND receiver_id = ? AND labels = ?`,
        receiverId,
        labels,
      )
      .one().total;
  }

  countWaiting(): number {
    return this.#sql
      .exec<{ total: number }>("SELECT count(*) AS total FROM deliveries WHERE status = 'waiting'")
      .one().total;
  }

  /** What is to be sent now, in each group only the oldest: its news must arrive in order. */
  due(now: number, limit: number): readonly DueDelivery[] {
    return this.#rows(
      `SELECT * FROM deliveries WHERE status = 'waiting' AND next_attempt_at <= ? AND seq IN
         (SELECT min(seq) FROM deliveries WHERE status = 'waiting' GROUP BY receiver_id, labels)
       ORDER BY next_attempt_at, seq LIMIT ?`,
      now,
      limit,
    ).map((row) => ({
      id: String(row['id']),
      receiverId: String(row['receiver_id']),
      labels: String(row['labels']),
      kind: kindOf(row),
      alerts: Number(row['alerts']),
      body: String(row['body']),
      attempts: Number(row['attempts']),
    }));
  }

  /** When something is to be sent next. */
  nextAttemptAt(): number | undefined {
    const [row] = this.#rows(
      `SELECT min(next_attempt_at) AS at FROM deliveries WHERE seq IN
         (SELECT min(seq) FROM deliveries WHERE status = 'waiting' GROUP BY receiver_id, labels)`,
    );
    return numberOf(row?.['at']) ?? undefined;
  }

  recordAttempt({ id, at, outcome, httpStatus, error }: AttemptRecord): void {
    this.#sql.exec(
      `UPDATE deliveries SET status = ?, attempts = attempts + 1, last_attempt_at = ?,
         next_attempt_at = ?, http_status = ?, error = ? WHERE id = ?`,
      outcome.status,
      at,
      outcome.status === 'waiting' ? outcome.nextAt : null,
      httpStatus,
      error,
      id,
    );
  }

  deliveries(receiverId: string): Delivery[] {
    return this.#rows(
      'SELECT * FROM deliveries WHERE receiver_id = ? ORDER BY seq DESC LIMIT ?',
      receiverId,
      KEPT_PER_RECEIVER,
    ).map((row) => ({
      id: String(row['id']),
      group_labels: JSON.parse(String(row['labels'])),
      kind: kindOf(row),
      alerts: Number(row['alerts']),
      // Only outcomes are written to this column.
      status: String(row['status']) as Delivery['status'],
      attempts: Number(row['attempts']),
      created_at: timeOf(row['created_at']) ?? '',
      last_attempt_at: timeOf(row['last_attempt_at']),
      next_attempt_at: timeOf(row['next_attempt_at']),
      http_status: numberOf(row['http_status']),
      error: typeof row['error'] === 'string' ? row['error'] : null,
    }));
  }

  #rows(query: string, ...values: readonly (string | number)[]): readonly Row[] {
    return this.#sql.exec<Row>(query, ...values).toArray();
  }
}

// Only kinds are written to this column.
const kindOf = (row: Row) => String(row['kind']) as DeliveryKind;
const numberOf = (value: SqlStorageValue | undefined) => (value == null ? null : Number(value));
const timeOf = (value: SqlStorageValue | undefined) =>
  value == null ? null : new Date(Number(value)).toISOString();

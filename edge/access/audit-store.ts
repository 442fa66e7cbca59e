import type { AuditEvent, AuditQuery } from './contract/audit.ts';
import { TableStore } from '../storage/table-store.ts';

export interface AuditPage {
  readonly events: readonly AuditEvent[];
  /** The start of the next page; undefined after the last one. */
  readonly next: number | undefined;
}

/**
 * The audit log retains a year, and at most this many events of one action: sign-ins, which many
 * can cause, must not push out what administrators did.
 */
const RETENTION_MS = 366 * 24 * 3600 * 1000;
const MAX_PER_ACTION = 10_000;

/** The append-only table of the audit log, trimmed at its old end. */
export class AuditStore extends TableStore {
  readonly #most: number;

  constructor(sql: SqlStorage, most = MAX_PER_ACTION) {
    super(sql);
    this.#most = most;
  }

  add(event: AuditEvent): void {
    const time = Date.parse(event.time);
    this.run`INSERT INTO audit (event_id, time, action, actor_id, target, event)
      VALUES (${event.event_id}, ${time}, ${event.action}, ${event.actor.id ?? event.actor.kind},
        ${event.target}, ${JSON.stringify(event)})`;
    this.run`DELETE FROM audit WHERE action = ${event.action} AND seq <= (
      SELECT seq FROM audit WHERE action = ${event.action}
      ORDER BY seq DESC LIMIT 1 OFFSET ${this.#most})`;
    this.run`DELETE FROM audit WHERE time < ${time - RETENTION_MS}`;
  }

  /** The latest event first; `before` is the `next` of the previous page. */
  page(query: Omit<AuditQuery, 'cursor'>, before: number): AuditPage {
    const { clauses, values } = filtersOf(query);
    const rows = this.rows<{ seq: number; event: string }>(
      `SELECT seq, event FROM audit WHERE ${['seq < ?', ...clauses].join(' AND ')}
          ORDER BY seq DESC LIMIT ?`,
      before,
      ...values,
      query.limit + 1,
    );
    const shown = rows.slice(0, query.limit);
    return {
      events: shown.map(({ event }) => JSON.parse(event)),
      next: rows.length > shown.length ? shown.at(-1)?.seq : undefined,
    };
  }
}

function filtersOf({ action, actor, target, from, to }: Omit<AuditQuery, 'cursor'>) {
  const filters: (readonly [clause: string, value: string | number | undefined])[] = [
    ['action = ?', action],
    ['actor_id = ?', actor],
    ['target = ?', target],
    ['time >= ?', from && Date.parse(from)],
    ['time < ?', to && Date.parse(to)],
  ];
  const given = filters.flatMap(([clause, value]) =>
    value === undefined ? [] : [{ clause, value }],
  );
  return { clauses: given.map(({ clause }) => clause), values: given.map(({ value }) => value) };
}

import type { NewEvent } from './contract/platform-event.ts';
import type { Env } from '../env.ts';
import { ulid } from '../http/ulid.ts';
import { MAIN } from '../storage/remote.ts';
import { Dispatcher } from './dispatcher.ts';
import { TableStore } from '../storage/table-store.ts';

/** The table of an outbox, as a migration of the object that has one. */
export const OUTBOX_TABLE = `CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  event TEXT NOT NULL
);`;

/** Numbers and stores the events of all outboxes: the object of the log. */
interface EventHub {
  tell(events: readonly NewEvent[]): Promise<void>;
}

/** The maximum number of waiting events; the oldest are dropped. */
const MAX_WAITING = 10_000;
/** The number of events per batch. */
const PART = 100;

/** An event to be sent; a missing id and time are generated. */
export type PendingEvent = Pick<NewEvent, 'type' | 'subject' | 'data' | 'team'> &
  Partial<Pick<NewEvent, 'id' | 'time'>>;

interface Row {
  readonly seq: number;
  readonly event: NewEvent;
}

/**
 * The transactional outbox of an object: events are written in the same transaction as the change
 * they report, and deleted once the hub has written them.
 */
export class Outbox extends TableStore {
  readonly #dispatcher: Dispatcher<readonly Row[]>;

  constructor(sql: SqlStorage, env: Env) {
    super(sql);
    this.#dispatcher = new Dispatcher({
      name: 'events',
      next: () => this.#first(),
      deliver: (rows) => env.LOG_HUB.getByName<EventHub>(MAIN).tell(rows.map(({ event }) => event)),
      done: (rows) => void sql.exec('DELETE FROM outbox WHERE seq <= ?', rows.at(-1)?.seq ?? 0),
    });
  }

  add({ type, subject, data, team, ...known }: PendingEvent): void {
    const { id = `evt_${ulid()}`, time = new Date().toISOString() } = known;
    const event: NewEvent = { id, type, subject, time, ...(team !== undefined && { team }), data };
    const { seq } = this.one<{ seq: number }>`
      INSERT INTO outbox (event) VALUES (${JSON.stringify(event)}) RETURNING seq`;
    this.run`DELETE FROM outbox WHERE seq <= ${seq - MAX_WAITING}`;
    this.#dispatcher.soon();
  }

  #first(): readonly Row[] | undefined {
    const rows = this.rows<{ seq: number; event: string }>(
      'SELECT * FROM outbox ORDER BY seq LIMIT ?',
      PART,
    ).map(({ seq, event }) => ({ seq, event: JSON.parse(event) as NewEvent }));
    return rows.length > 0 ? rows : undefined;
  }
}

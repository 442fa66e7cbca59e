import type { NewEvent } from './contract/platform-event.ts';
import type { Env } from '../env.ts';
import { ulid } from '../http/ulid.ts';
import { MAIN } from '../storage/remote.ts';
import { Courier } from './courier.ts';

/** The table of an outbox: a migration of the object that has one. */
export const OUTBOX_TABLE = `CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  event TEXT NOT NULL
);`;

/** Numbers and stores the events of all outboxes: the object of the log. */
export interface EventHub {
  tell(events: readonly NewEvent[]): Promise<void>;
}

/** So many events wait at most; of more, the oldest are lost. */
const MOST_WAITING = 10_000;
/** Events that are handed over at once. */
const PART = 100;

/** What there is to say of an event; id and time are made where nothing else has given them yet. */
export type Happening = Pick<NewEvent, 'type' | 'subject' | 'data' | 'team'> &
  Partial<Pick<NewEvent, 'id' | 'time'>>;

interface Row {
  readonly seq: number;
  readonly event: NewEvent;
}

/**
 * The events of an object on their way to the hub. They are written in the same step as what they
 * tell of, so none is lost and none is made up, and go once the hub has written them down.
 */
export class Outbox {
  readonly #sql: SqlStorage;
  readonly #courier: Courier<readonly Row[]>;

  constructor(sql: SqlStorage, env: Env) {
    this.#sql = sql;
    this.#courier = new Courier({
      name: 'events',
      next: () => this.#first(),
      deliver: (rows) => env.LOG_HUB.getByName<EventHub>(MAIN).tell(rows.map(({ event }) => event)),
      done: (rows) => void sql.exec('DELETE FROM outbox WHERE seq <= ?', rows.at(-1)?.seq ?? 0),
    });
  }

  add({ type, subject, data, team, ...known }: Happening): void {
    const { id = `evt_${ulid()}`, time = new Date().toISOString() } = known;
    const event: NewEvent = { id, type, subject, time, ...(team !== undefined && { team }), data };
    const { seq } = this.#sql
      .exec<{ seq: number }>(
        'INSERT INTO outbox (event) VALUES (?) RETURNING seq',
        JSON.stringify(event),
      )
      .one();
    this.#sql.exec('DELETE FROM outbox WHERE seq <= ?', seq - MOST_WAITING);
    this.#courier.soon();
  }

  #first(): readonly Row[] | undefined {
    const rows = this.#sql
      .exec<{ seq: number; event: string }>('SELECT * FROM outbox ORDER BY seq LIMIT ?', PART)
      .toArray()
      .map(({ seq, event }) => ({ seq, event: JSON.parse(event) as NewEvent }));
    return rows.length > 0 ? rows : undefined;
  }
}

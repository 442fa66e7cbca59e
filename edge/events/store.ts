import {
  type EventGap,
  type EventType,
  type NewEvent,
  type PlatformEvent,
  teamOfEvent,
} from './contract/platform-event.ts';
import { TableStore } from '../storage/table-store.ts';

/** The limits per type; of older events, only the range is known. */
export const EVENT_RETENTION = { events: 5_000, ms: 30 * 24 * 3600 * 1000 } as const;

/** Events after a number, and the gaps of expired ones. */
export interface EventPage {
  readonly events: readonly PlatformEvent[];
  readonly gaps: readonly EventGap[];
  readonly hasMore: boolean;
}

/** The visible events: of some types, and of a team or, without one, of all. */
export interface SeenEvents {
  readonly types: readonly EventType[];
  readonly team?: string | undefined;
}

/** The events of the platform, under numbers of the log: they outlast its messages. */
export class EventStore extends TableStore {
  /** The events that are not stored yet: delivery is at least once. */
  fresh(events: readonly NewEvent[]): readonly NewEvent[] {
    const isKnown = ({ id }: NewEvent) => this.exists`SELECT 1 FROM events WHERE id = ${id}`;
    return events.filter((event) => !isKnown(event));
  }

  /** Writes events under the numbers from `firstSeq` on, and deletes expired ones. */
  add(events: readonly NewEvent[], firstSeq: number, now: number): void {
    for (const [i, { id, type, ...rest }] of events.entries()) {
      const seq = firstSeq + i;
      const team = teamOfEvent({ type, ...rest });
      this.run`INSERT INTO events (seq, id, type, received_at, event, team)
        VALUES (${seq}, ${id}, ${type}, ${now},
          ${JSON.stringify({ id, seq, type, ...rest, team })}, ${team})`;
    }
    for (const type of new Set(events.map((event) => event.type))) this.#trim(type, now);
  }

  /** The visible events after a number, the earliest first. */
  page({ types, team }: SeenEvents, after: number, limit: number): EventPage {
    const seen = seenBy(team);
    const rows = this.rows<{ event: string }>(
      `SELECT event FROM events WHERE seq > ? AND type IN (${marks(types)})${seen.sql}
          ORDER BY seq LIMIT ?`,
      after,
      ...types,
      ...seen.values,
      limit + 1,
    );
    const events = rows.slice(0, limit).map(({ event }) => eventIn(event));
    return { events, gaps: this.#gaps(types, after), hasMore: rows.length > limit };
  }

  /** The number before the latest `count` visible events; `last` where there are none. */
  beforeLatest({ types, team }: SeenEvents, count: number, last: number): number {
    const seen = seenBy(team);
    if (count === 0) return last;
    const { first } = this.one<{ first: number | null }>(
      `SELECT min(seq) AS first FROM (SELECT seq FROM events WHERE type IN (${marks(types)})${seen.sql}
           ORDER BY seq DESC LIMIT ?)`,
      ...types,
      ...seen.values,
      count,
    );
    return first === null ? last : first - 1;
  }

  #gaps(types: readonly EventType[], after: number): readonly EventGap[] {
    return this.rows<{ type: EventType; gone_to: number }>(
      `SELECT type, gone_to FROM event_ends WHERE gone_to > ? AND type IN (${marks(types)})`,
      after,
      ...types,
    ).map(({ type, gone_to: to_seq }) => ({
      type: 'gap',
      event_type: type,
      from_seq: after + 1,
      to_seq,
    }));
  }

  #trim(type: EventType, now: number): void {
    const { gone } = this.one<{ gone: number }>`SELECT max(
      coalesce((SELECT seq FROM events WHERE type = ${type}
        ORDER BY seq DESC LIMIT 1 OFFSET ${EVENT_RETENTION.events}), 0),
      coalesce((SELECT max(seq) FROM events INDEXED BY events_by_time
        WHERE type = ${type} AND received_at < ${now - EVENT_RETENTION.ms}), 0)) AS gone`;
    if (gone === 0) return;
    this.run`DELETE FROM events WHERE type = ${type} AND seq <= ${gone}`;
    this.run`INSERT OR REPLACE INTO event_ends VALUES (${type}, ${gone})`;
  }
}

const seenBy = (team: string | undefined) =>
  team === undefined
    ? { sql: '', values: [] }
    : { sql: ' AND (team IS NULL OR team = ?)', values: [team] };

/** Events from before there were teams lack the team. */
function eventIn(text: string): PlatformEvent {
  const event = JSON.parse(text) as PlatformEvent;
  return { ...event, team: teamOfEvent(event) };
}

const marks = (types: readonly EventType[]): string => types.map(() => '?').join(', ');

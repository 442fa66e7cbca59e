import { EventType, type NewEvent, teamOfEvent } from './contract/platform-event.ts';
import type { Env } from '../env.ts';
import { Courier } from './courier.ts';
import { Signals } from './signals.ts';
import type { Line } from '../logs/line.ts';
import { alertsOf } from '../alerts/stubs.ts';
import { type EventPage, EventStore, type SeenEvents } from './store.ts';
import type { LogBook } from '../logs/buffer.ts';
import type { LogStore } from '../logs/store.ts';

/** Events that are handed to the webhooks at once. */
const PART = 100;
/** Up to which number the webhooks have been told. */
const TOLD = 'webhooks_told';
const SOME = 'events';

export interface EventQuery extends SeenEvents {
  /** After this number; without it, the latest `tail`, or from the earliest. */
  readonly after?: number | undefined;
  readonly tail?: number | undefined;
  readonly limit: number;
}

/** A page of events and where it lies: after one number, and up to another. */
export interface EventStretch extends EventPage {
  readonly after: number;
  readonly upTo: number;
}

interface HubEventsOptions {
  readonly storage: DurableObjectStorage;
  readonly env: Env;
  readonly book: LogBook;
  readonly store: LogStore;
}

/** The events of the platform: numbered with the log, kept for longer, followed, and told to webhooks. */
export class HubEvents {
  readonly #options: HubEventsOptions;
  readonly #events: EventStore;
  readonly #signals = new Signals();
  readonly #webhooks: Courier<EventPage>;

  constructor(options: HubEventsOptions) {
    const { env, storage, store } = options;
    this.#options = options;
    this.#events = new EventStore(storage.sql);
    this.#webhooks = new Courier({
      name: 'webhooks',
      next: () => this.#untold(),
      deliver: ({ events }) => alertsOf(env).notifyEvents(events),
      done: ({ events }) => store.setMeta(TOLD, String(events.at(-1)?.seq)),
    });
  }

  /** Writes down those events that have not come before, and returns them with their numbers. */
  take(told: readonly NewEvent[], now: number): readonly Line[] {
    const fresh = this.#events.fresh(told);
    if (fresh.length === 0) return [];
    const { book, storage } = this.#options;
    const lines = storage.transactionSync(() => {
      this.#events.add(fresh, book.last + 1, now);
      return book.add(fresh.map((event) => ({ ...event, team: teamOfEvent(event) })));
    });
    this.#signals.wake(SOME);
    this.#webhooks.soon();
    return lines;
  }

  page({ types, team, after, tail, limit }: EventQuery): EventStretch {
    const seen = { types, team };
    const { last } = this.#options.book;
    const latest = tail === undefined ? 0 : this.#events.beforeLatest(seen, tail, last);
    // A number that was never given belongs to a store that is gone.
    const from = Math.min(after ?? latest, last);
    const page = this.#events.page(seen, from, limit);
    const upTo = page.hasMore ? (page.events.at(-1)?.seq ?? from) : last;
    return { ...page, after: from, upTo };
  }

  /** What follows a number, held back until there is something or `waitMs` is over. */
  async follow(query: EventQuery, waitMs: number): Promise<EventStretch> {
    const found = this.page(query);
    if (found.events.length > 0 || found.gaps.length > 0) return found;
    await this.#signals.wait(SOME, waitMs);
    return this.page(query);
  }

  #untold(): EventPage | undefined {
    const told = Number(this.#options.store.meta(TOLD) ?? 0);
    const page = this.#events.page({ types: EventType.options }, told, PART);
    return page.events.length > 0 ? page : undefined;
  }
}

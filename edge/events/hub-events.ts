import { EventType, type NewEvent, teamOfEvent } from './contract/platform-event.ts';
import type { Env } from '../env.ts';
import { Dispatcher } from './dispatcher.ts';
import { Notifier } from './notifier.ts';
import type { Line } from '../logs/line.ts';
import { alertsOf } from '../alerts/stubs.ts';
import { type EventPage, EventStore, type SeenEvents } from './store.ts';
import type { LogBuffer } from '../logs/buffer.ts';
import type { LogStore } from '../logs/store.ts';

/** The number of events per webhook batch. */
const PART = 100;
/** The key of the last event delivered to webhooks. */
const TOLD = 'webhooks_told';
const SOME = 'events';

export interface EventQuery extends SeenEvents {
  /** After this number; without it, the latest `tail`, or from the earliest. */
  readonly after?: number | undefined;
  readonly tail?: number | undefined;
  readonly limit: number;
}

/** A page of events with its range: after one number, and up to another. */
export interface EventRange extends EventPage {
  readonly after: number;
  readonly upTo: number;
}

interface EventHubOptions {
  readonly storage: DurableObjectStorage;
  readonly env: Env;
  readonly buffer: LogBuffer;
  readonly store: LogStore;
}

/**
 * The events of the platform: numbered with the log, retained for longer, streamed, and delivered
 * to webhooks.
 */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #events: EventStore;
  readonly #notifier = new Notifier();
  readonly #webhooks: Dispatcher<EventPage>;

  constructor(options: EventHubOptions) {
    const { env, storage, store } = options;
    this.#options = options;
    this.#events = new EventStore(storage.sql);
    this.#webhooks = new Dispatcher({
      name: 'webhooks',
      next: () => this.#undelivered(),
      deliver: ({ events }) => alertsOf(env).notifyEvents(events),
      done: ({ events }) => store.setMeta(TOLD, String(events.at(-1)?.seq)),
    });
  }

  /** Writes the events that are new. @returns them with their numbers */
  take(incoming: readonly NewEvent[], now: number): readonly Line[] {
    const fresh = this.#events.fresh(incoming);
    if (fresh.length === 0) return [];
    const { buffer, storage } = this.#options;
    const lines = storage.transactionSync(() => {
      this.#events.add(fresh, buffer.last + 1, now);
      return buffer.add(fresh.map((event) => ({ ...event, team: teamOfEvent(event) })));
    });
    this.#notifier.wake(SOME);
    this.#webhooks.soon();
    return lines;
  }

  page({ types, team, after, tail, limit }: EventQuery): EventRange {
    const seen = { types, team };
    const { last } = this.#options.buffer;
    const latest = tail === undefined ? 0 : this.#events.beforeLatest(seen, tail, last);
    // A number that was never assigned belongs to a store that no longer exists.
    const from = Math.min(after ?? latest, last);
    const page = this.#events.page(seen, from, limit);
    const upTo = page.hasMore ? (page.events.at(-1)?.seq ?? from) : last;
    return { ...page, after: from, upTo };
  }

  /** Events after a sequence number; a long poll of at most `waitMs`. */
  async follow(query: EventQuery, waitMs: number): Promise<EventRange> {
    const found = this.page(query);
    if (found.events.length > 0 || found.gaps.length > 0) return found;
    await this.#notifier.wait(SOME, waitMs);
    return this.page(query);
  }

  #undelivered(): EventPage | undefined {
    const delivered = Number(this.#options.store.meta(TOLD) ?? 0);
    const page = this.#events.page({ types: EventType.options }, delivered, PART);
    return page.events.length > 0 ? page : undefined;
  }
}

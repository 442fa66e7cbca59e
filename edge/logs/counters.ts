import type { LogStore } from './store.ts';

const NAMES = ['send_timeouts', 'broadcast_drops', 'persist_drops'] as const;
type CounterName = (typeof NAMES)[number];

/** The counters of the stream, written together with the messages. */
export class LogCounters {
  readonly #store: LogStore;
  readonly #values: Record<CounterName, number>;
  #updatedAt: string;
  #isSaved = true;

  constructor(store: LogStore) {
    this.#store = store;
    const read = (name: CounterName) => Number(store.meta(name) ?? 0);
    this.#values = {
      send_timeouts: read('send_timeouts'),
      broadcast_drops: read('broadcast_drops'),
      persist_drops: read('persist_drops'),
    };
    this.#updatedAt = store.meta('last_update') ?? new Date().toISOString();
  }

  get values() {
    return { ...this.#values, last_update: this.#updatedAt };
  }

  get isSaved(): boolean {
    return this.#isSaved;
  }

  count(name: CounterName, more: number): void {
    if (more === 0) return;
    this.#values[name] += more;
    this.changed();
  }

  /** Marks a visible value as changed. */
  changed(): void {
    this.#updatedAt = new Date().toISOString();
    this.#isSaved = false;
  }

  save(): void {
    if (this.#isSaved) return;
    for (const name of NAMES) this.#store.setMeta(name, String(this.#values[name]));
    this.#store.setMeta('last_update', this.#updatedAt);
    this.#isSaved = true;
  }
}

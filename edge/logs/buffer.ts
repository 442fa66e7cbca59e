import type { NewEvent } from '../events/contract/platform-event.ts';
import { type LogFilter } from './contract/log-filter.ts';
import { ulid } from '../http/ulid.ts';
import { type Line, lineOf, matches, type Unnumbered } from './line.ts';
import type { Hole, LogStore } from './store.ts';

/** Numbers that are set aside with one write: what a crash leaves of them is a hole. */
const RESERVED = 10_000;

/** What follows a message: a hole, or messages and how far they reach. */
export type Batch =
  | { readonly kind: 'hole'; readonly hole: Hole }
  | {
      readonly kind: 'lines';
      readonly lines: readonly Line[];
      readonly upTo: number;
      readonly isEnd: boolean;
    };

/**
 * The messages in the order of their numbers: what waits in memory to be written, and what is.
 *
 * A number is used once, whatever happens: so many as may be used before the next write are
 * set aside first. What a crash leaves of these, or the store does not take, is a hole.
 */
export class LogBuffer {
  readonly streamId: string;
  readonly #store: LogStore;
  readonly #transact: (write: () => void) => void;
  #waiting: Line[] = [];
  /** What the store did not take, until it can be told so. */
  #lost: Hole | undefined;
  #last: number;
  #reserved: number;

  /** @param transact makes all that is written in it one step */
  constructor(store: LogStore, transact: (write: () => void) => void) {
    this.#store = store;
    this.#transact = transact;
    this.streamId = store.meta('stream_id') ?? `logs_${ulid()}`;
    store.setMeta('stream_id', this.streamId);
    const written = Number(store.meta('last') ?? 0);
    this.#reserved = Number(store.meta('reserved') ?? 0);
    if (this.#reserved > written) {
      store.addHole({ from_seq: written + 1, to_seq: this.#reserved, dropped: null });
      store.setMeta('last', String(this.#reserved));
    }
    this.#last = Math.max(written, this.#reserved);
  }

  /** The number of the latest message; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** How many messages wait to be written. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Gives messages and events their numbers and keeps them until they are written. */
  add(messages: readonly (Unnumbered | NewEvent)[]): readonly Line[] {
    if (this.#last + messages.length > this.#reserved) this.#reserve(messages.length);
    const lines = messages.map((message, i) => lineOf(message, this.#last + i + 1));
    this.#last += lines.length;
    this.#waiting.push(...lines);
    return lines;
  }

  /** Whether everything is written down. */
  get isWritten(): boolean {
    return this.#waiting.length === 0 && !this.#lost;
  }

  /** Writes what waits, and goes on without it where the store does not take it. Returns how many are lost. */
  flush(now: number): number {
    const lines = this.#waiting;
    const lost = this.#lost;
    if (this.isWritten) return 0;
    this.#waiting = [];
    this.#lost = undefined;
    this.#reserved = this.#last + RESERVED;
    try {
      this.#transact(() => {
        if (lost) this.#store.addHole(lost);
        for (const line of lines) this.#store.add(line, now);
        this.#writeEnds();
        this.#store.trim(this.#last, now);
      });
      return 0;
    } catch (error) {
      const text = String(error);
      console.error(JSON.stringify({ level: 'error', event: 'logs_not_written', text }));
      this.#lost = {
        from_seq: lost?.from_seq ?? lines[0]?.log.seq ?? this.#last,
        to_seq: this.#last,
        dropped: (lost?.dropped ?? 0) + lines.length,
      };
      return lines.length;
    }
  }

  /** Nobody publishes: no number is set aside any more. */
  rest(): void {
    if (!this.isWritten || this.#reserved === this.#last) return;
    this.#reserved = this.#last;
    this.#writeEnds();
  }

  /** What follows a message, as somebody wants to see it. */
  read(position: number, filter: LogFilter, limit: number): Batch {
    const missing = this.#missingAfter(position);
    if (missing && missing.from_seq <= position + 1) return { kind: 'hole', hole: missing };
    const end = missing ? missing.from_seq - 1 : this.#last;
    const kept = this.#store
      .between(position, end, filter, limit)
      .map(({ seq, ...entry }) => lineOf(entry, seq));
    const fresh = this.#waiting.filter(
      (line) => line.log.seq > position && line.log.seq <= end && matches(line, filter),
    );
    const lines = [...kept, ...fresh].slice(0, limit);
    const upTo = lines.length < limit ? end : (lines.at(-1)?.log.seq ?? end);
    return { kind: 'lines', lines, upTo, isEnd: upTo === this.#last };
  }

  /** The first messages after one that are nowhere: past their time, or in a hole. */
  #missingAfter(position: number): Hole | undefined {
    const first = this.#store.ends()?.first ?? this.#waiting[0]?.log.seq ?? this.#last + 1;
    if (position + 1 < first) return { from_seq: position + 1, to_seq: first - 1, dropped: null };
    const hole = this.#store.holeAfter(position) ?? this.#lostAfter(position);
    return hole && { ...hole, from_seq: Math.max(hole.from_seq, position + 1) };
  }

  #lostAfter(position: number): Hole | undefined {
    return this.#lost && this.#lost.to_seq > position ? this.#lost : undefined;
  }

  #reserve(count: number): void {
    this.#reserved = this.#last + Math.max(RESERVED, count);
    this.#store.setMeta('reserved', String(this.#reserved));
  }

  #writeEnds(): void {
    this.#store.setMeta('last', String(this.#last));
    this.#store.setMeta('reserved', String(this.#reserved));
  }
}

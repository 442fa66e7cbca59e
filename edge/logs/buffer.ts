import type { NewEvent } from '../events/contract/platform-event.ts';
import { type LogFilter } from './contract/log-filter.ts';
import { ulid } from '../http/ulid.ts';
import { type Line, lineOf, matches, type Unnumbered } from './line.ts';
import type { Hole, LogStore } from './store.ts';

/** The number of sequence numbers reserved with one write: those unused at a crash become a gap. */
const RESERVED = 10_000;

/** The result of a read after a position: a gap, or messages and the position after them. */
type Batch =
  | { readonly kind: 'hole'; readonly hole: Hole }
  | {
      readonly kind: 'lines';
      readonly lines: readonly Line[];
      readonly upTo: number;
      readonly isEnd: boolean;
    };

/**
 * The messages in order of their sequence numbers: those waiting in memory to be written, and the
 * stored ones.
 *
 * A number is used once, whatever happens: those that may be used before the next write are
 * reserved first. Numbers lost in a crash, or to a failed write, form a gap.
 */
export class LogBuffer {
  readonly streamId: string;
  readonly #store: LogStore;
  readonly #transact: (write: () => void) => void;
  #waiting: Line[] = [];
  /** Messages lost to a failed write, until the gap is stored. */
  #lost: Hole | undefined;
  #last: number;
  #reserved: number;

  /** @param transact runs a function in one transaction */
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

  /** The number of messages waiting to be written. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Numbers messages and events, and holds them until they are written. */
  add(messages: readonly (Unnumbered | NewEvent)[]): readonly Line[] {
    if (this.#last + messages.length > this.#reserved) this.#reserve(messages.length);
    const lines = messages.map((message, i) => lineOf(message, this.#last + i + 1));
    this.#last += lines.length;
    this.#waiting.push(...lines);
    return lines;
  }

  /** Whether everything is written. */
  get isWritten(): boolean {
    return this.#waiting.length === 0 && !this.#lost;
  }

  /**
   * Writes the waiting messages; after a failure they are dropped. @returns the number of lost
   * messages
   */
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

  /** Releases the reserved numbers while nobody publishes. */
  rest(): void {
    if (!this.isWritten || this.#reserved === this.#last) return;
    this.#reserved = this.#last;
    this.#writeEnds();
  }

  /** Messages after a position that match a filter. */
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

  /** The first missing messages after a position: expired, or in a gap. */
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

import type { LogGap } from '../../../edge/logs/contract/log-frames.ts';
import type { LogMessage } from '../../../edge/logs/contract/log-message.ts';
import { createSignal, positiveInteger, type Source } from '../../widgets/buffers/signal.ts';

/** A line of the log: a message, or where some are missing. */
export type LogItem = LogMessage | LogGap;

/**
 * The latest lines. Each has a place, which counts from the first that ever came: it stays the same
 * when older lines make room.
 */
export class LogBuffer implements Source {
  readonly #items: LogItem[] = [];
  readonly #capacity: number;
  readonly #signal = createSignal();
  #end = 0;
  #version = 0;

  constructor(capacity: number) {
    this.#capacity = positiveInteger('capacity', capacity);
  }

  get version(): number {
    return this.#version;
  }

  /** The place of the oldest line there is. */
  get start(): number {
    return Math.max(0, this.#end - this.#capacity);
  }

  /** The place of the line that comes next. */
  get end(): number {
    return this.#end;
  }

  at(place: number): LogItem | undefined {
    const isThere = place >= this.start && place < this.#end;
    return isThere ? this.#items[place % this.#capacity] : undefined;
  }

  push(items: readonly LogItem[]): void {
    for (const item of items) {
      this.#items[this.#end % this.#capacity] = item;
      this.#end += 1;
    }
    this.#version += 1;
    this.#signal.emit();
  }

  subscribe(listener: () => void): () => void {
    return this.#signal.subscribe(listener);
  }
}

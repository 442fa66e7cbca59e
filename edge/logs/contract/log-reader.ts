import type { PlatformEvent } from '../../events/contract/platform-event.ts';
import type { LogFrame, LogGap, LogHello } from './log-frames.ts';
import type { LogMessage } from './log-message.ts';

/** The position of a reader in a stream. */
export interface LogPosition {
  readonly streamId: string;
  readonly seq: number;
}

/** The result of reading a frame. */
type ReadFrame =
  | { readonly kind: 'message'; readonly log: LogMessage }
  | { readonly kind: 'event'; readonly event: PlatformEvent }
  | { readonly kind: 'gap'; readonly gap: LogGap }
  | { readonly kind: 'hello'; readonly hello: LogHello; readonly isOtherStream: boolean }
  | { readonly kind: 'bye'; readonly retryAfterS: number }
  | { readonly kind: 'fault'; readonly detail: string }
  /** A pong, or something read before. */
  | { readonly kind: 'nothing' };

const NOTHING = { kind: 'nothing' } as const;

/**
 * Reads successive connections of a log stream: returns each message once and in order, and knows
 * where the next connection resumes. It has no clock and does no I/O.
 */
export class LogReader {
  readonly #tail: number;
  #position: LogPosition | undefined;
  #unacked = 0;

  /**
   * @param position where reading stopped before
   * @param tail without it, the number of latest messages to start with
   */
  constructor(position: LogPosition | undefined, tail: number) {
    this.#position = position;
    this.#tail = tail;
  }

  get position(): LogPosition | undefined {
    return this.#position;
  }

  /** The number of unacknowledged messages. */
  get unacked(): number {
    return this.#unacked;
  }

  /** The number to acknowledge now. */
  acknowledge(): number {
    this.#unacked = 0;
    return this.#position?.seq ?? 0;
  }

  read(frame: LogFrame): ReadFrame {
    switch (frame.type) {
      case 'log':
        return this.#readMessage(frame);
      case 'gap':
        return this.#readGap(frame);
      case 'hello':
        return this.#readHello(frame);
      case 'bye':
        return { kind: 'bye', retryAfterS: frame.retry_after_s };
      case 'error':
        return { kind: 'fault', detail: frame.detail };
      case 'pong':
        return NOTHING;
      default:
        return this.#readEvent(frame);
    }
  }

  #readHello(hello: LogHello): ReadFrame {
    this.#unacked = 0;
    const { stream_id: streamId, seq } = hello;
    const before = this.#position;
    const isOtherStream = before !== undefined && before.streamId !== streamId;
    if (!before) this.#position = { streamId, seq: Math.max(0, seq - this.#tail) };
    // Everything stored in the other stream is new.
    if (isOtherStream) this.#position = { streamId, seq: 0 };
    return { kind: 'hello', hello, isOtherStream };
  }

  #readMessage(log: LogMessage): ReadFrame {
    if (!this.#isNew(log.seq)) return NOTHING;
    this.#unacked += 1;
    return { kind: 'message', log };
  }

  #readEvent(event: PlatformEvent): ReadFrame {
    if (!this.#isNew(event.seq)) return NOTHING;
    this.#unacked += 1;
    return { kind: 'event', event };
  }

  #readGap(gap: LogGap): ReadFrame {
    return this.#isNew(gap.to_seq) ? { kind: 'gap', gap } : NOTHING;
  }

  /** Advances to a number. @returns false where it was already reached */
  #isNew(seq: number): boolean {
    if (!this.#position || seq <= this.#position.seq) return false;
    this.#position = { ...this.#position, seq };
    return true;
  }
}

import type { PlatformEvent } from '../../events/contract/platform-event.ts';
import type { LogFrame, LogGap, LogHello } from './log-frames.ts';
import type { LogMessage } from './log-message.ts';

/** Where a reader is: so far it has read in this stream. */
export interface LogPosition {
  readonly streamId: string;
  readonly seq: number;
}

/** What reading a frame leads to. */
export type ReadFrame =
  | { readonly kind: 'message'; readonly log: LogMessage }
  | { readonly kind: 'event'; readonly event: PlatformEvent }
  | { readonly kind: 'gap'; readonly gap: LogGap }
  | { readonly kind: 'hello'; readonly hello: LogHello; readonly isOtherStream: boolean }
  | { readonly kind: 'bye'; readonly retryAfterS: number }
  | { readonly kind: 'fault'; readonly detail: string }
  /** Nothing new: a sign of life, or what was read before. */
  | { readonly kind: 'nothing' };

const NOTHING = { kind: 'nothing' } as const;

/**
 * Reads one connection after another of a log stream: gives each message once and in order, and
 * knows where the next connection goes on. It has no clock and does no I/O.
 */
export class LogReader {
  readonly #tail: number;
  #position: LogPosition | undefined;
  #unacked = 0;

  /**
   * @param position where somebody stopped reading before
   * @param tail without it, how many of the latest messages the first connection asks for
   */
  constructor(position: LogPosition | undefined, tail: number) {
    this.#position = position;
    this.#tail = tail;
  }

  get position(): LogPosition | undefined {
    return this.#position;
  }

  /** Messages that were read and are not acknowledged. */
  get unacked(): number {
    return this.#unacked;
  }

  /** What is to be acknowledged now. */
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
    // All that is kept of the other stream is new.
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

  /** Moves on to a number, unless it was reached before. */
  #isNew(seq: number): boolean {
    if (!this.#position || seq <= this.#position.seq) return false;
    this.#position = { ...this.#position, seq };
    return true;
  }
}

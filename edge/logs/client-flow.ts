import type { LogGap } from './contract/log-frames.ts';
import type { Line } from './line.ts';

/** The credit of a client, and the limit of its queue. */
interface FlowLimits {
  readonly messages: number;
  readonly bytes: number;
  readonly queue: number;
}

/** A client keeps up while its oldest unacknowledged message is younger than this. */
const KEEPS_UP_MS = 1000;

/** An item to send: a message or a gap. */
export type Outgoing = { readonly line: Line } | { readonly gap: LogGap };

/** An unacknowledged message. */
interface Sent {
  readonly seq: number;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The state that survives hibernation; queued messages are read from the store again. */
export interface StoredFlow {
  readonly position: number;
  readonly unacked: readonly (readonly [seq: number, bytes: number, at: number])[];
  readonly gap: LogGap | undefined;
}

/**
 * The flow control of one client: acknowledged, in flight, and queued messages.
 *
 *   behind --caughtUp--> live     behind: messages are read from the store, as there is credit
 *                                 live: published messages are sent, or queued
 *
 * Invariant: each message at or below `position` that matches the client's filter was sent once,
 * in order, or lies in exactly one gap that was sent or is `#gap`; none above it was sent. Gaps
 * never overlap. It has no clock and does no I/O.
 */
export class ClientFlow {
  readonly #limits: FlowLimits;
  /** The latest message that was sent, skipped or declared lost. */
  #position: number;
  #unacked: Sent[] = [];
  #unackedBytes = 0;
  #queue: Line[] = [];
  /** Lost messages not reported yet. */
  #gap: LogGap | undefined;
  #isLive = false;

  constructor(limits: FlowLimits, position: number) {
    this.#limits = limits;
    this.#position = position;
  }

  /** Restores a flow after hibernation. It is behind until the store has been read. */
  static restore(limits: FlowLimits, { position, unacked, gap }: StoredFlow): ClientFlow {
    const flow = new ClientFlow(limits, position);
    flow.#unacked = unacked.map(([seq, bytes, at]) => ({ seq, bytes, at }));
    flow.#unackedBytes = flow.#unacked.reduce((sum, { bytes }) => sum + bytes, 0);
    flow.#gap = gap;
    return flow;
  }

  keep(): StoredFlow {
    const unacked = this.#unacked.map(({ seq, bytes, at }) => [seq, bytes, at] as const);
    return { position: this.#position, unacked, gap: this.#gap };
  }

  get position(): number {
    return this.#position;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** The remaining credit in messages. */
  get room(): number {
    return this.#limits.messages - this.#unacked.length;
  }

  /** Whether the queue is more than half full while the client still acknowledges. */
  isCrowded(now: number): boolean {
    const age = now - (this.waitingSince ?? now);
    return this.#queue.length > this.#limits.queue / 2 && age < KEEPS_UP_MS;
  }

  /** When the oldest unacknowledged message was sent; undefined where there is none. */
  get waitingSince(): number | undefined {
    return this.#unacked[0]?.at;
  }

  /** Handles a published message. @returns what to send, and the number of messages lost for it */
  publish(line: Line, now: number): { readonly send: readonly Outgoing[]; readonly lost: 0 | 1 } {
    if (this.#queue.length === 0 && this.#hasRoomFor(line)) {
      return { send: this.#sendNow(line, now), lost: 0 };
    }
    this.#queue.push(line);
    if (this.#queue.length <= this.#limits.queue) return { send: [], lost: 0 };
    this.#lose(this.#queue.shift());
    return { send: [], lost: 1 };
  }

  /** Handles a message from the store; false where there is no credit for it yet. */
  replay(line: Line, now: number): readonly Outgoing[] | false {
    return this.#hasRoomFor(line) && this.#sendNow(line, now);
  }

  /** Skips messages that do not match, up to a number. */
  passOver(seq: number): void {
    this.#position = Math.max(this.#position, seq);
  }

  /** Skips messages that no longer exist, from the one after `position` on. */
  skip(gap: LogGap): void {
    this.#position = gap.to_seq;
    this.#gap = this.#gap ? joined(this.#gap, gap) : gap;
  }

  /** The store has nothing more: from here on published messages are sent. */
  caughtUp(): void {
    this.#isLive = true;
  }

  /**
   * Handles an acknowledgement up to `seq`. @returns what to send next; undefined for a number
   * never sent
   */
  acknowledge(seq: number, now: number): readonly Outgoing[] | undefined {
    if (seq > this.#position) return undefined;
    const open = this.#unacked.findIndex((sent) => sent.seq > seq);
    const done = this.#unacked.splice(0, open === -1 ? this.#unacked.length : open);
    this.#unackedBytes -= done.reduce((sum, { bytes }) => sum + bytes, 0);
    const send: Outgoing[] = [];
    for (let next = this.#queue[0]; next && this.#hasRoomFor(next); next = this.#queue[0]) {
      this.#queue.shift();
      send.push(...this.#sendNow(next, now));
    }
    return send;
  }

  /** The unreported gap, if any, which counts as reported from here on. */
  declare(): readonly Outgoing[] {
    const gap = this.#gap;
    this.#gap = undefined;
    return gap ? [{ gap }] : [];
  }

  #hasRoomFor({ bytes }: Line): boolean {
    return this.room > 0 && this.#unackedBytes + bytes <= this.#limits.bytes;
  }

  #sendNow(line: Line, at: number): readonly Outgoing[] {
    const { bytes } = line;
    const { seq } = line.log;
    this.#unacked.push({ seq, bytes, at });
    this.#unackedBytes += bytes;
    this.#position = seq;
    return [...this.declare(), { line }];
  }

  /** The oldest queued message is dropped, so that lost messages are adjacent. */
  #lose(line: Line | undefined): void {
    if (!line) return;
    const { seq } = line.log;
    const gap: LogGap = { type: 'gap', from_seq: seq, to_seq: seq, dropped: 1 };
    this.#position = seq;
    this.#gap = this.#gap ? joined(this.#gap, gap) : gap;
  }
}

const joined = (before: LogGap, after: LogGap): LogGap => ({
  ...after,
  from_seq: before.from_seq,
  dropped:
    before.dropped === null || after.dropped === null ? null : before.dropped + after.dropped,
});

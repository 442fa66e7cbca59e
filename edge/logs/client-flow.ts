import type { LogGap } from './contract/log-frames.ts';
import type { Line } from './line.ts';

/** How much a client may have under way, and how much may wait behind that. */
export interface FlowLimits {
  readonly messages: number;
  readonly bytes: number;
  readonly queue: number;
}

/** A client keeps up that has acknowledged what was sent so long ago. */
const KEEPS_UP_MS = 1000;

/** What is sent: messages as they are, and gaps. */
export type Outgoing = { readonly line: Line } | { readonly gap: LogGap };

/** A message under way. */
interface Sent {
  readonly seq: number;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What has to outlast the object's sleep; what waits is read from the store again. */
export interface KeptFlow {
  readonly position: number;
  readonly unacked: readonly (readonly [seq: number, bytes: number, at: number])[];
  readonly gap: LogGap | undefined;
}

/**
 * What one client has got, what is under way to it, and what waits.
 *
 *   behind --caughtUp--> live     behind: what it gets is read from the store, as it has room
 *                                 live: what is published is sent, or waits in the queue
 *
 * Invariant: each message at or below `position` that the client wants was sent to it once, in
 * order, or lies in exactly one gap that was sent or is `#gap`; none above it was sent. Gaps never overlap.
 * It has no clock and does no I/O.
 */
export class ClientFlow {
  readonly #limits: FlowLimits;
  /** The latest message that was sent, passed over or is declared lost. */
  #position: number;
  #unacked: Sent[] = [];
  #unackedBytes = 0;
  #queue: Line[] = [];
  /** Lost, and not yet said. */
  #gap: LogGap | undefined;
  #isLive = false;

  constructor(limits: FlowLimits, position: number) {
    this.#limits = limits;
    this.#position = position;
  }

  /** A flow as it was kept. It is behind until the store has been looked at. */
  static restore(limits: FlowLimits, { position, unacked, gap }: KeptFlow): ClientFlow {
    const flow = new ClientFlow(limits, position);
    flow.#unacked = unacked.map(([seq, bytes, at]) => ({ seq, bytes, at }));
    flow.#unackedBytes = flow.#unacked.reduce((sum, { bytes }) => sum + bytes, 0);
    flow.#gap = gap;
    return flow;
  }

  keep(): KeptFlow {
    const unacked = this.#unacked.map(({ seq, bytes, at }) => [seq, bytes, at] as const);
    return { position: this.#position, unacked, gap: this.#gap };
  }

  get position(): number {
    return this.#position;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** How many more messages may be under way, as far as their number says. */
  get room(): number {
    return this.#limits.messages - this.#unacked.length;
  }

  /** Whether more than half of what may wait does, and the client still acknowledges. */
  isCrowded(now: number): boolean {
    const age = now - (this.waitingSince ?? now);
    return this.#queue.length > this.#limits.queue / 2 && age < KEEPS_UP_MS;
  }

  /** Since when the oldest message under way is not acknowledged; undefined where all are. */
  get waitingSince(): number | undefined {
    return this.#unacked[0]?.at;
  }

  /** Takes a message that was just published. Returns what is to be sent, and how many were lost for it. */
  publish(line: Line, now: number): { readonly send: readonly Outgoing[]; readonly lost: 0 | 1 } {
    if (this.#queue.length === 0 && this.#hasRoomFor(line)) {
      return { send: this.#sendNow(line, now), lost: 0 };
    }
    this.#queue.push(line);
    if (this.#queue.length <= this.#limits.queue) return { send: [], lost: 0 };
    this.#lose(this.#queue.shift());
    return { send: [], lost: 1 };
  }

  /** Takes a message from the store; false where there is no room for it yet. */
  replay(line: Line, now: number): readonly Outgoing[] | false {
    return this.#hasRoomFor(line) && this.#sendNow(line, now);
  }

  /** Passes over messages that the client does not want, up to one. */
  passOver(seq: number): void {
    this.#position = Math.max(this.#position, seq);
  }

  /** Messages that nobody has any more, from the one after `position` on. */
  skip(gap: LogGap): void {
    this.#position = gap.to_seq;
    this.#gap = this.#gap ? joined(this.#gap, gap) : gap;
  }

  /** The store has nothing more: from here on what is published counts. */
  caughtUp(): void {
    this.#isLive = true;
  }

  /** The client has everything up to `seq`. Returns what may follow; undefined for what was never sent. */
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

  /** What was lost and is not yet said; from here on it is. */
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

  /** The oldest that waits is lost, so all that is lost lies together. */
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

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogGap } from '../../edge/logs/contract/log-frames.ts';
import type { LogMessage } from '../../edge/logs/contract/log-message.ts';
import { LogReader } from '../../edge/logs/contract/log-reader.ts';
import { ClientFlow, type Outgoing } from '../../edge/logs/client-flow.ts';
import { type Line, lineOf, messageOf } from '../../edge/logs/line.ts';

const LIMITS = { messages: 4, bytes: 2000, queue: 3 };
const WIDE = { level: 'info', message: 'x' } as const;

const line = (seq: number, size = 10): Line =>
  lineOf(
    messageOf(
      { ...WIDE, message: 'x'.repeat(size) },
      { source: 'test', owner: 'local', team: 'default' },
      0,
    ),
    seq,
  );

const seqsOf = (outgoing: readonly Outgoing[]) =>
  outgoing.map((out) => ('line' in out ? out.line.log.seq : [out.gap.from_seq, out.gap.to_seq]));

function liveFlow(): ClientFlow {
  const flow = new ClientFlow(LIMITS, 0);
  flow.caughtUp();
  return flow;
}

describe('the flow to a client', () => {
  it('stops after as many messages as may be under way, and goes on as they are acknowledged', () => {
    const flow = liveFlow();

    const sent = [1, 2, 3, 4, 5, 6].flatMap((seq) => seqsOf(flow.publish(line(seq), 0).send));

    expect(sent).toEqual([1, 2, 3, 4]);
    expect(seqsOf(flow.acknowledge(1, 1) ?? [])).toEqual([5]);
    expect(seqsOf(flow.acknowledge(5, 2) ?? [])).toEqual([6]);
  });

  it('stops after as many bytes as may be under way', () => {
    const flow = liveFlow();

    const sent = [1, 2, 3].flatMap((seq) => seqsOf(flow.publish(line(seq, 700), 0).send));

    expect(sent).toEqual([1, 2]);
  });

  it('drops the oldest that waits, and says so before the next message', () => {
    const flow = liveFlow();

    const lost = Array.from({ length: 12 }, (_, i) => flow.publish(line(i + 1), 0).lost);

    // Four are under way and three wait: each one more costs the oldest of those.
    expect(lost).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    const [gap, ...rest] = flow.acknowledge(4, 0) ?? [];
    expect(gap).toEqual({ gap: { type: 'gap', from_seq: 5, to_seq: 9, dropped: 5 } });
    expect(seqsOf(rest)).toEqual([10, 11, 12]);
  });

  it('reports since when the oldest is not acknowledged', () => {
    const flow = liveFlow();
    expect(flow.waitingSince).toBeUndefined();

    flow.publish(line(1), 10);
    flow.publish(line(2), 20);
    flow.acknowledge(1, 30);

    expect(flow.waitingSince).toBe(20);
    flow.acknowledge(2, 40);
    expect(flow.waitingSince).toBeUndefined();
  });

  it('is crowded while more than half of what may wait does, and the client answers', () => {
    const flow = liveFlow();
    for (let seq = 1; seq <= 5; seq++) flow.publish(line(seq), 100);
    expect(flow.isCrowded(100)).toBe(false);

    flow.publish(line(6), 100);

    expect(flow.isCrowded(1099)).toBe(true);
    // Who is as late as that may lose messages.
    expect(flow.isCrowded(1100)).toBe(false);
  });

  it('knows after a sleep what is under way', () => {
    const flow = liveFlow();
    for (let seq = 1; seq <= 4; seq++) flow.publish(line(seq), seq);

    const woken = ClientFlow.restore(LIMITS, flow.keep());

    expect([woken.room, woken.waitingSince, woken.position]).toEqual([0, 1, 4]);
    expect(woken.replay(line(5), 9)).toBe(false);
  });

  it('takes no acknowledgement of what was not sent', () => {
    const flow = liveFlow();
    flow.publish(line(1), 0);

    expect(flow.acknowledge(2, 0)).toBeUndefined();
    expect(flow.waitingSince).toBe(0);
  });
});

/** Bursts, as what matters happens where more comes than there is room for. */
const publish = fc.record({
  kind: fc.constant('publish' as const),
  sizes: fc.array(fc.nat(900), { minLength: 1, maxLength: 12 }),
  wanted: fc.boolean(),
});
const receive = fc.record({
  kind: fc.constant('receive' as const),
  count: fc.integer({ min: 1, max: 6 }),
});
const acknowledge = fc.constant({ kind: 'acknowledge' } as const);
const breaks = fc.constantFrom(
  { kind: 'sleep' } as const,
  { kind: 'reconnect' } as const,
  { kind: 'time-out' } as const,
);
/** Things that happen to a hub and its client. */
const staying = fc.oneof(publish, receive, acknowledge);
const anything = fc.oneof({ weight: 5, arbitrary: staying }, { weight: 1, arbitrary: breaks });

type SimulatedEvent = typeof anything extends fc.Arbitrary<infer T> ? T : never;

/** A hub with one client, whose wire loses nothing until it breaks; the book keeps everything. */
class Stage {
  readonly book: Line[] = [];
  readonly unwanted = new Set<number>();
  readonly reader = new LogReader({ streamId: 's', seq: 0 }, 0);
  readonly read: LogMessage[] = [];
  readonly gaps: LogGap[] = [];
  lost = 0;
  #flow = new ClientFlow(LIMITS, 0);
  #wire: Outgoing[] = [];

  constructor() {
    this.#connect();
  }

  play(event: SimulatedEvent): void {
    switch (event.kind) {
      case 'publish':
        for (const size of event.sizes) this.#publish(size, event.wanted);
        return undefined;
      case 'receive':
        return this.#receive(event.count);
      case 'acknowledge':
        return this.#acknowledge();
      case 'sleep':
        this.#flow = ClientFlow.restore(LIMITS, this.#flow.keep());
        return this.#catchUp();
      case 'time-out':
        this.#wire.push(...this.#flow.declare());
        this.#receive(Infinity);
        return this.#connect();
      default:
        return this.#connect();
    }
  }

  /** The client reads and acknowledges until nothing comes any more. */
  drain(): void {
    for (let before = -1; before !== this.read.length + this.gaps.length;) {
      before = this.read.length + this.gaps.length;
      this.#receive(Infinity);
      this.#acknowledge();
      this.#receive(Infinity);
    }
  }

  get wanted(): number[] {
    return this.book.map(({ log }) => log.seq).filter((seq) => !this.unwanted.has(seq));
  }

  #connect(): void {
    this.#wire = [];
    this.#flow = new ClientFlow(LIMITS, this.reader.position?.seq ?? 0);
    const hello = {
      type: 'hello',
      stream_id: 's',
      seq: this.book.length,
      ping_s: 1,
      ack_within_ms: 1,
    } as const;
    this.reader.read(hello);
    this.#catchUp();
  }

  #publish(size: number, wanted: boolean): void {
    const next = line(this.book.length + 1, size);
    this.book.push(next);
    if (!wanted) this.unwanted.add(next.log.seq);
    if (!wanted || !this.#flow.isLive) return;
    const { send, lost } = this.#flow.publish(next, 0);
    this.#wire.push(...send);
    this.lost += lost;
  }

  #receive(count: number): void {
    for (const out of this.#wire.splice(0, count)) {
      const said = this.reader.read('line' in out ? out.line.log : out.gap);
      if (said.kind === 'message') this.read.push(said.log);
      if (said.kind === 'gap') this.gaps.push(said.gap);
    }
  }

  #acknowledge(): void {
    const send = this.#flow.acknowledge(this.reader.acknowledge(), 0);
    this.#wire.push(...(send ?? []));
    this.#catchUp();
  }

  #catchUp(): void {
    while (!this.#flow.isLive && this.#flow.room > 0) {
      const position = this.#flow.position;
      const next = this.book.find(({ log }) => log.seq > position && !this.unwanted.has(log.seq));
      if (!next) {
        this.#flow.passOver(this.book.length);
        this.#wire.push(...this.#flow.declare());
        this.#flow.caughtUp();
        return;
      }
      const send = this.#flow.replay(next, 0);
      if (!send) return;
      this.#wire.push(...send);
    }
  }
}

const covers = ({ from_seq: from, to_seq: to }: LogGap, seq: number) => from <= seq && seq <= to;

describe('a client to whom anything may happen', () => {
  it('reads each message once and in order, or one gap says that it will not', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 60 }), (events) => {
        const stage = new Stage();
        for (const event of events) stage.play(event);
        stage.drain();

        const seqs = stage.read.map(({ seq }) => seq);
        expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
        const times = stage.wanted.map(
          (seq) => Number(seqs.includes(seq)) + stage.gaps.filter((gap) => covers(gap, seq)).length,
        );
        expect(times).toEqual(stage.wanted.map(() => 1));
      }),
      { numRuns: 300 },
    );
  });

  it('finds that the counts add up to the message, as long as it stays connected', () => {
    fc.assert(
      fc.property(fc.array(staying, { maxLength: 60 }), (events) => {
        const stage = new Stage();
        for (const event of events) stage.play(event);
        stage.drain();

        const declared = stage.gaps.reduce((sum, { dropped }) => sum + (dropped ?? NaN), 0);
        expect(declared).toBe(stage.lost);
        expect(stage.read.length + declared).toBe(stage.wanted.length);
      }),
      { numRuns: 300 },
    );
  });
});

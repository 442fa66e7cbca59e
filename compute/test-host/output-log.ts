import { MAX_OUTPUT_BYTES, type TestOutputPiece } from '../../edge/test-runs/contract/test-run.ts';

type StreamName = TestOutputPiece['stream'];

interface KeptPiece extends TestOutputPiece {
  /** Counts from 1 without gaps. */
  readonly seq: number;
  readonly bytes: number;
}

/** Output since a position. */
interface Since {
  readonly pieces: readonly TestOutputPiece[];
  /** The place of the last of them. */
  readonly seq: number;
  /** Pieces before the first of them that were dropped already. */
  readonly dropped: number;
}

/** A piece that is sent at once holds at most so many characters. */
const MAX_SENT = 64 * 1024;

/**
 * The last output of a process, at most so many bytes of both streams together. Each reader has a
 * position of its own; a slow one misses what was dropped, and blocks nobody.
 */
export class OutputLog {
  readonly #maxBytes: number;
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  #pieces: KeptPiece[] = [];
  #bytes = 0;
  #seq = 0;
  #isClosed = false;
  #changed = Promise.withResolvers<void>();

  constructor(maxBytes = MAX_OUTPUT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The place of what was written last. */
  get place(): number {
    return this.#seq;
  }

  /** Whether some of what was written is no longer here. */
  get isTruncated(): boolean {
    return this.#seq > this.#pieces.length;
  }

  append(stream: StreamName, bytes: Uint8Array): void {
    this.#keep(stream, this.#decoders[stream].decode(bytes, { stream: true }));
  }

  /** Nothing more comes. */
  close(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#keep(stream, this.#decoders[stream].decode());
    }
    this.#isClosed = true;
    this.#changed.resolve();
  }

  /** Settles once there is more than there was, or nothing more comes. */
  changed(): Promise<void> {
    return this.#changed.promise;
  }

  since(seq: number): Since {
    const oldest = this.#seq - this.#pieces.length;
    const from = Math.max(seq, oldest);
    const pieces: TestOutputPiece[] = [];
    let size = 0;
    let last = from;
    for (const { stream, text, seq: at } of this.#pieces.slice(from - oldest)) {
      if (size > 0 && size + text.length > MAX_SENT) break;
      size += text.length;
      last = at;
      const before = pieces.at(-1);
      if (before?.stream === stream) pieces[pieces.length - 1] = joined(before, text);
      else pieces.push({ stream, text });
    }
    return { pieces, seq: last, dropped: Math.max(0, oldest - seq) };
  }

  /** The retained part of a stream after a position; it begins with a whole line where lines were dropped. */
  text(stream: StreamName, after = 0): string {
    const kept = this.#pieces.filter((piece) => piece.stream === stream && piece.seq > after);
    const whole = kept.map(({ text }) => text).join('');
    if (this.#seq - this.#pieces.length <= after) return whole;
    const end = whole.indexOf('\n');
    return end < 0 ? whole : whole.slice(end + 1);
  }

  #keep(stream: StreamName, text: string): void {
    if (text === '') return;
    const bytes = Buffer.byteLength(text);
    this.#seq += 1;
    this.#pieces.push({ stream, text, seq: this.#seq, bytes });
    this.#bytes += bytes;
    this.#dropOldest();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** A process that floods would make many small shifts: they are done together. */
  #dropOldest(): void {
    let dropped = 0;
    while (this.#bytes > this.#maxBytes && dropped < this.#pieces.length) {
      this.#bytes -= this.#pieces[dropped]?.bytes ?? 0;
      dropped += 1;
    }
    if (dropped > 0) this.#pieces = this.#pieces.slice(dropped);
  }
}

const joined = ({ stream, text }: TestOutputPiece, more: string): TestOutputPiece => ({
  stream,
  text: text + more,
});

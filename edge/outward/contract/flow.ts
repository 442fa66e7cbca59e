import { FrameFault, MAX_DATA_BYTES } from './frames.ts';

/** So many bytes of a stream may be on their way, or wait for their reader. */
export const WINDOW_BYTES = 128 * 1024;
/** Counted for each frame besides its bytes, so that tiny ones are bounded, too. */
const FRAME_COST = 64;
/** Credit is granted once so many bytes have been read. */
const TOLD_FROM = WINDOW_BYTES / 4;
/** Streams of a connection at once: with the window, that bounds what it holds. */
export const MAX_STREAMS = 128;

const costOf = (length: number): number => length + FRAME_COST;

/** The half of a stream that comes in: what is read of it is granted anew. */
export class Inflow {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #queue: Uint8Array<ArrayBuffer>[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #held = 0;
  #read = 0;
  #hasEnded = false;
  #isOver = false;
  #wanted: (() => void) | undefined;

  readonly #over: (wasRead: boolean) => void;

  /**
   * @param grant called with how many bytes may come in addition
   * @param over called once: with true where all of it was read, with false where it broke off or
   *   nobody reads it any more
   */
  constructor(grant: (bytes: number) => void, over: (wasRead: boolean) => void) {
    this.#over = over;
    this.readable = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async () => {
          if (this.#queue.length === 0 && !this.#hasEnded) {
            await new Promise<void>((resolve) => (this.#wanted = resolve));
          }
          this.#deliver(grant);
        },
        cancel: () => {
          this.#finish(false);
          this.#wake();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** @throws FrameFault where more comes than was granted */
  push(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#hasEnded) throw new FrameFault('bytes after the end of a stream');
    this.#held += costOf(bytes.length);
    if (this.#held > WINDOW_BYTES) throw new FrameFault('more bytes than a stream may send');
    if (this.#isOver) return;
    this.#queue.push(bytes);
    this.#wake();
  }

  /** @throws FrameFault where it had ended */
  end(): void {
    if (this.#hasEnded) throw new FrameFault('a second end of a stream');
    this.#hasEnded = true;
    this.#wake();
  }

  /** Whoever reads learns that the rest will not come. */
  fail(error: Error): void {
    if (this.#isOver || this.#hasEnded) return;
    this.#finish(false);
    this.#controller?.error(error);
    this.#wake();
  }

  #finish(wasRead: boolean): void {
    this.#isOver = true;
    this.#queue.length = 0;
    this.#over(wasRead);
  }

  #wake(): void {
    this.#wanted?.();
    this.#wanted = undefined;
  }

  #deliver(grant: (bytes: number) => void): void {
    if (this.#isOver) return;
    const next = this.#queue.shift();
    if (next) {
      this.#controller?.enqueue(next);
      this.#held -= costOf(next.length);
      this.#read += costOf(next.length);
    }
    if (this.#queue.length === 0 && this.#hasEnded) {
      this.#controller?.close();
      this.#finish(true);
    } else if (this.#read >= TOLD_FROM) {
      grant(this.#read);
      this.#read = 0;
    }
  }
}

/** The half of a stream that goes out, no further than the other side granted. */
export class Outflow {
  #credit = WINDOW_BYTES;
  #stopped = false;
  #granted: (() => void) | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** @throws FrameFault where the window would be larger than it ever is */
  grant(bytes: number): void {
    this.#credit += bytes;
    if (this.#credit > WINDOW_BYTES) throw new FrameFault('more credit than there is');
    this.#granted?.();
  }

  /** Gives the rest up, and the source with it. */
  stop(reason?: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#granted?.();
    void this.#reader?.cancel(reason).catch(() => {});
  }

  /** Sends all of a body; false where it was stopped. @throws what reading it throws */
  async send(
    body: ReadableStream<Uint8Array>,
    write: (bytes: Uint8Array) => void,
  ): Promise<boolean> {
    this.#reader = body.getReader();
    if (this.#stopped) await this.#reader.cancel();
    while (!this.#stopped) {
      const { done, value } = await this.#reader.read();
      if (done) return !this.#stopped;
      await this.#sendChunk(value, write);
    }
    return false;
  }

  async #sendChunk(chunk: Uint8Array, write: (bytes: Uint8Array) => void): Promise<void> {
    for (let from = 0; from < chunk.length && !this.#stopped;) {
      const room = Math.min(this.#credit - FRAME_COST, MAX_DATA_BYTES, chunk.length - from);
      if (room <= 0) {
        await new Promise<void>((resolve) => (this.#granted = resolve));
        continue;
      }
      this.#credit -= costOf(room);
      write(chunk.subarray(from, from + room));
      from += room;
    }
  }
}

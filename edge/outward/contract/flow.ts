import { FrameFault, MAX_DATA_BYTES } from './frames.ts';

/** The flow-control window of a stream: bytes in flight or waiting for their reader. */
export const WINDOW_BYTES = 128 * 1024;
/** Counted for each frame besides its bytes, so that tiny ones are bounded, too. */
const FRAME_COST = 64;
/** Credit is granted once this many bytes have been read. */
const TOLD_FROM = WINDOW_BYTES / 4;
/** The maximum number of streams per connection, which with the window bounds its memory. */
export const MAX_STREAMS = 128;

const costOf = (length: number): number => length + FRAME_COST;

/** The incoming half of a stream: what is read is granted again. */
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
   * @param grant called with the number of additional bytes granted
   * @param over called once: with true where everything was read, with false where the stream
   * broke off or its reader stopped
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

  /** Fails the reader: the rest will not come. */
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

/** The outgoing half of a stream, limited by the credit of the other side. */
export class Outflow {
  #credit = WINDOW_BYTES;
  #stopped = false;
  #granted: (() => void) | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  /** @throws FrameFault where the credit would exceed the window */
  grant(bytes: number): void {
    this.#credit += bytes;
    if (this.#credit > WINDOW_BYTES) throw new FrameFault('more credit than there is');
    this.#granted?.();
  }

  /** Stops sending, and cancels the source. */
  stop(reason?: unknown): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#granted?.();
    void this.#reader?.cancel(reason).catch(() => {});
  }

  /** Sends a whole body. @returns false where it was stopped @throws what reading it throws */
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

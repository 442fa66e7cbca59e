import { Inflow, MAX_STREAMS, Outflow } from '../../edge/outward/contract/flow.ts';
import {
  type Frame,
  FrameFault,
  readCredit,
  readFrame,
  readHead,
  RequestHead,
  writeCredit,
  writeFrame,
  writeHead,
} from '../../edge/outward/contract/frames.ts';

/** Serves a request; `path` with its query is as the gateway signed it. */
export type Handler = (request: Request, path: string) => Promise<Response>;

interface Stream {
  readonly asked: Inflow;
  readonly sent: Outflow;
  readonly gone: AbortController;
}

/** There is no host: requests come over the connection alone. */
const BASE = 'http://connected.internal';

/**
 * The service's end of a connection: answers the requests that come over it, many at once, and holds
 * no more of each than its window.
 */
export class OutwardServer {
  readonly #write: (frame: Uint8Array<ArrayBuffer>) => void;
  readonly #handle: Handler;
  readonly #streams = new Map<number, Stream>();
  #emptied = () => {};

  constructor(write: (frame: Uint8Array<ArrayBuffer>) => void, handle: Handler) {
    this.#write = write;
    this.#handle = handle;
  }

  /** Resolves once nothing is under way. */
  async empty(): Promise<void> {
    if (this.#streams.size === 0) return;
    await new Promise<void>((resolve) => (this.#emptied = resolve));
  }

  /** Takes a frame. @throws FrameFault where the gateway breaks the rules */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    const frame = readFrame(bytes);
    if (frame.kind === 'restart') return this.fail();
    if (frame.kind === 'request') return this.#begin(frame);
    const stream = this.#streams.get(frame.stream);
    // Late frames of a stream that is over.
    if (stream) this.#take(frame, stream);
  }

  #take(frame: Frame, { asked, sent, gone }: Stream): void {
    switch (frame.kind) {
      case 'data':
        return asked.push(frame.payload);
      case 'end':
        return asked.end();
      case 'credit':
        return sent.grant(readCredit(frame));
      case 'reset':
        gone.abort();
        return asked.fail(new Error('the caller hung up'));
      default:
        throw new FrameFault(`${frame.kind} of the gateway`);
    }
  }

  /** The connection is gone: whoever works for it need not go on. */
  fail(): void {
    for (const { asked, gone } of this.#streams.values()) {
      gone.abort();
      asked.fail(new Error('the connection is gone'));
    }
  }

  #begin(frame: Frame): void {
    const { stream: id } = frame;
    if (this.#streams.has(id)) throw new FrameFault(`a second request of stream ${id}`);
    const head = readHead(frame, RequestHead);
    if (this.#streams.size >= MAX_STREAMS) throw new FrameFault('more streams than there may be');
    const stream: Stream = {
      asked: new Inflow(
        (bytes) => this.#write(writeCredit(id, bytes)),
        () => {},
      ),
      sent: new Outflow(),
      gone: new AbortController(),
    };
    this.#streams.set(id, stream);
    stream.gone.signal.addEventListener('abort', () => stream.sent.stop());
    void this.#serve(id, head, stream).finally(() => {
      this.#streams.delete(id);
      if (this.#streams.size === 0) this.#emptied();
    });
  }

  async #serve(id: number, head: RequestHead, stream: Stream): Promise<void> {
    const { sent, gone } = stream;
    try {
      const response = await this.#handle(requestOf(head, stream), head.path);
      const { status, headers, body } = response;
      if (gone.signal.aborted) return await body?.cancel();
      this.#write(writeHead('response', id, { status, headers: [...headers] }));
      const isWhole = !body || (await sent.send(body, this.#writeData(id)));
      if (isWhole) this.#write(writeFrame('end', id));
    } catch {
      // The service answers its own faults; this is a body that broke off, or headers beyond all measure.
      if (!gone.signal.aborted) this.#write(writeFrame('reset', id));
    }
  }

  readonly #writeData = (id: number) => (bytes: Uint8Array) =>
    this.#write(writeFrame('data', id, bytes));
}

function requestOf({ method, path, headers, body }: RequestHead, stream: Stream): Request {
  const { signal } = stream.gone;
  const init = { method, headers, signal };
  if (!body) return new Request(BASE + path, init);
  // Half duplex is what fetch asks for where a body streams; the DOM's types do not know it.
  return new Request(BASE + path, {
    ...init,
    body: stream.asked.readable,
    duplex: 'half',
  } as RequestInit);
}

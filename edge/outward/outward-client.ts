import { Inflow, MAX_STREAMS, Outflow } from './contract/flow.ts';
import {
  ResponseHead,
  type Frame,
  FrameFault,
  readCredit,
  readFrame,
  readHead,
  writeCredit,
  writeFrame,
  writeHead,
} from './contract/frames.ts';

/** A request in flight over the connection, with its response so far. */
interface Stream {
  readonly head: PromiseWithResolvers<ResponseHead>;
  readonly sent: Outflow;
  readonly answer: Inflow;
}

/** A request and its response. */
interface Exchange {
  readonly response: Promise<Response>;
  /** Resolves once nothing of it is in flight any more. */
  readonly over: Promise<void>;
}

/** Responses without a body (fetch standard). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * The gateway's end of a connection: sends requests as multiplexed streams of frames, buffering no
 * more of each than its window.
 */
export class OutwardClient {
  readonly #write: (frame: Uint8Array<ArrayBuffer>) => void;
  readonly #streams = new Map<number, Stream>();
  /** A random start: late frames about streams from before a restart match none of these. */
  #latest = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

  constructor(write: (frame: Uint8Array<ArrayBuffer>) => void) {
    this.#write = write;
  }

  get isFull(): boolean {
    return this.#streams.size >= MAX_STREAMS;
  }

  /** Sends a request. @throws FrameFault where its headers are too large */
  ask(request: Request, path: string): Exchange {
    const id = this.#nextId();
    const over = Promise.withResolvers<void>();
    const stream: Stream = {
      head: Promise.withResolvers(),
      sent: new Outflow(),
      answer: new Inflow(
        (bytes) => this.#say(writeCredit(id, bytes)),
        (wasRead) => {
          if (!wasRead) this.#giveUp(id, new Error('the response is no longer read'));
          this.#streams.delete(id);
          stream.sent.stop();
          over.resolve();
        },
      ),
    };
    const { method, headers, body, signal } = request;
    const head = { method, path, headers: [...headers], body: body !== null };
    this.#write(writeHead('request', id, head));
    this.#streams.set(id, stream);
    // The rejection may have no listener any more.
    stream.head.promise.catch(() => {});
    const hangUp = () => this.#giveUp(id, new Error('the caller hung up'));
    signal.addEventListener('abort', hangUp);
    void over.promise.then(() => signal.removeEventListener('abort', hangUp));
    if (signal.aborted) hangUp();
    else if (body) void this.#send(id, stream, body);
    return {
      response: stream.head.promise.then((found) => responseOf(found, stream)),
      over: over.promise,
    };
  }

  async #send(id: number, { sent }: Stream, body: ReadableStream<Uint8Array>): Promise<void> {
    const isWhole = await sent
      .send(body, (bytes) => this.#say(writeFrame('data', id, bytes)))
      .catch((error: unknown) =>
        this.#giveUp(id, new Error('the request broke off', { cause: error })),
      );
    if (isWhole && this.#streams.has(id)) this.#say(writeFrame('end', id));
  }

  /** Handles a frame. @throws FrameFault for a protocol violation */
  receive(bytes: Uint8Array<ArrayBuffer>): void {
    const frame = readFrame(bytes);
    const stream = this.#streams.get(frame.stream);
    // Late frames of a stream that is over are ignored.
    if (stream) this.#take(frame, stream);
  }

  /** The number of requests in flight. */
  get size(): number {
    return this.#streams.size;
  }

  #take(frame: Frame, { head, sent, answer }: Stream): void {
    switch (frame.kind) {
      case 'response':
        return head.resolve(readHead(frame, ResponseHead));
      case 'data':
        return answer.push(frame.payload);
      case 'end':
        head.reject(new Error('the service did not respond'));
        sent.stop();
        return answer.end();
      case 'credit':
        return sent.grant(readCredit(frame));
      case 'reset': {
        const reason = new Error('the service broke off');
        this.#streams.delete(frame.stream);
        head.reject(reason);
        return answer.fail(reason);
      }
      default:
        throw new FrameFault(`${frame.kind} of a service`);
    }
  }

  /** The connection is gone: all requests in flight fail. */
  fail(reason: Error): void {
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    for (const { head, answer } of streams) {
      head.reject(reason);
      answer.fail(reason);
    }
  }

  #giveUp(id: number, reason: Error): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    this.#say(writeFrame('reset', id));
    stream.head.reject(reason);
    stream.answer.fail(reason);
  }

  /** A connection that has just closed reports that by itself. */
  #say(frame: Uint8Array<ArrayBuffer>): void {
    try {
      this.#write(frame);
    } catch {
      this.fail(new Error('the connection is gone'));
    }
  }

  #nextId(): number {
    do this.#latest = (this.#latest + 1) >>> 0;
    while (this.#latest === 0 || this.#streams.has(this.#latest));
    return this.#latest;
  }
}

function responseOf({ status, headers }: ResponseHead, { answer }: Stream): Response {
  if (!BODILESS.has(status)) return new Response(answer.readable, { status, headers });
  void answer.readable.cancel();
  return new Response(null, { status, headers });
}

import type { PlatformEvent } from '../../events/contract/platform-event.ts';
import { closeSocket } from '../../contract/close-socket.ts';
import { bodyOf, checked, type Http, queryOf } from '../../contract/client.ts';
import { Ticket } from '../../access/contract/session.ts';
import { backoffMs } from './backoff.ts';
import { LOG_PING, type LogFrame, type LogGap } from './log-frames.ts';
import type { LogFilter } from './log-filter.ts';
import type { LogMessage } from './log-message.ts';
import { type LogPosition, LogReader } from './log-reader.ts';

export type LogStreamState =
  | { readonly status: 'connecting' | 'live' | 'closed' }
  /** It reconnects by itself; `error` is the refusal of a ticket. */
  | { readonly status: 'lost'; readonly retryInMs: number; readonly error?: unknown };

interface LogStreamOptions {
  /** The gateway, with credentials in its headers. */
  readonly http: Http;
  readonly filter?: LogFilter;
  /** Resumes from there; without it, starts with `tail` of the latest messages. */
  readonly from?: LogPosition;
  readonly tail?: number;
  /** Receives messages and gaps, in order. They are acknowledged when it has finished. */
  readonly take: (items: readonly (LogMessage | LogGap)[]) => void | Promise<void>;
  /** Receives events of the types of `filter.events`, after the messages of the same frame. */
  readonly takeEvents?: (events: readonly PlatformEvent[]) => void | Promise<void>;
  readonly changed?: (state: LogStreamState) => void;
  /** The base of relative addresses. */
  readonly origin?: string;
  readonly backoff?: { readonly firstMs: number; readonly mostMs: number };
}

export interface LogStream {
  /** The present position, to pass to another stream as `from`. */
  position(): LogPosition | undefined;
  close(): void;
}

const PATH = '/ws/distributed_brain/logs';
/** Half of the credit, so that the hub never has to wait. */
const ACK_EVERY = 32;
/** The delay after which fewer messages are acknowledged. */
const ACK_AFTER_MS = 250;
/** The time limit for the hello frame. */
const HELLO_WITHIN_MS = 15_000;
const BACKOFF = { firstMs: 250, mostMs: 15_000 };

/**
 * Follows the log of a platform, in Node and in browsers alike, and resumes by itself until it is
 * closed.
 */
export function openLogStream(options: LogStreamOptions): LogStream {
  const stream = new Stream(options);
  stream.open();
  return { position: () => stream.position, close: () => stream.close() };
}

class Stream {
  readonly #options: LogStreamOptions;
  readonly #reader: LogReader;
  #socket: WebSocket | undefined;
  #isClosed = false;
  #failures = 0;
  #retryAfterMs = 0;
  #isHeard = false;
  /** The processing of earlier frames, which the next one waits for. */
  #taken: Promise<void> = Promise.resolve();
  #ackTimer: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LogStreamOptions) {
    this.#options = options;
    this.#reader = new LogReader(options.from, options.tail ?? 0);
  }

  get position(): LogPosition | undefined {
    return this.#reader.position;
  }

  open(): void {
    this.#changed({ status: 'connecting' });
    ticketFrom(this.#options.http).then(
      (ticket) => this.#connect(ticket),
      (error: unknown) => this.#lost(error),
    );
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    this.#drop();
    this.#changed({ status: 'closed' });
  }

  #connect(ticket: string): void {
    if (this.#isClosed) return;
    const socket = new WebSocket(addressOf(this.#options, this.#reader.position, ticket));
    this.#socket = socket;
    this.#isHeard = false;
    this.#pingTimer = setInterval(() => this.#ping(), HELLO_WITHIN_MS);
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket === socket) this.#hear(String(data));
    });
    // A failed handshake also fires `error`, which adds nothing to `close`.
    socket.addEventListener('close', () => {
      if (this.#socket === socket) this.#lost();
    });
  }

  #hear(text: string): void {
    this.#isHeard = true;
    const items: (LogMessage | LogGap)[] = [];
    const events: PlatformEvent[] = [];
    for (const line of text.split('\n')) {
      const read = this.#reader.read(JSON.parse(line) as LogFrame);
      if (read.kind === 'message') items.push(read.log);
      if (read.kind === 'gap') items.push(read.gap);
      if (read.kind === 'event') events.push(read.event);
      if (read.kind === 'hello') this.#greeted(read.hello.ping_s);
      if (read.kind === 'bye') this.#retryAfterMs = read.retryAfterS * 1000;
    }
    if (items.length + events.length === 0) return;
    const socket = this.#socket;
    if (items.length > 0) this.#taken = this.#taken.then(() => this.#options.take(items));
    if (events.length > 0) {
      this.#taken = this.#taken.then(() => this.#options.takeEvents?.(events));
    }
    void this.#taken.then(() => {
      if (this.#socket === socket) this.#acknowledge();
    });
  }

  #greeted(pingS: number): void {
    this.#failures = 0;
    this.#retryAfterMs = 0;
    clearInterval(this.#pingTimer);
    this.#pingTimer = setInterval(() => this.#ping(), pingS * 1000);
    this.#changed({ status: 'live' });
  }

  #ping(): void {
    if (!this.#isHeard) return this.#lost();
    this.#isHeard = false;
    this.#send(LOG_PING);
  }

  #acknowledge(): void {
    if (this.#reader.unacked >= ACK_EVERY) return this.#sendAck();
    if (this.#reader.unacked > 0) {
      this.#ackTimer ??= setTimeout(() => this.#sendAck(), ACK_AFTER_MS);
    }
  }

  #sendAck(): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#send(JSON.stringify({ type: 'ack', seq: this.#reader.acknowledge() }));
  }

  #send(text: string): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
  }

  #lost(error?: unknown): void {
    if (this.#isClosed) return;
    this.#drop();
    this.#failures += 1;
    const waitMs = backoffMs(this.#failures, this.#options.backoff ?? BACKOFF);
    const retryInMs = Math.max(this.#retryAfterMs, waitMs);
    this.#changed({ status: 'lost', retryInMs, ...(error !== undefined && { error }) });
    if (!this.#isClosed) this.#retryTimer = setTimeout(() => this.open(), retryInMs);
  }

  #drop(): void {
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    clearInterval(this.#pingTimer);
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    if (this.#isClosed) closeSocket(socket);
    else socket.close();
  }

  #changed(state: LogStreamState): void {
    this.#options.changed?.(state);
  }
}

/**
 * Browsers cannot send headers with a WebSocket, so a ticket replaces them. @throws ProblemError
 */
async function ticketFrom({ base, headers, fetch }: Http): Promise<string> {
  const answer = await fetch(`${base}/ws/tickets`, { method: 'POST', headers });
  return (await bodyOf(await checked(answer), Ticket)).ticket;
}

function addressOf(
  { http, filter = {}, tail, origin }: LogStreamOptions,
  position: LogPosition | undefined,
  ticket: string,
): URL {
  const { level, source, module_type, events } = filter;
  const place = position ? { since_seq: position.seq, stream_id: position.streamId } : { tail };
  const query = queryOf({ level, source, module_type, events, ...place, batch: 'true', ticket });
  const url = new URL(`${http.base}${PATH}${query}`, origin);
  url.protocol = url.protocol.replace('http', 'ws');
  return url;
}

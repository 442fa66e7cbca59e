import * as z from 'zod/mini';
import type { Caller } from '../http/caller.ts';
import { type Bucket, takeToken } from '../http/token-bucket.ts';
import { ClientFlow, type StoredFlow, type Outgoing } from './client-flow.ts';
import type { LogFilter } from './contract/log-filter.ts';
import {
  LOG_CLOSE,
  LOG_CREDIT,
  LogAck,
  type LogBye,
  type LogError,
  type LogFrame,
} from './contract/log-frames.ts';

/** The maximum length of a client's message. */
const MAX_CHARACTERS = 1024;

const ClientMessage = z.union([LogAck, z.strictObject({ type: z.literal('ping') })]);
type ClientMessage = z.infer<typeof ClientMessage>;

const fault = (detail: string): LogError => ({ type: 'error', code: 'invalid_message', detail });

/** Parses a message of a client. @returns an error frame where it is invalid */
export function parseClientMessage(message: string | ArrayBuffer): ClientMessage | LogError {
  if (typeof message !== 'string') return fault('got bytes, expected text');
  if (message.length > MAX_CHARACTERS) {
    return fault(`got ${message.length} characters, expected at most ${MAX_CHARACTERS}`);
  }
  const parsed = z.safeParse(ClientMessage, jsonOf(message));
  if (parsed.success) return parsed.data;
  return fault(`got ${message.slice(0, 100)}, expected {"type":"ack","seq":…} or {"type":"ping"}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The rate limit of a client's messages, mostly acknowledgements. */
const FROM_CLIENT = { perSecond: 250, burst: 1000 };
/** The number of invalid messages that are tolerated. */
const MAX_FAULTS = 10;

/** The caller of a connection, and its filter. */
interface LogSubscriber {
  readonly caller: Caller;
  readonly filter: LogFilter;
  readonly isBatched: boolean;
}

/** The attachment of a socket during hibernation. */
interface Attachment extends LogSubscriber {
  readonly flow: StoredFlow;
}

const { messages, bytes, queue } = LOG_CREDIT;
const LIMITS = { messages, bytes, queue };

/** Joins several texts into one frame. */
type JoinTexts = (texts: readonly string[]) => string;

const joinTexts: JoinTexts = (texts) => texts.join('\n');

/** The same with a cache of the last result, as most clients get the same texts. */
export function joinOnce(): JoinTexts {
  let before: readonly string[] = [];
  let frame = '';
  return (texts) => {
    // The texts of a message are one string for all, so this compares pointers.
    const isSame = texts.length === before.length && texts.every((text, i) => text === before[i]);
    if (!isSame) frame = joinTexts(texts);
    before = texts;
    return frame;
  };
}

/** One connection: its flow, and the outbox of its socket. */
export class LogClient {
  readonly socket: WebSocket;
  readonly subscriber: LogSubscriber;
  readonly flow: ClientFlow;
  #outbox: string[] = [];
  #bucket: Bucket | undefined;
  #faults = 0;
  #isSaved = false;

  constructor(socket: WebSocket, subscriber: LogSubscriber, flow: ClientFlow) {
    this.socket = socket;
    this.subscriber = subscriber;
    this.flow = flow;
  }

  static open(socket: WebSocket, subscriber: LogSubscriber, position: number): LogClient {
    return new LogClient(socket, subscriber, new ClientFlow(LIMITS, position));
  }

  /** Restores the client of a socket after hibernation. */
  static restore(socket: WebSocket): LogClient {
    const { flow, ...subscriber } = socket.deserializeAttachment() as Attachment;
    return new LogClient(socket, subscriber, ClientFlow.restore(LIMITS, flow));
  }

  /** Attaches the state that has to survive hibernation. */
  save(): void {
    if (this.#isSaved) return;
    const attachment: Attachment = { ...this.subscriber, flow: this.flow.keep() };
    this.socket.serializeAttachment(attachment);
    this.#isSaved = true;
  }

  /** Marks the state as changed. */
  touch(): void {
    this.#isSaved = false;
  }

  push(outgoing: readonly Outgoing[]): void {
    this.touch();
    for (const out of outgoing) {
      this.#outbox.push('line' in out ? out.line.text : JSON.stringify(out.gap));
    }
  }

  say(frame: LogFrame): void {
    this.#outbox.push(JSON.stringify(frame));
  }

  /** Sends the outbox: in one frame where the client supports that. */
  deliver(join: JoinTexts = joinTexts): void {
    const texts = this.#outbox;
    if (texts.length === 0) return;
    this.#outbox = [];
    const frames = this.subscriber.isBatched ? [join(texts)] : texts;
    try {
      for (const frame of frames) this.socket.send(frame);
    } catch (error) {
      // It closed a moment ago, which the runtime reports separately.
      if (this.socket.readyState === WebSocket.OPEN) throw error;
    }
  }

  /** Counts a message against the rate limit. @returns whether it is allowed */
  allowsMessage(now: number): boolean {
    const { bucket, isAllowed } = takeToken(this.#bucket, FROM_CLIENT, now);
    this.#bucket = bucket;
    return isAllowed;
  }

  /** Counts an invalid message. @returns whether it is tolerated */
  toleratesFault(): boolean {
    this.#faults += 1;
    return this.#faults <= MAX_FAULTS;
  }

  /** Reports the gap and the reason, and closes. */
  end(reason: LogBye['reason'], retryAfterS: number): void {
    this.push(this.flow.declare());
    this.say({ type: 'bye', reason, retry_after_s: retryAfterS });
    this.deliver();
    this.socket.close(CODES[reason], reason);
  }
}

const CODES: Readonly<Record<LogBye['reason'], number>> = {
  send_timeout: LOG_CLOSE.tryAgain,
  restart: LOG_CLOSE.tryAgain,
  credentials_ended: LOG_CLOSE.credentialsEnded,
  misbehaved: LOG_CLOSE.misbehaved,
};

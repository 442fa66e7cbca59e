import * as z from 'zod/mini';
import type { Caller } from '../http/caller.ts';
import { type Bucket, takeToken } from '../http/token-bucket.ts';
import { ClientFlow, type KeptFlow, type Outgoing } from './client-flow.ts';
import type { LogFilter } from './contract/log-filter.ts';
import {
  LOG_CLOSE,
  LOG_CREDIT,
  LogAck,
  type LogBye,
  type LogError,
  type LogFrame,
} from './contract/log-frames.ts';

/** What a client may say at once. */
const MOST_CHARACTERS = 1024;

const Said = z.union([LogAck, z.strictObject({ type: z.literal('ping') })]);
type Said = z.infer<typeof Said>;

const fault = (detail: string): LogError => ({ type: 'error', code: 'invalid_message', detail });

/** What a client of the stream says, or what is wrong with it. */
export function parseClientMessage(said: string | ArrayBuffer): Said | LogError {
  if (typeof said !== 'string') return fault('got bytes, expected text');
  if (said.length > MOST_CHARACTERS) {
    return fault(`got ${said.length} characters, expected at most ${MOST_CHARACTERS}`);
  }
  const parsed = z.safeParse(Said, jsonOf(said));
  if (parsed.success) return parsed.data;
  return fault(`got ${said.slice(0, 100)}, expected {"type":"ack","seq":…} or {"type":"ping"}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Messages a client may send: an acknowledgement now and then. */
const FROM_CLIENT = { perSecond: 250, burst: 1000 };
/** So often a client may say what nobody understands. */
const MOST_FAULTS = 10;

/** Whose connection it is, and what it wants. */
export interface LogSubscriber {
  readonly caller: Caller;
  readonly filter: LogFilter;
  readonly isBatched: boolean;
}

/** What a socket keeps while the object sleeps. */
interface Attachment extends LogSubscriber {
  readonly flow: KeptFlow;
}

const { messages, bytes, queue } = LOG_CREDIT;
const LIMITS = { messages, bytes, queue };

/** Makes one frame of several texts. */
export type JoinTexts = (texts: readonly string[]) => string;

const joinTexts: JoinTexts = (texts) => texts.join('\n');

/** The same, for clients most of which get the same texts: those are joined once. */
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

/** One connection: its flow, and what is on the way into its socket. */
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

  /** The client of a socket that outlasted the object's sleep. */
  static restore(socket: WebSocket): LogClient {
    const { flow, ...subscriber } = socket.deserializeAttachment() as Attachment;
    return new LogClient(socket, subscriber, ClientFlow.restore(LIMITS, flow));
  }

  /** Keeps what has to outlast the object's sleep. */
  save(): void {
    if (this.#isSaved) return;
    const attachment: Attachment = { ...this.subscriber, flow: this.flow.keep() };
    this.socket.serializeAttachment(attachment);
    this.#isSaved = true;
  }

  /** The flow has changed. */
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

  /** Sends what was pushed: all in a frame where the client takes that. */
  deliver(join: JoinTexts = joinTexts): void {
    const texts = this.#outbox;
    if (texts.length === 0) return;
    this.#outbox = [];
    const frames = this.subscriber.isBatched ? [join(texts)] : texts;
    try {
      for (const frame of frames) this.socket.send(frame);
    } catch (error) {
      // It closed a moment ago; the runtime reports that by itself.
      if (this.socket.readyState === WebSocket.OPEN) throw error;
    }
  }

  /** Whether the client may say one more thing. */
  mayTalk(now: number): boolean {
    const { bucket, isAllowed } = takeToken(this.#bucket, FROM_CLIENT, now);
    this.#bucket = bucket;
    return isAllowed;
  }

  /** Notes that the client said what nobody understands; false where that was too often. */
  forgives(): boolean {
    this.#faults += 1;
    return this.#faults <= MOST_FAULTS;
  }

  /** Says what was lost, and why it ends. */
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

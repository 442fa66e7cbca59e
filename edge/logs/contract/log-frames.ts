import * as z from 'zod/mini';
import type { PlatformEvent } from '../../events/contract/platform-event.ts';
import type { LogMessage } from './log-message.ts';

/** The subprotocol of the log stream. */
export const LOG_PROTOCOL = 'spikegrid.logs.v1';

/** The credit of a client in unacknowledged messages and bytes, and the limit of its queue. */
export const LOG_CREDIT = { messages: 64, bytes: 256 * 1024, queue: 256 } as const;

/** The hub's close codes, besides those of RFC 6455. */
export const LOG_CLOSE = {
  /** The client did not acknowledge in time, or the hub restarts: it may reconnect. */
  tryAgain: 1013,
  /** The client keeps sending invalid or too many messages. */
  misbehaved: 1008,
  /** The credentials have ended; the client may reconnect with new ones. */
  credentialsEnded: 4401,
} as const;

/** The first frame of a connection. */
export interface LogHello {
  readonly type: 'hello';
  /** Identifies the sequence of `seq`: it changes where the store is replaced. */
  readonly stream_id: string;
  /** The latest message. */
  readonly seq: number;
  /** How often the client sends `{"type":"ping"}`. */
  readonly ping_s: number;
  /** The time limit for acknowledgements. */
  readonly ack_within_ms: number;
}

/** A range of matching messages that this client does not get. */
export interface LogGap {
  readonly type: 'gap';
  readonly from_seq: number;
  readonly to_seq: number;
  /** Their number; null where it is unknown, as after a crash. */
  readonly dropped: number | null;
}

export interface LogError {
  readonly type: 'error';
  readonly code: 'invalid_message' | 'invalid_ack';
  readonly detail: string;
}

/** The last frame before the hub closes. */
export interface LogBye {
  readonly type: 'bye';
  readonly reason: 'send_timeout' | 'credentials_ended' | 'misbehaved' | 'restart';
  readonly retry_after_s: number;
}

interface LogPong {
  readonly type: 'pong';
}

export type LogFrame = LogHello | LogGap | LogError | LogBye | LogPong | LogMessage | PlatformEvent;

/** A client's acknowledgement of everything up to `seq`. */
export const LogAck = z.strictObject({
  type: z.literal('ack'),
  seq: z.int().check(z.nonnegative()),
});
export type LogAck = z.infer<typeof LogAck>;

/** Must match literally: the runtime answers it during hibernation. */
export const LOG_PING = '{"type":"ping"}';
export const LOG_PONG = '{"type":"pong"}';

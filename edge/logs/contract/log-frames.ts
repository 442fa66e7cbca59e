import * as z from 'zod/mini';
import type { PlatformEvent } from '../../events/contract/platform-event.ts';
import type { LogMessage } from './log-message.ts';

/** The subprotocol of the log stream. */
export const LOG_PROTOCOL = 'spikegrid.logs.v1';

/** How much may be under way to a client that it has not acknowledged, and may wait behind that. */
export const LOG_CREDIT = { messages: 64, bytes: 256 * 1024, queue: 256 } as const;

/** Why the hub closes a connection, beside the codes of RFC 6455. */
export const LOG_CLOSE = {
  /** The client did not acknowledge in time, or the hub has to go: it may come again. */
  tryAgain: 1013,
  /** The client keeps sending what the hub does not understand, or too much. */
  misbehaved: 1008,
  /** The credentials have ended; with new ones the client may come again. */
  credentialsEnded: 4401,
} as const;

/** What a connection begins with. */
export interface LogHello {
  readonly type: 'hello';
  /** Names what `seq` counts: it changes where the store of before is gone. */
  readonly stream_id: string;
  /** The latest message there is. */
  readonly seq: number;
  /** How often the client says `{"type":"ping"}`. */
  readonly ping_s: number;
  /** A message must be acknowledged within this time. */
  readonly ack_within_ms: number;
}

/** Messages that this client does not get: all that match its filters from one to another. */
export interface LogGap {
  readonly type: 'gap';
  readonly from_seq: number;
  readonly to_seq: number;
  /** How many they were; null where nobody knows, as after a crash. */
  readonly dropped: number | null;
}

export interface LogError {
  readonly type: 'error';
  readonly code: 'invalid_message' | 'invalid_ack';
  readonly detail: string;
}

/** The last that is said before the hub closes. */
export interface LogBye {
  readonly type: 'bye';
  readonly reason: 'send_timeout' | 'credentials_ended' | 'misbehaved' | 'restart';
  readonly retry_after_s: number;
}

export interface LogPong {
  readonly type: 'pong';
}

export type LogFrame = LogHello | LogGap | LogError | LogBye | LogPong | LogMessage | PlatformEvent;

/** What a client sends: it has everything up to `seq`. */
export const LogAck = z.strictObject({
  type: z.literal('ack'),
  seq: z.int().check(z.nonnegative()),
});
export type LogAck = z.infer<typeof LogAck>;

/** To the letter: the runtime answers it by itself, while the hub sleeps. */
export const LOG_PING = '{"type":"ping"}';
export const LOG_PONG = '{"type":"pong"}';

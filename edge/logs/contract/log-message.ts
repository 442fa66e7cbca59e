import * as z from 'zod/mini';
import { DEFAULT_TEAM } from '../../contract/team.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';

/** Severity, in ascending order. */
export const LogLevel = z.enum(['debug', 'info', 'warn', 'error', 'critical']);
export type LogLevel = z.infer<typeof LogLevel>;

export const LOG_LIMITS = {
  /** The maximum size of a message as JSON. */
  bytes: 64 * 1024,
  /** The maximum number of messages in one request. */
  batch: 256,
  /** The maximum length of the name of a source or an event. */
  name: 128,
} as const;

/** The replacement character, which the runtime silently puts in place of invalid UTF-8. */
const REPLACEMENT = '\u{FFFD}';

const name = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).byteLength;

/** A message to publish. */
export const NewLogMessage = z
  .strictObject({
    message: name(LOG_LIMITS.bytes),
    level: z.prefault(LogLevel, 'info'),
    /** The origin of the message; the caller by default. */
    source: z.optional(name(LOG_LIMITS.name)),
    /** The type of node it comes from, such as `lang-main`. */
    module_type: z.optional(name(64)),
    /** A machine-readable name of what happened, such as `route_chosen`. */
    event: z.optional(name(LOG_LIMITS.name)),
    data: z.optional(z.record(z.string(), z.unknown())),
    trace_id: z.optional(name(64)),
    /** When it happened; now by default. */
    timestamp: z.optional(TimestampInput),
  })
  .check(
    z.refine(
      (log) => !JSON.stringify(log).includes(REPLACEMENT),
      'holds U+FFFD, so it was no UTF-8 once',
    ),
    z.refine((log) => bytesOf(log) <= LOG_LIMITS.bytes, 'expected at most 64 KiB of JSON'),
  );
export type NewLogMessage = z.output<typeof NewLogMessage>;
export type NewLogMessageInput = z.input<typeof NewLogMessage>;

/** Several messages at once, in order. */
export const NewLogMessages = z.strictObject({
  logs: z.array(NewLogMessage).check(z.minLength(1), z.maxLength(LOG_LIMITS.batch)),
});

/** A published message. */
export const LogMessage = z.object({
  type: z.literal('log'),
  id: z.string(),
  /** Its sequence number in the stream. */
  seq: z.int(),
  timestamp: Timestamp,
  level: LogLevel,
  source: z.string(),
  module_type: z.nullable(z.string()),
  event: z.nullable(z.string()),
  message: z.string(),
  data: z.nullable(z.record(z.string(), z.unknown())),
  trace_id: z.nullable(z.string()),
  /** The publisher as authenticated, whatever the message claims. */
  owner: z.prefault(z.string(), ''),
  team: z.prefault(z.string(), DEFAULT_TEAM),
});
export type LogMessage = z.infer<typeof LogMessage>;

/** The response to publishing one message. */
export const PublishedLog = z.object({
  id: z.string(),
  seq: z.int(),
  /** Clients that it was sent to, or is queued for. */
  delivered: z.int(),
  /** Older messages lost to full queues. */
  dropped: z.int(),
});
export type PublishedLog = z.infer<typeof PublishedLog>;

/** The response to publishing several; the counts are those of all together. */
export const PublishedLogs = z.object({
  accepted: z.int(),
  first_seq: z.int(),
  last_seq: z.int(),
  delivered: z.int(),
  dropped: z.int(),
});
export type PublishedLogs = z.infer<typeof PublishedLogs>;

/** The counters of the stream, since its first use. */
export const LogMetrics = z.object({
  /** Connections closed because their client did not acknowledge in time. */
  send_timeouts: z.int(),
  /** Messages that clients lost to full queues. */
  broadcast_drops: z.int(),
  /** Messages that could not be written to the store or to Redis. */
  persist_drops: z.int(),
  connected_clients: z.int(),
  /** When one of these last changed. */
  last_update: Timestamp,
});
export type LogMetrics = z.infer<typeof LogMetrics>;

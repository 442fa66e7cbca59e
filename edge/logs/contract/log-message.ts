import * as z from 'zod/mini';
import { DEFAULT_TEAM } from '../../contract/team.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';

/** How bad it is, from the least to the worst. */
export const LogLevel = z.enum(['debug', 'info', 'warn', 'error', 'critical']);
export type LogLevel = z.infer<typeof LogLevel>;

export const LOG_LIMITS = {
  /** What one message may hold as JSON. */
  bytes: 64 * 1024,
  /** Messages that may be published with one request. */
  batch: 256,
  /** Letters of the name of a source or an event. */
  name: 128,
} as const;

/** Stands where bytes were no UTF-8: the runtime puts it there in silence. */
const REPLACEMENT = '\u{FFFD}';

const name = (most: number) => z.string().check(z.minLength(1), z.maxLength(most));

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).byteLength;

/** A message as it is published: `message`, and of the rest what there is to say. */
export const NewLogMessage = z
  .strictObject({
    message: name(LOG_LIMITS.bytes),
    level: z.prefault(LogLevel, 'info'),
    /** Who says it; the caller where it is left out. */
    source: z.optional(name(LOG_LIMITS.name)),
    /** The kind of node it comes from, such as `lang-main`. */
    module_type: z.optional(name(64)),
    /** What happened, in a word for programs, such as `route_chosen`. */
    event: z.optional(name(LOG_LIMITS.name)),
    data: z.optional(z.record(z.string(), z.unknown())),
    trace_id: z.optional(name(64)),
    /** When it happened; now where it is left out. */
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

/** Several messages at once, in their order. */
export const NewLogMessages = z.strictObject({
  logs: z.array(NewLogMessage).check(z.minLength(1), z.maxLength(LOG_LIMITS.batch)),
});

/** A message as the stream sends it and the search finds it. */
export const LogMessage = z.object({
  type: z.literal('log'),
  id: z.string(),
  /** Counts the messages of a stream; a later one has a higher number. */
  seq: z.int(),
  timestamp: Timestamp,
  level: LogLevel,
  source: z.string(),
  module_type: z.nullable(z.string()),
  event: z.nullable(z.string()),
  message: z.string(),
  data: z.nullable(z.record(z.string(), z.unknown())),
  trace_id: z.nullable(z.string()),
  /** Who published it, as the platform knows: neither is what a publisher says. */
  owner: z.prefault(z.string(), ''),
  team: z.prefault(z.string(), DEFAULT_TEAM),
});
export type LogMessage = z.infer<typeof LogMessage>;

/** What publishing one message answers. */
export const PublishedLog = z.object({
  id: z.string(),
  seq: z.int(),
  /** Clients that it was sent to, or waits for. */
  delivered: z.int(),
  /** Older messages that clients lose for it, as more wait for them than may. */
  dropped: z.int(),
});
export type PublishedLog = z.infer<typeof PublishedLog>;

/** What publishing several answers; the numbers are those of all together. */
export const PublishedLogs = z.object({
  accepted: z.int(),
  first_seq: z.int(),
  last_seq: z.int(),
  delivered: z.int(),
  dropped: z.int(),
});
export type PublishedLogs = z.infer<typeof PublishedLogs>;

/** The counters of the stream, from when it was first used. */
export const LogMetrics = z.object({
  /** Connections closed because their client did not acknowledge in time. */
  send_timeouts: z.int(),
  /** Messages that clients lost, as more waited for them than may. */
  broadcast_drops: z.int(),
  /** Messages that the store or Redis did not take. */
  persist_drops: z.int(),
  connected_clients: z.int(),
  /** When one of these changed last. */
  last_update: Timestamp,
});
export type LogMetrics = z.infer<typeof LogMetrics>;

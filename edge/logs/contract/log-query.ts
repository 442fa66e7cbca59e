import * as z from 'zod/mini';
import { Seq } from '../../contract/event-query.ts';
import { EventType } from '../../events/contract/platform-event.ts';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { TimestampInput } from '../../contract/timestamp.ts';
import { LogLevel, LogMessage } from './log-message.ts';
import { says, wholePattern } from '../../contract/schema-rules.ts';

const Name = z.string().check(z.minLength(1), z.maxLength(128));

/** The filters of the stream and the search; a repeated parameter matches any of its values. */
const filters = {
  /** This level and above. */
  level: z.optional(LogLevel),
  source: z.optional(z.array(Name).check(z.maxLength(16))),
  module_type: z.optional(z.array(Name).check(z.maxLength(16))),
};

/** The parameters that may be repeated. */
export const LOG_LISTS = ['source', 'module_type', 'events'] as const;

/** The query of `GET /distributed_brain/logs`; `from` is inclusive and `to` exclusive. */
export const LogQuery = z.strictObject({
  ...filters,
  /** In the message, the event, the source, the trace or the data, regardless of case. */
  text: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
  trace_id: z.optional(Name),
  from: z.optional(TimestampInput),
  to: z.optional(TimestampInput),
  limit: z.prefault(PageSize, '50'),
  cursor: z.optional(Cursor),
});
export type LogQuery = z.output<typeof LogQuery>;

/** The response of `GET /distributed_brain/logs`, the latest message first. */
export const LogList = z.object({
  logs: z.array(LogMessage),
  ...pageMembers,
});
export type LogList = z.infer<typeof LogList>;

const Count = (most: number) =>
  z.pipe(
    z.string().check(
      z.regex(/^\d{1,15}$/, 'expected a whole number'),
      says(
        { pattern: wholePattern(0, most) },
        z.refine((text) => Number(text) <= most, `expected at most ${most}`),
      ),
    ),
    z.transform(Number),
  );

/** The maximum number of stored messages for a connection that does not resume. */
const MAX_TAIL = 10_000;

/** The query of the WebSocket `/ws/distributed_brain/logs`. */
export const LogStreamQuery = z.strictObject({
  ...filters,
  /** Resumes after this message of the stream `stream_id`. */
  since_seq: z.optional(Seq),
  /** In another stream, `since_seq` has no meaning, and everything stored is sent. */
  stream_id: z.optional(Name),
  /** Without `since_seq`: starts with this many of the latest messages. */
  tail: z.optional(Count(MAX_TAIL)),
  /** Several messages per frame, one line of JSON each; otherwise one message per frame. */
  batch: z.optional(z.enum(['true', 'false'])),
  /** Events of these types besides messages, as far as the caller's scopes allow. */
  events: z.optional(z.array(EventType).check(z.maxLength(EventType.options.length))),
  ticket: z.optional(z.string().check(z.maxLength(128))),
});
export type LogStreamQuery = z.output<typeof LogStreamQuery>;

import * as z from 'zod/mini';
import { Timestamp } from '../../contract/timestamp.ts';

/** As in a `traceparent`. */
export const TraceId = z
  .string()
  .check(z.regex(/^[0-9a-f]{32}$/, 'expected 32 hexadecimal digits in lower case'));
const SpanId = z.string().check(z.regex(/^[0-9a-f]{16}$/));

const Attributes = z.record(z.string(), z.unknown());

export const SPAN_KINDS = [
  'unspecified',
  'internal',
  'server',
  'client',
  'producer',
  'consumer',
] as const;

/** One operation of a trace: what a service did, from when to when. */
export const SpanRecord = z.object({
  trace_id: TraceId,
  span_id: SpanId,
  /** Null in the root of the trace. */
  parent_span_id: z.nullable(SpanId),
  name: z.string(),
  kind: z.enum(SPAN_KINDS),
  service_name: z.string(),
  scope: z.nullable(z.string()),
  start_time: Timestamp,
  end_time: Timestamp,
  duration_ms: z.number(),
  status: z.object({ code: z.enum(['unset', 'ok', 'error']), message: z.string() }),
  attributes: Attributes,
  /** Attributes of the resource, its name left out. */
  resource: Attributes,
  events: z.array(z.object({ time: Timestamp, name: z.string(), attributes: Attributes })),
  links: z.array(z.object({ trace_id: TraceId, span_id: SpanId, attributes: Attributes })),
});
export type SpanRecord = z.infer<typeof SpanRecord>;

/** Limits of stored spans: the oldest are deleted first. */
export const SPAN_LIMITS = {
  spans: 100_000,
  bytes: 64 * 1024,
  perTrace: 2000,
  storedS: 7 * 86_400,
} as const;

/** The response of `GET /v1/traces/{trace_id}`. */
export const Trace = z.object({ trace_id: TraceId, spans: z.array(SpanRecord), total: z.int() });
export type Trace = z.infer<typeof Trace>;

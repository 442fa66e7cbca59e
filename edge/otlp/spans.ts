import * as z from 'zod/mini';
import { TracesExport } from './contract/export.ts';
import { SPAN_KINDS, SPAN_LIMITS, type SpanRecord } from './contract/span.ts';
import { parseBody } from '../contract/parse.ts';
import { type Origin, readRecords, type Records } from './logs.ts';
import { readable } from './metrics.ts';
import { Span } from './schema.ts';
import { objectOf, serviceOf } from './values.ts';

/** Reads an export of spans. @throws Problem validation_failed */
export function parseSpans(body: unknown): Records<SpanRecord> {
  const groups = parseBody(TracesExport, body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.map(({ scope, spans: records }) => ({
      origin: { resource: resource.attributes, scope: scope?.name },
      records,
    })),
  );
  return readRecords(groups, recordOf);
}

function recordOf(input: unknown, origin: Origin): SpanRecord | string {
  const parsed = z.safeParse(Span, input);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { traceId, spanId } = parsed.data;
  if (traceId === undefined || spanId === undefined) {
    return 'a span needs a traceId and a spanId that are not all zeros';
  }
  const { endTimeUnixNano: end, startTimeUnixNano: start } = parsed.data;
  if (end < start) return `the span ${spanId} ends before it starts`;
  const record = readable(() => ({ ...described(parsed.data, origin), ...ids(parsed.data) }));
  if (typeof record === 'string') return record;
  const { length } = JSON.stringify(record);
  if (length <= SPAN_LIMITS.bytes) return record;
  return `the span ${spanId} holds ${length} characters, expected at most ${SPAN_LIMITS.bytes}`;
}

const ids = ({ traceId = '', spanId = '', parentSpanId }: Span) => ({
  trace_id: traceId,
  span_id: spanId,
  parent_span_id: parentSpanId ?? null,
});

function described(span: Span, { resource, scope }: Origin) {
  const { name, kind, status, attributes, startTimeUnixNano, endTimeUnixNano } = span;
  return {
    name,
    kind: SPAN_KINDS[kind] ?? 'unspecified',
    service_name: serviceOf(resource),
    scope: scope ?? null,
    start_time: timeOf(startTimeUnixNano),
    end_time: timeOf(endTimeUnixNano),
    duration_ms: Number(endTimeUnixNano - startTimeUnixNano) / 1e6,
    status: { code: CODES[status.code] ?? 'unset', message: status.message },
    attributes: objectOf(attributes),
    resource: objectOf(resource.filter(({ key }) => key !== 'service.name')),
    events: span.events.map((event) => ({
      time: timeOf(event.timeUnixNano),
      name: event.name,
      attributes: objectOf(event.attributes),
    })),
    links: span.links.flatMap((link) =>
      link.traceId && link.spanId
        ? [
            {
              trace_id: link.traceId,
              span_id: link.spanId,
              attributes: objectOf(link.attributes),
            },
          ]
        : [],
    ),
  } as const;
}

const CODES = ['unset', 'ok', 'error'] as const;

/** To the nanosecond, as spans are often shorter than a millisecond. */
function timeOf(nanoseconds: bigint): string {
  const whole = new Date(Number(nanoseconds / 1_000_000_000n) * 1000).toISOString();
  const rest = String(nanoseconds % 1_000_000_000n).padStart(9, '0');
  return whole.replace('.000Z', `.${rest}Z`);
}

import * as z from 'zod/mini';
import { type Endpoint, type Endpoints, get } from '../contract/endpoint.ts';
import { METRIC_LIMITS } from '../monitoring/contract/metrics.ts';
import { Team } from '../contract/team.ts';
import * as otlpExportSchemas from './contract/export.ts';
import * as otlpSpanSchemas from './contract/span.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** Limits of one export; its metric points are bounded as all metrics are. */
export const OTLP_LIMITS = {
  bodyBytes: METRIC_LIMITS.bodyBytes,
  /** Log records, or spans. */
  records: 10_000,
} as const;

/** `google.rpc.Status`, as OTLP refuses; `details` name our own code of the refusal. */
export const RpcStatus = z.object({
  code: z.int(),
  message: z.string(),
  details: z.array(
    z.object({
      '@type': z.literal('type.googleapis.com/google.rpc.ErrorInfo'),
      reason: z.string(),
      domain: z.literal('spikegrid'),
      metadata: z.object({ code: z.string() }),
    }),
  ),
});
export type RpcStatus = z.infer<typeof RpcStatus>;

const ENCODINGS = ['application/json', 'application/x-protobuf'] as const;

const exporting = {
  method: 'POST',
  maxBodyBytes: OTLP_LIMITS.bodyBytes,
  refusals: 'rpc-status',
  headers: { 'content-encoding': '`gzip` where the body is packed.' },
  problems: ['validation_failed', 'invalid_json', 'unsupported_media_type', 'overloaded'],
} as const satisfies Partial<Endpoint>;

/** Receivers of OpenTelemetry, at the paths of OTLP/HTTP. */
export const otlpEndpoints = {
  exportMetrics: {
    ...exporting,
    path: '/v1/metrics',
    summary: 'Takes metrics of OpenTelemetry (OTLP/HTTP, protobuf or JSON).',
    access: 'metrics:write',
    body: { media: ENCODINGS, schema: otlpExportSchemas.MetricsExport },
    responses: { 200: { media: ENCODINGS, schema: otlpExportSchemas.MetricsExported } },
  },
  exportLogs: {
    ...exporting,
    path: '/v1/logs',
    summary: 'Takes logs of OpenTelemetry into the log stream (OTLP/HTTP, protobuf or JSON).',
    access: 'logs:write',
    body: { media: ENCODINGS, schema: otlpExportSchemas.LogsExport },
    responses: { 200: { media: ENCODINGS, schema: otlpExportSchemas.LogsExported } },
  },
  exportTraces: {
    ...exporting,
    path: '/v1/traces',
    summary: 'Takes spans of OpenTelemetry (OTLP/HTTP, protobuf or JSON) and stores them by trace.',
    access: 'logs:write',
    body: { media: ENCODINGS, schema: otlpExportSchemas.TracesExport },
    responses: { 200: { media: ENCODINGS, schema: otlpExportSchemas.TracesExported } },
  },
  getTrace: get('/v1/traces/:trace_id', 'logs:read', {
    summary: 'The stored spans of a trace, the earliest first.',
    /** Of administrators: whose trace is meant. Everybody else's is their team's. */
    query: z.strictObject({ team: z.optional(Team) }),
    responses: { 200: otlpSpanSchemas.Trace },
    problems: ['trace_not_found'],
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const otlpDocs = () => {
  const resource = {
    attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }],
  };
  const attributes = [{ key: 'http.request.method', value: { stringValue: 'POST' } }];
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const spanId = '00f067aa0ba902b7';

  const span: otlpSpanSchemas.SpanRecord = {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: null,
    name: 'POST /orders',
    kind: 'server',
    service_name: 'shop',
    scope: null,
    start_time: '2026-11-20T10:00:00.000000000Z',
    end_time: '2026-11-20T10:00:00.012500000Z',
    duration_ms: 12.5,
    status: { code: 'unset', message: '' },
    attributes: { 'http.request.method': 'POST' },
    resource: {},
    events: [],
    links: [],
  };

  /** Protobuf is bytes: an empty body is an export of nothing. */
  const exported = (sent: unknown) => ({
    body: { 'application/json': sent, 'application/x-protobuf': '' },
    requestHeaders: {},
    answer: { 'application/json': { partialSuccess: {} }, 'application/x-protobuf': '' },
  });

  return describe(otlpEndpoints, {
    schemas: [otlpExportSchemas, { RpcStatus }, otlpSpanSchemas],
    params: { 'traces/:trace_id': { description: 'The trace.', schema: otlpSpanSchemas.TraceId } },
    operations: {
      exportMetrics: exported({
        resourceMetrics: [
          {
            resource,
            scopeMetrics: [
              {
                metrics: [
                  {
                    name: 'queue.depth',
                    unit: '1',
                    gauge: { dataPoints: [{ asInt: '3', attributes }] },
                  },
                ],
              },
            ],
          },
        ],
      }),
      exportLogs: exported({
        resourceLogs: [
          {
            resource,
            scopeLogs: [
              {
                logRecords: [
                  {
                    severityNumber: 13,
                    severityText: 'WARN',
                    body: { stringValue: 'The queue is nearly full.' },
                    attributes,
                    traceId,
                    spanId,
                  },
                ],
              },
            ],
          },
        ],
      }),
      exportTraces: exported({
        resourceSpans: [
          {
            resource,
            scopeSpans: [
              {
                spans: [
                  {
                    traceId,
                    spanId,
                    name: 'POST /orders',
                    kind: 2,
                    startTimeUnixNano: '1795168800000000000',
                    endTimeUnixNano: '1795168800012500000',
                    attributes,
                  },
                ],
              },
            ],
          },
        ],
      }),
      getTrace: {
        params: { trace_id: traceId },
        answer: { trace_id: traceId, spans: [span], total: 1 },
      },
    },
  });
};

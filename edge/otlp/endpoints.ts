import * as z from 'zod/mini';
import type { Endpoint, Endpoints } from '../contract/endpoint.ts';
import { METRIC_LIMITS } from '../monitoring/contract/metrics.ts';
import { Team } from '../contract/team.ts';
import {
  LogsExport,
  LogsExported,
  MetricsExport,
  MetricsExported,
  TracesExport,
  TracesExported,
} from './contract/export.ts';
import { Trace } from './contract/span.ts';

/** What one export may hold; its points of metrics are bounded as all metrics are. */
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

/** What exporters of OpenTelemetry send to, at the paths that OTLP/HTTP gives them. */
export const otlpEndpoints = {
  exportMetrics: {
    ...exporting,
    path: '/v1/metrics',
    summary: 'Takes metrics of OpenTelemetry (OTLP/HTTP, protobuf or JSON).',
    access: 'metrics:write',
    body: { media: ENCODINGS, schema: MetricsExport },
    answers: { 200: { media: ENCODINGS, schema: MetricsExported } },
  },
  exportLogs: {
    ...exporting,
    path: '/v1/logs',
    summary: 'Takes logs of OpenTelemetry into the log stream (OTLP/HTTP, protobuf or JSON).',
    access: 'logs:write',
    body: { media: ENCODINGS, schema: LogsExport },
    answers: { 200: { media: ENCODINGS, schema: LogsExported } },
  },
  exportTraces: {
    ...exporting,
    path: '/v1/traces',
    summary: 'Takes spans of OpenTelemetry (OTLP/HTTP, protobuf or JSON) and stores them by trace.',
    access: 'logs:write',
    body: { media: ENCODINGS, schema: TracesExport },
    answers: { 200: { media: ENCODINGS, schema: TracesExported } },
  },
  getTrace: {
    method: 'GET',
    path: '/v1/traces/:trace_id',
    summary: 'The stored spans of a trace, the earliest first.',
    access: 'logs:read',
    /** Of administrators: whose trace is meant. Everybody else's is their team's. */
    query: z.strictObject({ team: z.optional(Team) }),
    answers: { 200: Trace },
    problems: ['trace_not_found'],
  },
} as const satisfies Endpoints;

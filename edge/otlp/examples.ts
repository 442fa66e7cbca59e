import type { otlpEndpoints } from './endpoints.ts';
import type { SpanRecord } from './contract/span.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const resource = {
  attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }],
};
const attributes = [{ key: 'http.request.method', value: { stringValue: 'POST' } }];
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

const span: SpanRecord = {
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
  answers: {
    200: { 'application/json': { partialSuccess: {} }, 'application/x-protobuf': '' },
  },
});

export const otlpExamples: ExamplesOf<typeof otlpEndpoints> = {
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
    query: {},
    answers: { 200: { trace_id: traceId, spans: [span], total: 1 } },
  },
};

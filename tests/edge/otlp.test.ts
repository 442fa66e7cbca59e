import { type Attributes, SpanStatusCode } from '@opentelemetry/api';
import { OTLPLogExporter as LogsAsJson } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as LogsAsProtobuf } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as MetricsAsJson } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as MetricsAsProtobuf } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as SpansAsJson } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as SpansAsProtobuf } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import {
  AggregationTemporality,
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogList } from '../../edge/contract/logs/log-query.ts';
import { Trace } from '../../edge/contract/otlp/span.ts';
import { type Edge, problemOf, startEdge } from './harness.ts';
import { metricsOf, metricsUrl, QUICK } from './metrics-harness.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ vars: { ...QUICK.vars, RATE_LIMIT_PER_S: 1e6, RATE_LIMIT_BURST: 1e6 } });
});
afterAll(() => edge[Symbol.asyncDispose]());

const resourceOf = (name: string, more: Attributes = {}) =>
  resourceFromAttributes({ 'service.name': name, ...more });

/** Where exporters send: monitoring's own port, and the gateway. */
const PLACES = ['monitoring', 'gateway'] as const;
const FORMS = [
  ['protobuf', MetricsAsProtobuf, LogsAsProtobuf, SpansAsProtobuf],
  ['JSON', MetricsAsJson, LogsAsJson, SpansAsJson],
] as const;
const CASES = PLACES.flatMap((place) => FORMS.map((form) => [place, ...form] as const));

describe.each(CASES)(
  'an exporter of OpenTelemetry to the %s in %s',
  (place, form, Metrics, Logs, Spans) => {
    const name = `otel-${place}-${form.toLowerCase()}`;
    const to = (path: string) => ({
      url: new URL(path, edge[place]).href,
      compression: 'gzip' as never,
    });

    it.each([AggregationTemporality.CUMULATIVE, AggregationTemporality.DELTA])(
      'has its metrics taken (temporality %i)',
      async (temporalityPreference) => {
        const service = `${name}-${temporalityPreference}`;
        const exporter = new Metrics({ ...to('/v1/metrics'), temporalityPreference });
        const reader = new PeriodicExportingMetricReader({
          exporter,
          exportIntervalMillis: 3_600_000,
        });
        const provider = new MeterProvider({
          resource: resourceOf(service, { 'service.instance.id': 'one' }),
          readers: [reader],
          views: [
            {
              instrumentName: 'spread',
              aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM },
            },
          ],
        });
        const meter = provider.getMeter('test', '1.0.0');
        const done = meter.createCounter('jobs.done', { description: 'Jobs.', unit: '{job}' });
        const waiting = meter.createUpDownCounter('jobs.waiting');
        const took = meter.createHistogram('took', {
          unit: 's',
          advice: { explicitBucketBoundaries: [1, 2] },
        });
        const spread = meter.createHistogram('spread');
        meter
          .createObservableGauge('heat', { unit: 'Cel' })
          .addCallback((seen) => seen.observe(36.6));

        for (const value of [0.5, 1.5, 9]) {
          took.record(value);
          spread.record(value);
        }
        done.add(3, { kind: 'a', ok: true, sizes: [1, 2] });
        waiting.add(5);
        await provider.forceFlush();
        done.add(2, { kind: 'a', ok: true, sizes: [1, 2] });
        waiting.add(-1);
        await provider.forceFlush();
        await provider.shutdown();

        const { series } = await metricsOf(edge, service);
        expect(series.map(({ name: metric, type, last }) => [metric, type, last])).toEqual([
          ['heat_celsius', 'gauge', 36.6],
          ['jobs_done_total', 'counter', 5],
          ['jobs_waiting', 'gauge', 4],
          ['spread', 'histogram', 3],
          ['took_seconds', 'histogram', 3],
        ]);
        expect(series[1]).toMatchObject({
          help: 'Jobs.',
          labels: { kind: 'a', ok: 'true', sizes: '[1,2]', instance: 'one', service },
        });
        const text = await (await fetch(metricsUrl(edge))).text();
        expect(text).toContain(`took_seconds_bucket{instance="one",service="${service}",le="2"} 2`);
      },
    );

    it('has its logs put into the log stream', async () => {
      const provider = new LoggerProvider({
        resource: resourceOf(name, { 'host.name': 'h1' }),
        processors: [new SimpleLogRecordProcessor({ exporter: new Logs(to('/v1/logs')) })],
      });
      const at = Date.now() - 5000;

      provider.getLogger('shop').emit({
        timestamp: at,
        severityNumber: 17,
        severityText: 'ERROR',
        body: 'The order failed.',
        attributes: { order: 7, tags: ['a'] },
        eventName: 'order_failed',
      });
      await provider.forceFlush();
      await provider.shutdown();

      const found = await fetch(new URL(`/distributed_brain/logs?source=${name}`, edge.gateway));
      expect(LogList.parse(await found.json()).logs).toMatchObject([
        {
          level: 'error',
          source: name,
          event: 'order_failed',
          message: 'The order failed.',
          timestamp: new Date(at).toISOString(),
          data: {
            attributes: { order: 7, tags: ['a'] },
            resource: { 'host.name': 'h1' },
            scope: 'shop',
            severity_text: 'ERROR',
          },
        },
      ]);
    });

    it('has its spans stored by their trace', async () => {
      const provider = new TracerProvider({
        resource: resourceOf(name),
        spanProcessors: [new SimpleSpanProcessor({ exporter: new Spans(to('/v1/traces')) })],
      });
      const tracer = provider.getTracer('shop');

      const root = tracer.startSpan('POST /orders', {
        kind: 1,
        attributes: { 'http.route': '/orders' },
      });
      const { traceId, spanId } = root.spanContext();
      const child = tracer.startSpan('pay', {
        links: [{ context: root.spanContext() }],
        root: true,
      });
      child.setStatus({ code: SpanStatusCode.ERROR, message: 'no money' });
      child.addEvent('declined', { code: 51 });
      child.end();
      root.end();
      await provider.forceFlush();
      await provider.shutdown();

      const read = async (id: string) =>
        Trace.parse(await (await fetch(new URL(`/v1/traces/${id}`, edge[place]))).json());
      expect(await read(traceId)).toMatchObject({
        total: 1,
        spans: [
          {
            span_id: spanId,
            parent_span_id: null,
            name: 'POST /orders',
            kind: 'server',
            service_name: name,
            scope: 'shop',
            status: { code: 'unset' },
            attributes: { 'http.route': '/orders' },
          },
        ],
      });
      expect((await read(child.spanContext().traceId)).spans).toMatchObject([
        {
          name: 'pay',
          status: { code: 'error', message: 'no money' },
          events: [{ name: 'declined', attributes: { code: 51 } }],
          links: [{ trace_id: traceId, span_id: spanId }],
        },
      ]);
    });
  },
);

const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_TYPE = { 'content-type': 'application/json' };
const send = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
) => fetch(new URL(path, edge.monitoring), { method: 'POST', headers, body });

describe('an export', () => {
  it.each(['/v1/metrics', '/v1/logs', '/v1/traces', '/metrics'])(
    'of nothing to %s is answered in the encoding it came in',
    async (path) => {
      const packed = await send(path, new Uint8Array(), PROTOBUF);
      expect([packed.status, packed.headers.get('content-type')]).toEqual([
        200,
        'application/x-protobuf',
      ]);
      expect(await packed.bytes()).toHaveLength(0);
      const plain = path === '/metrics' ? '{"resourceMetrics":[]}' : '{}';
      const json = await send(path, plain, JSON_TYPE);
      expect([json.status, await json.json()]).toEqual([200, { partialSuccess: {} }]);
    },
  );

  it('in part is a success that says how much was not taken, and why', async () => {
    const metric = { name: 'x', gauge: { dataPoints: [{ asDouble: 1 }, {}, {}] } };
    const none = { name: 'y', gauge: { dataPoints: 7 }, sum: { dataPoints: [{}, {}] } };
    const scopeMetrics = [{ metrics: [metric, none] }];

    const answer = await send(
      '/v1/metrics',
      JSON.stringify({ resourceMetrics: [{ scopeMetrics }] }),
      JSON_TYPE,
    );

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      partialSuccess: {
        rejectedDataPoints: '4',
        errorMessage: expect.stringMatching(/dataPoints\/1: a point needs .* \(and 3 more\)$/),
      },
    });
  });

  it('in part is told in protobuf where it came so', async () => {
    // resource_logs { scope_logs { log_records { body { string_value: "U+FFFD" } } log_records { body "a" } } }
    const bad = [0x12, 0x07, 0x2a, 0x05, 0x0a, 0x03, 0xef, 0xbf, 0xbd];
    const good = [0x12, 0x05, 0x2a, 0x03, 0x0a, 0x01, 0x61];
    const scope = [...bad, ...good];
    const resource = [0x12, scope.length, ...scope];

    const answer = await send(
      '/v1/logs',
      Uint8Array.of(0x0a, resource.length, ...resource),
      PROTOBUF,
    );

    expect(answer.status).toBe(200);
    const bytes = await answer.bytes();
    // partial_success { rejected_log_records: 1, error_message: … }
    expect([bytes[0], bytes[2], bytes[3], bytes[4]]).toEqual([0x0a, 0x08, 1, 0x12]);
    expect(new TextDecoder().decode(bytes)).toContain('U+FFFD');
  });

  const deep = (depth: number): unknown =>
    depth === 0 ? { stringValue: 'x' } : { arrayValue: { values: [deep(depth - 1)] } };

  it.each([
    ['/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: deep(40) }] }] }] }, 'deep'],
    [
      '/v1/traces',
      {
        resourceSpans: [
          { scopeSpans: [{ spans: [{ traceId: '0'.repeat(32), spanId: '1'.repeat(16) }] }] },
        ],
      },
      'all zeros',
    ],
    [
      '/v1/traces',
      { resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'x', spanId: '1'.repeat(16) }] }] }] },
      '32 hexadecimal digits',
    ],
  ])('to %s of what cannot be read loses that record: %j', async (path, body, why) => {
    const answer = await send(path, JSON.stringify(body), JSON_TYPE);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      partialSuccess: { errorMessage: expect.stringContaining(why) },
    });
  });

  it.each<[string, Record<string, string>, string | Uint8Array<ArrayBuffer>, number, string]>([
    ['what is not JSON', JSON_TYPE, '{', 400, 'invalid_json'],
    ['JSON of another form', JSON_TYPE, '{"resourceLogs":1}', 400, 'validation_failed'],
    ['bytes that are no message', PROTOBUF, Uint8Array.of(0x0a, 0x7f), 400, ''],
    ['another type', { 'content-type': 'text/plain' }, 'x', 415, 'unsupported_media_type'],
    [
      'another packing',
      { ...JSON_TYPE, 'content-encoding': 'br' },
      '{}',
      415,
      'unsupported_media_type',
    ],
    [
      'bytes that are no gzip',
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      '{}',
      400,
      'body_cut_off',
    ],
    [
      'more than 5 MiB once it is unpacked',
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      new Uint8Array(gzipSync(' '.repeat(6 * 1024 * 1024))),
      413,
      'payload_too_large',
    ],
  ])('of %s is refused with google.rpc.Status', async (_, headers, body, status, code) => {
    for (const path of ['/v1/metrics', '/v1/logs', '/v1/traces'].slice(
      code === 'validation_failed' ? 1 : 0,
      code === 'validation_failed' ? 2 : 3,
    )) {
      const answer = await send(path, body, headers);

      expect(answer.status).toBe(status);
      const isProtobuf = headers === PROTOBUF;
      expect(answer.headers.get('content-type')).toBe(
        isProtobuf ? 'application/x-protobuf' : 'application/json',
      );
      const text = await answer.text();
      if (isProtobuf) expect(text).toContain('The body cannot be read as protobuf: ');
      else expect(JSON.parse(text)).toMatchObject({ code: 3, details: [{ metadata: { code } }] });
    }
  });

  it('nests in protobuf no deeper than is read', async () => {
    let value = [0x0a, 0x01, 0x78];
    const within = (tag: number) => {
      const { length } = value;
      const size = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
      value = [tag, ...size, ...value];
    };
    for (let depth = 0; depth < 40; depth++) {
      within(0x0a);
      within(0x2a);
    }
    for (const tag of [0x2a, 0x12, 0x12, 0x0a]) within(tag);

    const answer = await send('/v1/logs', Uint8Array.from(value), PROTOBUF);

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('more than 32 messages within each other');
  });

  it('of more values than are read is refused before they are', async () => {
    // 1.2 million empty messages, two bytes each.
    const body = new Uint8Array(2_400_000);
    for (let i = 0; i < body.length; i += 2) body[i] = 0x0a;

    expect((await send('/v1/metrics', body, PROTOBUF)).status).toBe(413);
  });
});

describe('a trace', () => {
  it('that nobody sent is not found, and an id that is none is told', async () => {
    const at = (id: string) => fetch(new URL(`/v1/traces/${id}`, edge.monitoring));

    expect(await problemOf(await at('1'.repeat(32)))).toMatchObject({ code: 'trace_not_found' });
    expect(await problemOf(await at('xyz'))).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'trace_id' }],
    });
  });

  it('holds a bounded number of spans, a span that came twice once', async () => {
    const traceId = 'ab'.repeat(16);
    const spans = Array.from({ length: 2001 }, (_, i) => ({
      traceId,
      spanId: (i + 1).toString(16).padStart(16, '0'),
      name: `s${i}`,
      startTimeUnixNano: String(1_795_168_800_000_000_000n + BigInt(i)),
      endTimeUnixNano: 1_795_168_800_000_500_000,
    }));
    const sendSpans = async () => {
      const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
      return (await send('/v1/traces', JSON.stringify(body), JSON_TYPE)).json();
    };

    const rejected = { partialSuccess: { rejectedSpans: '1' } };
    expect(await sendSpans()).toMatchObject(rejected);
    expect(await sendSpans()).toMatchObject(rejected);
    const answer = await fetch(new URL(`/v1/traces/${traceId}`, edge.monitoring));
    const trace = Trace.parse(await answer.json());
    expect([trace.total, trace.spans[0]?.name, trace.spans.at(-1)?.name]).toEqual([
      2000,
      's0',
      's1999',
    ]);
    expect(trace.spans[1]?.start_time).toBe('2026-11-20T10:00:00.000000001Z');
  });
});

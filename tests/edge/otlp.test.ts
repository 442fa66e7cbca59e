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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogList } from '../../edge/logs/contract/log-query.ts';
import { Trace } from '../../edge/otlp/contract/span.ts';
import { type Edge, startEdge } from './harness.ts';
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
  { form: 'protobuf', Metrics: MetricsAsProtobuf, Logs: LogsAsProtobuf, Spans: SpansAsProtobuf },
  { form: 'JSON', Metrics: MetricsAsJson, Logs: LogsAsJson, Spans: SpansAsJson },
] as const;
const CASES = PLACES.flatMap((place) => FORMS.map((form) => ({ place, ...form })));

describe.each(CASES)(
  'an exporter of OpenTelemetry to the $place in $form',
  ({ place, form, Metrics, Logs, Spans }) => {
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

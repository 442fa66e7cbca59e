import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import {
  accepted,
  iso,
  metricsOf,
  metricsUrl,
  MINUTE_MS,
  push,
  QUICK,
  sumOf,
} from './metrics-harness.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge(QUICK);
});
afterAll(() => edge[Symbol.asyncDispose]());

const pushText = (
  text: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  query = '',
) =>
  fetch(metricsUrl(edge, query), {
    method: 'POST',
    headers: { 'content-type': 'text/plain; version=0.0.4', ...headers },
    body: text,
  });

describe('metrics as JSON', () => {
  it('are taken and shown with their labels, unit and newest value', async () => {
    const gauge = {
      name: 'depth',
      type: 'gauge',
      unit: 'jobs',
      help: 'Waiting.',
      labels: { q: 'a' },
    };

    const answer = await accepted(
      push(edge, 'json', [
        { ...gauge, value: 3 },
        { ...gauge, value: 5 },
      ]),
    );

    expect(answer).toEqual({ accepted: 2, rejected: 0, errors: [] });
    const { series, total, truncated } = await metricsOf(edge, 'json');
    expect({ total, truncated }).toEqual({ total: 1, truncated: false });
    expect(series).toMatchObject([
      {
        name: 'depth',
        type: 'gauge',
        unit: 'jobs',
        help: 'Waiting.',
        labels: { q: 'a', service: 'json' },
        agg: 'avg',
        last: 5,
      },
    ]);
    expect(series[0]?.points.map(([, value]) => value)).toEqual([4]);
  });

  it('are taken or refused one by one, each refusal with its place', async () => {
    const old = iso(Date.now() - 61 * MINUTE_MS);
    const ahead = iso(Date.now() + 2 * MINUTE_MS);

    const answer = await accepted(
      push(edge, 'partly', [
        { name: 'ok', type: 'gauge', value: 1 },
        { name: 'no spaces', type: 'gauge', value: 1 },
        { name: 'x', type: 'meter', value: 1 },
        { name: 'x', type: 'counter', value: -1 },
        { name: 'x', type: 'gauge', value: 'many' },
        { name: 'x', type: 'gauge', value: 1, labels: { __name__: 'y' } },
        { name: 'x', type: 'gauge', value: 1, timestamp: old },
        { name: 'x', type: 'gauge', value: 1, timestamp: ahead },
        { name: 'ok', type: 'counter', value: 1 },
        {
          name: 'h',
          type: 'histogram',
          buckets: [
            { le: 1, count: 2 },
            { le: 2, count: 1 },
          ],
          count: 2,
        },
        null,
      ]),
    );

    expect(answer.accepted).toBe(1);
    expect(answer.rejected).toBe(10);
    expect(answer.errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()).toEqual([
      '/metrics/1/name invalid_sample',
      '/metrics/10 invalid_sample',
      '/metrics/2/type invalid_sample',
      '/metrics/3/value invalid_sample',
      '/metrics/4/value invalid_sample',
      '/metrics/5/labels/__name__ invalid_sample',
      '/metrics/6 too_old',
      '/metrics/7 in_future',
      '/metrics/8 type_conflict',
      '/metrics/9 invalid_sample',
    ]);
  });

  it('of which none can be taken are a 422', async () => {
    const problem = await problemOf(
      await push(edge, 'none', [{ name: 'x y', type: 'gauge', value: 1 }]),
    );

    expect(problem.code).toBe('validation_failed');
    expect(problem.errors).toMatchObject([{ pointer: '/metrics/0/name' }]);
  });

  it('stop at the number of series a service may have', async () => {
    const metrics = Array.from({ length: 5001 }, (_, i) => ({
      name: 'endless',
      type: 'gauge',
      value: i,
      labels: { user: `u${i}` },
    }));

    const answer = await accepted(push(edge, 'greedy', metrics));

    expect(answer.accepted).toBe(5000);
    expect(answer.errors).toMatchObject([{ code: 'too_many_series' }]);
    const { series, total, truncated } = await metricsOf(edge, 'greedy');
    expect([series.length, total, truncated]).toEqual([200, 5000, true]);
  });
});

describe('metrics as text', () => {
  it('are taken line by line', async () => {
    const text = '# TYPE t_total counter\nt_total{a="1"} 7\nbroken{ 1\nt_gauge 2\n';

    const answer = await accepted(pushText(text, {}, '?service_name=texts'));

    expect(answer).toMatchObject({ accepted: 2, rejected: 1, errors: [{ line: 3 }] });
    const { series } = await metricsOf(edge, 'texts');
    expect(series.map(({ name, last }) => [name, last])).toEqual([
      ['t_gauge', 2],
      ['t_total', 7],
    ]);
  });

  it('may be packed', async () => {
    const packed = new Uint8Array(gzipSync('packed{service="zipped"} 1\n'));

    expect((await accepted(pushText(packed, { 'content-encoding': 'gzip' }))).accepted).toBe(1);
  });
});

describe('metrics as OTLP JSON', () => {
  const nano = (at: number) => `${BigInt(at) * 1_000_000n}`;

  it('get the names Prometheus gives them', async () => {
    const timeUnixNano = nano(Date.now());
    const point = {
      timeUnixNano,
      attributes: [{ key: 'http.method', value: { stringValue: 'GET' } }],
    };
    const metrics = [
      { name: 'process.memory', unit: 'By', gauge: { dataPoints: [{ ...point, asInt: '1024' }] } },
      {
        name: 'jobs.done',
        sum: {
          aggregationTemporality: 2,
          isMonotonic: true,
          dataPoints: [{ ...point, asDouble: 4 }],
        },
      },
      {
        name: 'http.duration',
        unit: 's',
        histogram: {
          aggregationTemporality: 2,
          dataPoints: [
            { ...point, count: '6', sum: 9, bucketCounts: ['1', '2', '3'], explicitBounds: [1, 2] },
          ],
        },
      },
      {
        name: 'spread',
        exponentialHistogram: {
          aggregationTemporality: 2,
          dataPoints: [
            {
              ...point,
              count: '5',
              sum: 12,
              scale: 0,
              zeroCount: '1',
              positive: { offset: 0, bucketCounts: ['1', '3'] },
            },
          ],
        },
      },
      { name: 'wrong', gauge: { dataPoints: [{ ...point, asInt: 'x' }] } },
    ];
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'otel' } }] };

    const answer = await postJson(metricsUrl(edge), {
      resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }],
    });

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      partialSuccess: {
        rejectedDataPoints: '1',
        errorMessage: expect.stringContaining(
          '/resourceMetrics/0/scopeMetrics/0/metrics/4/gauge/dataPoints/0: ',
        ),
      },
    });
    const { series } = await metricsOf(edge, 'otel');
    expect(series.map(({ name, type, last }) => [name, type, last])).toEqual([
      ['http_duration_seconds', 'histogram', 6],
      ['jobs_done_total', 'counter', 4],
      ['process_memory_bytes', 'gauge', 1024],
      ['spread', 'histogram', 5],
    ]);
    expect(series[0]?.labels).toEqual({ http_method: 'GET', service: 'otel' });
    const text = await (await fetch(metricsUrl(edge))).text();
    expect(text).toContain(
      'http_duration_seconds_bucket{http_method="GET",service="otel",le="2"} 3',
    );
    expect(text).toContain('spread_bucket{http_method="GET",service="otel",le="4"} 5');
  });

  it('that say what came since the last export add up', async () => {
    const send = async (asInt: string) => {
      const sum = { aggregationTemporality: 1, isMonotonic: true, dataPoints: [{ asInt }] };
      const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'deltas' } }] };
      const scopeMetrics = [{ metrics: [{ name: 'seen', sum }] }];
      const answer = await postJson(metricsUrl(edge), {
        resourceMetrics: [{ resource, scopeMetrics }],
      });
      expect([answer.status, await answer.json()]).toEqual([200, { partialSuccess: {} }]);
    };

    await send('3');
    await send('4');

    const { series } = await metricsOf(edge, 'deltas', { agg: 'increase', step: '1h' });
    expect(series[0]?.last).toBe(7);
    expect(sumOf(series[0])).toBe(7);
  });
});

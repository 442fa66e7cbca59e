import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../edge/http/problem.ts';
import { admit } from '../../edge/monitoring/admission.ts';
import { parseJsonPush } from '../../edge/monitoring/json-push.ts';
import type { Distribution } from '../../edge/monitoring/distribution.ts';
import { isOtlp, parseOtlp } from '../../edge/otlp/metrics.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

/** The outcome of a body or of each of its samples. */
function outcomesOf(body: unknown): readonly string[] {
  try {
    const { samples } = isOtlp(body) ? parseOtlp(body) : parseJsonPush(body);
    return samples.map((sample) => ('value' in admit(sample, NOW) ? 'taken' : 'refused'));
  } catch (error) {
    return [error instanceof Problem ? error.code : 'fault'];
  }
}

const named = (name: unknown, service: unknown) => ({
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeMetrics: [{ metrics: [name] }],
    },
  ],
});

describe('a pushed body', () => {
  const anyJson = fc.jsonValue();
  const nearly = fc.oneof(
    fc.record({ service_name: fc.constant('a'), metrics: fc.array(anyJson) }),
    fc
      .record({
        name: fc.string(),
        type: fc.constantFrom('counter', 'gauge', 'histogram', 'summary', 'x'),
        value: anyJson,
        labels: fc.dictionary(fc.string(), fc.string()),
      })
      .map((metric) => ({ service_name: 'a', metrics: [metric] })),
    fc
      .record(
        {
          name: fc.string(),
          unit: fc.constantFrom('s', 'ms', '1', 'By', '{x}'),
          gauge: fc.record({ dataPoints: fc.array(anyJson) }),
          sum: fc.record({
            aggregationTemporality: fc.constantFrom(1, 2, 3),
            dataPoints: fc.array(
              fc.record({ asDouble: fc.double(), asInt: fc.string() }, { requiredKeys: [] }),
            ),
          }),
        },
        { requiredKeys: ['name'] },
      )
      .map((metric) => named(metric, 'svc')),
    anyJson.map((metric) => named(metric, 'svc')),
  );

  it('of any form is read or refused, never a fault', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, nearly), (body) => {
        expect(outcomesOf(body)).toEqual(expect.not.arrayContaining(['fault']));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('names from OpenTelemetry', () => {
  const dataPoints = [{ asDouble: 1 }];
  const sum = { aggregationTemporality: 2, isMonotonic: true, dataPoints };
  it.each([
    [
      { name: 'http.server.duration', unit: 'ms', gauge: { dataPoints } },
      'http_server_duration_milliseconds',
    ],
    [{ name: 'jobs', sum }, 'jobs_total'],
    [{ name: 'jobs_total', sum }, 'jobs_total'],
    [{ name: 'cpu.use', unit: '1', gauge: { dataPoints } }, 'cpu_use_ratio'],
    [{ name: 'sent', unit: 'By', sum }, 'sent_bytes_total'],
    [{ name: '2xx', gauge: { dataPoints } }, '_2xx'],
    [{ name: 'a/b c', sum: { ...sum, isMonotonic: false } }, 'a_b_c'],
  ])('%j is %s', (metric, expected) => {
    expect(parseOtlp(named(metric, 'svc')).samples.map(({ name }) => name)).toEqual([expected]);
  });

  it.each([
    [[], 'unknown_service'],
    [
      [{ key: 'service.name', value: { stringValue: 'unknown_service:node' } }],
      'unknown_service_node',
    ],
    [[{ key: 'service.name', value: { stringValue: '/my shop/' } }], 'my_shop_'],
    [[{ key: 'service.name', value: { stringValue: '...' } }], 'unknown_service'],
  ])('are those of the service in %j', (attributes, expected) => {
    const scopeMetrics = [{ metrics: [{ name: 'x', sum }] }];
    const { samples } = parseOtlp({
      resourceMetrics: [{ resource: { attributes }, scopeMetrics }],
    });
    expect(samples.map(({ service }) => service)).toEqual([expected]);
  });
});

describe('an exponential histogram', () => {
  it('keeps its counts at bounds that are powers of its base', () => {
    const point = {
      count: 10,
      sum: 0,
      scale: 1,
      zeroCount: 2,
      positive: { offset: 0, bucketCounts: [3, 1] },
      negative: { offset: 1, bucketCounts: [4] },
    };
    const exponentialHistogram = { aggregationTemporality: 2, dataPoints: [point] };

    const [sample] = parseOtlp(named({ name: 'x', exponentialHistogram }, 'svc')).samples;

    // Base 2^(1/2): bucket 0 is (1, 1.41], bucket 1 is (1.41, 2]; mirrored, (-2, -1.41].
    expect(sample?.value).toMatchObject({
      le: [-Math.SQRT2, 0, 1, Math.SQRT2, 2].map((bound) => expect.closeTo(bound, 12)),
      counts: [4, 6, 6, 9, 10],
      count: 10,
    });
  });

  it('is coarsened where it has more buckets than a histogram may have', () => {
    // As many as the SDKs send by default, on each side.
    const bucketCounts = Array.from({ length: 160 }, () => 1);
    const point = {
      count: 320,
      scale: 5,
      positive: { offset: -3, bucketCounts },
      negative: { offset: 8, bucketCounts },
    };
    const exponentialHistogram = { aggregationTemporality: 2, dataPoints: [point] };

    const { samples, refusals } = parseOtlp(named({ name: 'x', exponentialHistogram }, 'svc'));

    expect(refusals).toEqual([]);
    const value = samples[0]?.value as Distribution;
    expect(value.le.length).toBeLessThanOrEqual(160);
    // At its own scale bucket -3 begins at 2^(-3/32); two scales below, in bucket -1 from 2^(-1/8).
    expect(value.le.filter((le) => le > 0)[0]).toBeCloseTo(2 ** (-1 / 8), 12);
    expect(value.counts.at(-1)).toBe(320);
    // Up to 1 = 2^(0/8) lie all negative ones and the positive buckets -3, -2 and -1.
    expect(value.counts[value.le.findIndex((le) => Math.abs(le - 1) < 1e-12)]).toBe(163);
  });
});

import * as fc from 'fast-check';
import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { type Exposed, exposition } from '../../edge/monitoring/exposition.ts';
import { parsePrometheusText } from '../../edge/monitoring/prometheus-text.ts';
import type { Sample } from '../../edge/monitoring/sample.ts';
import { anySeries } from './any-series.ts';

const parse = (text: string, service: string | undefined = 'svc', isOpenMetrics = false) =>
  parsePrometheusText(text, { service, isOpenMetrics });

const valuesOf = (text: string) => parse(text).samples.map(({ value }) => value);

/** A parsed sample without its position. */
const told = ({ service, name, type, unit, help, labels, at, value }: Sample | Exposed) => ({
  service,
  name,
  type,
  unit,
  help,
  labels: Object.entries(labels).toSorted(),
  at,
  value,
});

describe('a line of Prometheus text', () => {
  it('is refused by itself, up to 10,000 of them: then the rest is not read', () => {
    expect(parse('2\n'.repeat(10_000)).refusals).toHaveLength(10_000);
    expect(() => parse('2\n'.repeat(10_001))).toThrow(
      'more than 10000 of the first 10001 lines are wrong',
    );
  });

  it.each([
    ['x 1', 1],
    ['x -1.5e3', -1500],
    ['x +Inf', Infinity],
    ['x -Inf', -Infinity],
    ['x NaN', NaN],
    ['x .5', 0.5],
    ['\t x\t 7 \r', 7],
    ['x{} 2', 2],
    ['x{a="1",} 3', 3],
    ['x {a="1"} 3 1700000000000', 3],
  ])('%j is read', (line, value) => {
    expect(valuesOf(line)).toEqual([value]);
  });

  it('undoes the escapes of a label', () => {
    const [sample] = parse('x{path="C:\\\\DIR\\\\",error="not \\"found\\"\\nat all"} 1').samples;

    expect(sample?.labels).toEqual({ path: 'C:\\DIR\\', error: 'not "found"\nat all' });
  });

  // Each is one mistake; the line after it must still be taken.
  it.each([
    ['1x 1', 'the name of a metric'],
    ['x', 'a value'],
    ['x one', 'a number as the value'],
    ['x 1 2 3', 'the end of the line'],
    ['x 1 soon', 'a number as the timestamp'],
    ['x{a=1} 1', 'double quotes'],
    ['x{a="1" b="2"} 1', ', or }'],
    ['x{a="1",a="2"} 1', 'occurs twice'],
    ['x{a="1} 1', 'double quotes'],
    ['x{1a="1"} 1', 'the name of a label'],
    ['# TYPE x meter', 'no metric type'],
    [`x{a="${'y'.repeat(70_000)}"} 1`, 'more than 65536'],
  ])('is refused with a reason and its number: %.30j', (line, reason) => {
    const { samples, refusals } = parse(`${line}\nok 1\n`);

    expect(refusals).toEqual([
      { line: 1, code: 'invalid_syntax', detail: expect.stringContaining(reason) },
    ]);
    expect(samples).toHaveLength(1);
  });

  it('without a service is refused unless a label names one', () => {
    const text = 'a 1\nb{job="worker"} 2\n';

    const { samples, refusals } = parsePrometheusText(text, {
      service: undefined,
      isOpenMetrics: false,
    });

    expect(samples.map(({ service, name }) => [service, name])).toEqual([['worker', 'b']]);
    expect(refusals).toMatchObject([{ line: 1, code: 'no_service' }]);
  });
});

describe('a text', () => {
  it('that the format document shows is read whole', () => {
    // The example of https://prometheus.io/docs/instrumenting/exposition_formats/.
    const { samples, refusals } = parse(FORMAT_EXAMPLE);

    expect(refusals).toEqual([]);
    expect(samples.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'http_requests_total counter',
      'http_requests_total counter',
      'msdos_file_access_time_seconds untyped',
      'metric_without_timestamp_and_labels untyped',
      'something_weird untyped',
      'http_request_duration_seconds histogram',
      'rpc_duration_seconds summary',
    ]);
    expect(samples[5]?.value).toEqual({
      le: [0.05, 0.1, 0.2, 0.5, 1],
      counts: [24054, 33444, 100392, 129389, 133988],
      count: 144320,
      sum: 53423,
    });
  });

  it('of OpenMetrics ends at # EOF, counts seconds and may have exemplars', () => {
    const text = `# TYPE jobs counter
# UNIT jobs jobs
jobs_total{kind="a"} 5 1700000000.5 # {trace_id="abc"} 1 1700000000
jobs_created{kind="a"} 1600000000
# EOF
junk after the end`;

    const { samples, refusals } = parse(text, 'svc', true);

    expect(refusals).toEqual([]);
    expect(samples).toMatchObject([
      { name: 'jobs_total', type: 'counter', unit: 'jobs', at: 1700000000500, value: 5 },
    ]);
  });

  it.each([
    [
      'buckets that shrink',
      '# TYPE h histogram\nh_bucket{le="1"} 5\nh_bucket{le="2"} 4\nh_count 5',
    ],
    ['no count', '# TYPE h histogram\nh_bucket{le="1"} 5\nh_sum 1'],
    ['a count that contradicts', '# TYPE h histogram\nh_bucket{le="+Inf"} 5\nh_count 6'],
    ['a bound that is no number', '# TYPE h histogram\nh_bucket{le="high"} 5\nh_count 6'],
    ['no sum', '# TYPE s summary\ns_count 5'],
    ['a quantile above 1', '# TYPE s summary\ns{quantile="2"} 1\ns_sum 1\ns_count 5'],
  ])('with a distribution that has %s loses that one only', (_, text) => {
    const { samples, refusals } = parse(`${text}\nok 1`);

    expect(samples.map(({ name }) => name)).toEqual(['ok']);
    expect(refusals).toMatchObject([{ code: 'invalid_sample', line: 2 }]);
  });

  it('with any bytes is read without an error', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom(
            'x',
            '{',
            '}',
            '"',
            '\\',
            '\n',
            ' ',
            ',',
            '=',
            '1',
            '# TYPE ',
            'histogram',
          ),
        )
        .map((parts) => parts.join('')),
    );

    fc.assert(
      fc.property(anyText, fc.boolean(), (text, isOpenMetrics) => {
        const { samples, refusals } = parse(text, 'svc', isOpenMetrics);
        expect(samples.length + refusals.length).toBeLessThanOrEqual(text.split('\n').length);
      }),
    );
  });

  it('that we write is read back the same', () => {
    fc.assert(
      fc.property(anySeries(), (series) => {
        const { samples, refusals } = parse(exposition(series));
        expect(refusals).toEqual([]);
        expect(samples.map(told).toSorted(byName)).toEqual(series.map(told).toSorted(byName));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the exposition', () => {
  const common = { unit: null, help: 'Help.' } as const;
  const of = (service: string) => ({ ...common, service, labels: { service } });
  const le = [1];
  const spread = { le, counts: [2], count: 3, sum: 4 };

  it('shows both types of a name that services use differently', () => {
    const text = exposition([
      { ...of('a'), name: 'x', type: 'gauge', value: 1 },
      { ...of('b'), name: 'x', type: 'counter', value: 2 },
    ]);

    expect(text).toBe('# HELP x Help.\n# TYPE x untyped\nx{service="a"} 1\nx{service="b"} 2\n');
  });

  it.each<[string, Exposed[]]>([
    [
      'another type',
      [
        { ...of('a'), name: 'x', type: 'histogram', value: spread },
        { ...of('b'), name: 'x', type: 'gauge', value: 1 },
      ],
    ],
    [
      'the name of its parts',
      [
        { ...of('a'), name: 'x', type: 'histogram', value: spread },
        { ...of('a'), name: 'x_count', type: 'histogram', value: spread },
        { ...of('a'), name: 'x_count_sum', type: 'counter', value: 7 },
        { ...of('a'), name: 'x_sum', type: 'gauge', value: 9 },
      ],
    ],
  ])('shows a histogram beside %s so that no name and no series stands twice', (_, series) => {
    const { samples, refusals } = parse(exposition(series));

    expect(refusals).toEqual([]);
    const lines = samples.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
    expect(lines).toHaveLength(new Set(lines).size);
    const text = exposition(series);
    const heads = text.match(/^# TYPE .*$/gm) ?? [];
    const names = heads.map((head) => head.split(' ')[2]);
    expect(names).toHaveLength(new Set(names).size);
    for (const [name, others] of Map.groupBy(heads, (head) => head.split(' ')[2] ?? '')) {
      const isDistribution = others.some((head) => head.endsWith('histogram'));
      expect(isDistribution && names.includes(`${name}_count`), text).toBe(false);
    }
    expect(text).toContain('x_bucket{service="a",le="1"} 2\n');
  });
});

describe('what prom-client writes', () => {
  it.each(['prometheus', 'openmetrics'] as const)('is read whole as %s text', async (format) => {
    const { samples, refusals } = parse(
      await promClientText(format),
      'svc',
      format === 'openmetrics',
    );

    expect(refusals).toEqual([]);
    expect(samples.map(({ name, type }) => `${name} ${type}`).toSorted()).toEqual(
      [
        'app_jobs_total counter',
        'app_job_seconds histogram',
        'app_queue_depth gauge',
        'app_rpc_seconds summary',
      ].toSorted(),
    );
    expect(samples.find(({ type }) => type === 'counter')).toMatchObject({
      value: 3,
      labels: { kind: 'lm "quoted"\n' },
      help: 'Jobs done.',
    });
    expect(samples.find(({ type }) => type === 'histogram')?.value).toEqual({
      le: [0.1, 1],
      counts: [1, 2],
      count: 3,
      sum: 5.55,
    });
  });
});

async function promClientText(format: 'prometheus' | 'openmetrics'): Promise<string> {
  const registry = new Registry();
  if (format === 'openmetrics') {
    (registry as { setContentType(type: string): void }).setContentType(
      Registry.OPENMETRICS_CONTENT_TYPE,
    );
  }
  const registers = [registry];
  const name = format === 'openmetrics' ? 'app_jobs' : 'app_jobs_total';
  const jobs = new Counter({ name, help: 'Jobs done.', labelNames: ['kind'], registers });
  jobs.inc({ kind: 'lm "quoted"\n' }, 3);
  new Gauge({ name: 'app_queue_depth', help: 'Waiting.', registers }).set(-1.5);
  const seconds = new Histogram({
    name: 'app_job_seconds',
    help: 'Time of a job.',
    buckets: [0.1, 1],
    registers,
  });
  for (const value of [0.05, 0.5, 5]) seconds.observe(value);
  new Summary({ name: 'app_rpc_seconds', help: 'Calls.', registers }).observe(2);
  return registry.metrics();
}

const byName = (a: { name: string; labels: unknown }, b: { name: string; labels: unknown }) =>
  JSON.stringify([a.name, a.labels]) < JSON.stringify([b.name, b.labels]) ? -1 : 1;

const FORMAT_EXAMPLE = `# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="0.1"} 33444
http_request_duration_seconds_bucket{le="0.2"} 100392
http_request_duration_seconds_bucket{le="0.5"} 129389
http_request_duration_seconds_bucket{le="1"} 133988
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320

# Finally a summary, which has a complex representation, too:
# HELP rpc_duration_seconds A summary of the RPC duration in seconds.
# TYPE rpc_duration_seconds summary
rpc_duration_seconds{quantile="0.01"} 3102
rpc_duration_seconds{quantile="0.05"} 3272
rpc_duration_seconds{quantile="0.5"} 4773
rpc_duration_seconds{quantile="0.9"} 9001
rpc_duration_seconds{quantile="0.99"} 76656
rpc_duration_seconds_sum 1.7560473e+07
rpc_duration_seconds_count 2693
`;

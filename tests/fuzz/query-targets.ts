import { otlpSeeds } from './otlp-seeds.ts';
import { parseBody, parseQuery } from '../../edge/contract/parse.ts';
import { type Endpoint, isSchema } from '../../edge/contract/endpoint.ts';
import { compilePattern } from '../../edge/alerts/contract/alert-regex.ts';
import { parseMatcher } from '../../edge/alerts/contract/alert-matcher.ts';
import { bytesOfBase64 } from '../../edge/contract/base64.ts';
import { InferenceRequest } from '../../edge/inference/contract/open-inference.ts';
import { extractCauses } from '../../edge/causal/extract.ts';
import { jsonOf } from '../../edge/http/body.ts';
import { termsOf } from '../../edge/memory/text-index.ts';
import { readExpr } from '../../edge/alerts/condition-promql.ts';
import { fillTemplate } from '../../edge/alerts/labels.ts';
import { parseJsonPush } from '../../edge/monitoring/json-push.ts';
import { parsePrometheusText } from '../../edge/monitoring/prometheus-text.ts';
import { SERVICE_NAMES, SERVICES } from '../../edge/api-description/services.ts';
import { parseLogs } from '../../edge/otlp/logs.ts';
import { EXPORTS, type Signal } from '../../edge/otlp/messages.ts';
import { parseOtlp } from '../../edge/otlp/metrics.ts';
import { readMessage } from '../../edge/otlp/protobuf.ts';
import { parseSpans } from '../../edge/otlp/spans.ts';
import { PromqlError } from '../../edge/promql/limits.ts';
import { parsePromql } from '../../edge/promql/parse.ts';
import { requestsOf } from '../../compute/inference/open-inference-tensors.ts';
import { createLineReader } from '../../compute/cli/reading-lines.ts';
import { parseManifest } from '../../compute/plugins/manifest.ts';
import { EngineError } from '../../engine/errors.ts';
import { isProblem } from './wire-targets.ts';
import { jsons, type Target, textOf, texts } from './target.ts';

interface Example {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Every endpoint of every service under `service/name`, with its example. */
const endpoints = new Map<string, { readonly endpoint: Endpoint; readonly example: Example }>(
  SERVICE_NAMES.flatMap((service) =>
    SERVICES[service].tables.flatMap(({ endpoints: table, operations }) =>
      Object.entries(table as Readonly<Record<string, Endpoint>>).map(([name, endpoint]) => {
        const example = (operations as Readonly<Record<string, Example>>)[name] ?? {};
        return [`${service}/${name}`, { endpoint, example }] as const;
      }),
    ),
  ),
);

/** A body or a query with the name of the endpoint that it goes to. */
interface Addressed {
  readonly to?: unknown;
  readonly body?: unknown;
  readonly query?: unknown;
}

function readBody(bytes: Uint8Array): unknown {
  const { to, body } = Object(jsonOf(bytes)) as Addressed;
  const schema = endpoints.get(String(to))?.endpoint.body;
  return schema && isSchema(schema) ? parseBody(schema, body) : undefined;
}

function readQuery(bytes: Uint8Array): unknown {
  const { to, query } = Object(jsonOf(bytes)) as Addressed;
  const { query: schema, lists = [] } = endpoints.get(String(to))?.endpoint ?? {};
  if (!schema) return undefined;
  const pairs = Object.entries(Object(query)).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one): [string, string] => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
  const url = new URL(`http://localhost/?${new URLSearchParams(pairs)}`);
  return parseQuery(schema, url, lists);
}

const all = [...endpoints];
const bodies = all
  .filter(([, { endpoint, example }]) => endpoint.body && isSchema(endpoint.body) && example.body)
  .map(([to, { example }]) => ({ to, body: example.body }));
const queries = all
  .filter(([, { endpoint }]) => endpoint.query)
  .map(([to, { example }]) => ({ to, query: { ...example.query } }));

const SENTENCES = [
  'The server crashed because the disk was full. As a result, the job was lost, which led to a delay.',
  '大雨が降ったため、電車が遅れた。その結果、会議は中止になった。',
];

/** Readers of what a request says once it is text or a value. */
export const queryTargets: readonly Target[] = [
  {
    name: 'bodies',
    form: 'json',
    seeds: () => jsons(...bodies),
    read: readBody,
    isRefusal: isProblem,
  },
  {
    name: 'queries',
    form: 'json',
    seeds: () => jsons(...queries),
    read: readQuery,
    isRefusal: isProblem,
  },
  {
    name: 'PromQL',
    seeds: () =>
      texts(
        'sum by (service) (rate(http_requests_total{status=~"5.."}[5m])) > 1',
        'histogram_quantile(0.99, sum(rate(d_bucket[1h30m] offset 5m)) by (le)) / -2 ^ 3 * on(a) group_left(b) x',
        'avg_over_time(up{a!~"b|c"}[1h]) unless vector(1) or topk(3, x) # end',
      ),
    read: (bytes) => parsePromql(textOf(bytes)),
    isRefusal: (error) => error instanceof PromqlError,
  },
  {
    name: 'alert expressions',
    seeds: () =>
      texts(
        'sum by (service) (rate(http_requests_total{status="5xx"}[5m])) > 1',
        'avg by (a) (avg_over_time(up{a=~"b|c.*"}[1h])) / avg by (a) (avg_over_time(x[1h])) <= 0.5',
        'absent_over_time(heartbeat[10m]) == 1',
      ),
    // As long as a rule may have it.
    read: (bytes) => readExpr(textOf(bytes).slice(0, 2048)),
    isRefusal: (error) => error instanceof SyntaxError || isProblem(error) || isZod(error),
  },
  {
    name: 'patterns',
    seeds: () => texts('(a|b)*c{2,3}[^x-z\\d]+.?', '(?:foo|bar(?:baz)?)+', '5..', '(((a+)+)+)+$'),
    read(bytes) {
      const source = textOf(bytes).slice(0, 512);
      return compilePattern(source).matches('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'.repeat(16));
    },
    isRefusal: (error) => error instanceof SyntaxError,
  },
  {
    name: 'matchers and templates',
    seeds: () =>
      texts('name="va\\"lue"', 'status=~"5.."', '{{ $labels.service }} is {{ $value | humanize }}'),
    read(bytes) {
      const text = textOf(bytes).slice(0, 2048);
      return [parseMatcher(text), fillTemplate(text, { service: text }, 1.5)];
    },
    isRefusal: () => false,
  },
  {
    name: 'Prometheus text',
    seeds: () =>
      texts(
        '# HELP a help\n# TYPE a counter\na{b="c\\n"} 1 1700000000000\na_total 2\n# TYPE h histogram\n' +
          'h_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 2\n# EOF\n',
      ),
    read: (bytes) =>
      [true, false].map((isOpenMetrics) =>
        parsePrometheusText(textOf(bytes), { service: 'fuzz', isOpenMetrics }),
      ),
    isRefusal: isProblem,
  },
  {
    name: 'OTLP',
    seeds: otlpSeeds,
    read(bytes) {
      const signal = (['metrics', 'logs', 'traces'] as const)[(bytes[0] ?? 0) % 3] as Signal;
      const body = readMessage(EXPORTS[signal], bytes.subarray(1));
      if (signal === 'metrics') return parseOtlp(body);
      return signal === 'logs' ? parseLogs(body, 1.7e12) : parseSpans(body);
    },
    isRefusal: isProblem,
  },
  {
    name: 'pushed metrics',
    form: 'json',
    seeds: () =>
      jsons({
        service_name: 'fuzz',
        timestamp: '2026-01-01T00:00:00Z',
        metrics: [
          { name: 'requests_total', type: 'counter', value: 3, labels: { a: 'b' }, help: 'x' },
          { name: 'temperature', type: 'gauge', value: -1.5, unit: 'celsius' },
          {
            ...{ name: 'seconds', type: 'histogram', sum: 3, count: 2 },
            buckets: [
              { le: 1, count: 1 },
              { le: '+Inf', count: 2 },
            ],
          },
        ],
      }),
    read: (bytes) => parseJsonPush(jsonOf(bytes)),
    isRefusal: isProblem,
  },
  {
    name: 'tensors',
    form: 'json',
    seeds: () =>
      jsons(
        { inputs: [{ name: 'text', datatype: 'BYTES', shape: [2], data: ['a', 'b'] }] },
        {
          inputs: [
            {
              name: 'image',
              datatype: 'UINT8',
              shape: [1, 2, 2],
              data: [
                [
                  [1, 2],
                  [3, 4],
                ],
              ],
            },
          ],
          outputs: [{ name: 'label' }],
          parameters: { max_length: 5, timeout_ms: 100 },
        },
        {
          inputs: [
            {
              ...{ name: 'audio', datatype: 'FP32', shape: [1, 4], data: [0, 0.5, -0.5, 0] },
              parameters: { sample_rate_hz: 8000 },
            },
          ],
        },
      ),
    read(bytes) {
      const request = parseBody(InferenceRequest, jsonOf(bytes));
      const image = { channels: 1, height: 2, width: 2 } as const;
      const audio = { sampleRateHz: 8000 };
      return requestsOf(request, { modelId: 'm' } as never, { image, audio } as never);
    },
    isRefusal: isProblem,
  },
  {
    name: 'base64',
    seeds: () => texts('aGVsbG8=', 'aGVsbA==', 'aGVsbG8h'),
    read: (bytes) => bytesOfBase64(textOf(bytes), '/inputs/image'),
    isRefusal: isProblem,
  },
  {
    name: 'causes',
    seeds: () => texts(...SENTENCES),
    read: (bytes) => [
      extractCauses(textOf(bytes).slice(0, 20_000)),
      termsOf(textOf(bytes).slice(0, 1000)),
    ],
    isRefusal: () => false,
  },
  {
    name: 'readings',
    seeds: () =>
      texts(
        'at,value\n2026-01-01T00:00:00Z,1.5\n2026-01-01T00:00:01Z,"2"\n',
        '1\n2e3\n# x\n\n-0.5\n',
      ),
    read(bytes) {
      const read = createLineReader();
      for (const line of textOf(bytes).split('\n')) read(line);
    },
    isRefusal: isProblem,
  },
  {
    name: 'plugin manifest',
    form: 'json',
    seeds: () =>
      jsons({
        ...{
          name: 'BurstMonitorPlugin',
          type: 'MONITORING',
          version: '1.0.0',
          description: 'Counts.',
        },
        ...{ engine: '^0.1.0', entry: 'plugin.ts', permissions: [], sha256: 'a'.repeat(64) },
        dependencies: { SpikeTrainStatisticsPlugin: '^1.0.0' },
      }),
    read: (bytes) => parseManifest(textOf(bytes)),
    isRefusal: (error) => error instanceof EngineError,
  },
];

/** Whether the error is a schema's own refusal. */
const isZod = (error: unknown) => error instanceof Error && error.name.includes('Zod');

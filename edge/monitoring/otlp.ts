import * as z from 'zod/mini';
import type { MetricRefusal, MetricType } from '../contract/metrics.ts';
import { parseBody } from '../contract/parse.ts';
import { exponentialOf, histogramOf, summaryOf } from './otlp-points.ts';
import {
  type AnyValue,
  type Attributes,
  ExponentialPoint,
  ExportRequest,
  HistogramPoint,
  Metric,
  NumberPoint,
  SummaryPoint,
} from './otlp-schema.ts';
import type { Labels } from './labels.ts';
import { type Parsed, type Place, refusal, type Sample, type Value } from './sample.ts';

/** Whether a JSON body is an export of OpenTelemetry. */
export const isOtlp = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'resourceMetrics' in body;

/**
 * Reads OTLP JSON. Names and units become what Prometheus calls them, as OpenTelemetry's own
 * translation does: `http.server.duration` in `ms` is `http_server_duration_milliseconds`.
 *
 * @throws Problem validation_failed where it is no export at all
 */
export function parseOtlp(body: unknown): Parsed {
  const samples: Sample[] = [];
  const refusals: MetricRefusal[] = [];
  for (const [i, { resource, scopeMetrics }] of parseBody(
    ExportRequest,
    body,
  ).resourceMetrics.entries()) {
    const attributes = new Map(labelPairs(resource.attributes));
    const service = attributes.get('service_name');
    const instance = attributes.get('service_instance_id');
    const own: Labels = instance === undefined ? {} : { instance };
    for (const [j, { metrics }] of scopeMetrics.entries()) {
      for (const [k, metric] of metrics.entries()) {
        const pointer = `/resourceMetrics/${i}/scopeMetrics/${j}/metrics/${k}`;
        const read = readMetric(metric, { pointer, service, own });
        samples.push(...read.samples);
        refusals.push(...read.refusals);
      }
    }
  }
  return { samples, refusals };
}

interface Context {
  readonly pointer: string;
  readonly service: string | undefined;
  readonly own: Labels;
}

function readMetric(input: unknown, { pointer, service, own }: Context): Parsed {
  const place = { pointer };
  const parsed = z.safeParse(Metric, input);
  if (!parsed.success) return refused('invalid_sample', place, z.prettifyError(parsed.error));
  if (service === undefined) {
    return refused('no_service', place, 'the resource has no attribute service.name');
  }
  const data = dataOf(parsed.data);
  if (!data)
    return refused('invalid_sample', place, `${parsed.data.name} holds no kind of data we know`);
  const described = {
    service,
    name: prometheusName(parsed.data, data.type),
    type: data.type,
    unit: parsed.data.unit || null,
    help: parsed.data.description.slice(0, 1024) || null,
    temporality: data.temporality,
  };
  const samples: Sample[] = [];
  const refusals: MetricRefusal[] = [];
  for (const [i, point] of data.points.entries()) {
    const at = { pointer: `${pointer}/${data.field}/dataPoints/${i}` };
    const read = data.read(point);
    if (typeof read === 'string') refusals.push(refusal('invalid_sample', at, read));
    else if (read) {
      const labels = { ...Object.fromEntries(labelPairs(read.attributes)), ...own };
      samples.push({ ...described, labels, at: read.at, value: read.value, place: at });
    }
  }
  return { samples, refusals };
}

const refused = (code: MetricRefusal['code'], place: Place, detail: string): Parsed => ({
  samples: [],
  refusals: [refusal(code, place, detail)],
});

/** A point's value; undefined for one that says nothing was recorded, a text for one that is wrong. */
type ReadPoint = (
  point: unknown,
) =>
  | { readonly value: Value; readonly at: number | undefined; readonly attributes: Attributes }
  | string
  | undefined;

interface Data {
  readonly field: string;
  readonly type: MetricType;
  readonly temporality: Sample['temporality'];
  readonly points: readonly unknown[];
  readonly read: ReadPoint;
}

function dataOf({
  gauge,
  sum,
  histogram,
  exponentialHistogram,
  summary,
}: Metric): Data | undefined {
  if (gauge) return data('gauge', 'gauge', gauge, reading(NumberPoint, numberOf));
  if (sum)
    return data('sum', sum.isMonotonic ? 'counter' : 'gauge', sum, reading(NumberPoint, numberOf));
  if (histogram)
    return data('histogram', 'histogram', histogram, reading(HistogramPoint, histogramOf));
  if (exponentialHistogram) {
    const read = reading(ExponentialPoint, exponentialOf);
    return data('exponentialHistogram', 'histogram', exponentialHistogram, read);
  }
  return summary && data('summary', 'summary', summary, reading(SummaryPoint, summaryOf));
}

interface Points {
  readonly dataPoints: readonly unknown[];
  readonly aggregationTemporality?: Sample['temporality'];
}

const data = (field: string, type: MetricType, points: Points, read: ReadPoint): Data => ({
  field,
  type,
  temporality: points.aggregationTemporality ?? 'cumulative',
  points: points.dataPoints,
  read,
});

/** Bit 0 of the flags: the series ended, no value was recorded. */
const NO_RECORDED_VALUE = 1;

interface AnyPoint {
  readonly flags: number;
  readonly timeUnixNano?: number | undefined;
  readonly attributes: Attributes;
}

function reading<P extends AnyPoint>(
  schema: z.ZodMiniType<P>,
  valueOf: (point: P) => Value | string,
): ReadPoint {
  return (input) => {
    const parsed = z.safeParse(schema, input);
    if (!parsed.success) return z.prettifyError(parsed.error);
    const { flags, timeUnixNano, attributes } = parsed.data;
    if ((flags & NO_RECORDED_VALUE) !== 0) return undefined;
    const value = valueOf(parsed.data);
    if (typeof value === 'string') return value;
    const at = timeUnixNano ? Math.round(timeUnixNano / 1e6) : undefined;
    return { value, at, attributes };
  };
}

const numberOf = ({ asDouble, asInt }: NumberPoint): number | string =>
  asDouble ?? asInt ?? 'a point needs asDouble or asInt';

function labelPairs(attributes: Attributes): readonly (readonly [string, string])[] {
  return attributes.map(({ key, value }) => [labelName(key), textOf(value)] as const);
}

/** Another program may use any text as a key; two underscores in front are ours to keep free. */
function labelName(key: string): string {
  const plain = key.replace(/[^a-zA-Z0-9_]/g, '_').replace(/^_+/, '_');
  return /^\d/.test(plain) ? `key_${plain}` : plain;
}

const textOf = ({ stringValue, boolValue, intValue, doubleValue, ...other }: AnyValue): string =>
  stringValue ?? String(boolValue ?? intValue ?? doubleValue ?? JSON.stringify(other));

const UNITS: Readonly<Record<string, string>> = {
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
  min: 'minutes',
  h: 'hours',
  d: 'days',
  By: 'bytes',
  KiBy: 'kibibytes',
  MiBy: 'mebibytes',
  GiBy: 'gibibytes',
  W: 'watts',
  J: 'joules',
  V: 'volts',
  A: 'amperes',
  Hz: 'hertz',
  Cel: 'celsius',
  '%': 'percent',
};

function prometheusName({ name, unit }: Metric, type: MetricType): string {
  const plain = name
    .replace(/[^a-zA-Z0-9_:]+/g, '_')
    .replace(/_+$/, '')
    .replace(/^(?=\d)/, '_');
  const ratio = unit === '1' && type === 'gauge' ? 'ratio' : undefined;
  const suffixes = [ratio ?? UNITS[unit], type === 'counter' ? 'total' : undefined];
  return suffixes.reduce<string>(
    (whole, suffix) => (suffix && !whole.endsWith(`_${suffix}`) ? `${whole}_${suffix}` : whole),
    plain,
  );
}

import * as z from 'zod/mini';
import {
  METRIC_LIMITS,
  type MetricRefusal,
  type MetricType,
} from '../monitoring/contract/metrics.ts';
import { MetricsExport, type OtlpAttributes } from './contract/export.ts';
import { parseBody } from '../contract/parse.ts';
import { Problem } from '../http/problem.ts';
import {
  type Labels,
  type Parsed,
  refusal,
  type Sample,
  type Value,
} from '../monitoring/sample.ts';
import { exponentialOf, histogramOf, summaryOf } from './points.ts';
import { ExponentialPoint, HistogramPoint, Metric, NumberPoint, SummaryPoint } from './schema.ts';
import { attributeOf, serviceOf, textOf } from './values.ts';

/** Whether a JSON body is an export of OpenTelemetry. */
export const isOtlp = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'resourceMetrics' in body;

/**
 * Reads an export of metrics. Names and units become what Prometheus calls them, as OpenTelemetry's own
 * translation does: `http.server.duration` in `ms` is `http_server_duration_milliseconds`.
 *
 * @throws Problem validation_failed where it is no export at all, payload_too_large
 */
export function parseOtlp(body: unknown): Parsed {
  const samples: Sample[] = [];
  const refusals: MetricRefusal[] = [];
  for (const [i, { resource, scopeMetrics }] of parseBody(
    MetricsExport,
    body,
  ).resourceMetrics.entries()) {
    const service = serviceOf(resource.attributes);
    const instance = attributeOf(resource.attributes, 'service.instance.id');
    const own: Labels = instance === undefined ? {} : { instance };
    for (const [j, { metrics }] of scopeMetrics.entries()) {
      for (const [k, metric] of metrics.entries()) {
        const pointer = `/resourceMetrics/${i}/scopeMetrics/${j}/metrics/${k}`;
        const read = readMetric(metric, { pointer, service, own });
        for (const sample of read.samples) samples.push(sample);
        for (const refused of read.refusals) refusals.push(refused);
        if (samples.length + refusals.length > METRIC_LIMITS.samplesPerPush) throw tooMany();
      }
    }
  }
  return { samples, refusals };
}

interface Context {
  readonly pointer: string;
  readonly service: string;
  readonly own: Labels;
}

const tooMany = () =>
  new Problem(
    'payload_too_large',
    `The body holds more than ${METRIC_LIMITS.samplesPerPush} points.`,
  );

function readMetric(input: unknown, { pointer, service, own }: Context): Parsed {
  const parsed = z.safeParse(Metric, input);
  const data = parsed.success ? dataOf(parsed.data) : undefined;
  if (!parsed.success || !data) {
    const detail = parsed.success
      ? `${parsed.data.name} has no known kind of data`
      : z.prettifyError(parsed.error);
    const one = refusal('invalid_sample', { pointer }, detail);
    // The response to a sender counts refused points, not metrics.
    return { samples: [], refusals: Array.from({ length: pointsIn(input) }, () => one) };
  }
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
    const place = { pointer: `${pointer}/${data.field}/dataPoints/${i}` };
    const read = data.read(point);
    if (typeof read === 'string') refusals.push(refusal('invalid_sample', place, read));
    else if (read) {
      const { labels, at, value } = read;
      samples.push({ ...described, labels: { ...labels, ...own }, at, value, place });
    }
  }
  return { samples, refusals };
}

/** The number of points of a metric of whatever form, at least one. */
function pointsIn(input: unknown): number {
  const held = Object.values(input ?? {}).map((member: unknown) =>
    typeof member === 'object' && member !== null && 'dataPoints' in member
      ? member.dataPoints
      : undefined,
  );
  const points = held.find(Array.isArray);
  return Math.min(Math.max(points?.length ?? 1, 1), METRIC_LIMITS.samplesPerPush + 1);
}

/** The value of a point; undefined where it recorded none, a text where it is invalid. */
type ReadPoint = (
  point: unknown,
) =>
  | { readonly value: Value; readonly at: number | undefined; readonly labels: Labels }
  | string
  | undefined;

interface Data {
  readonly field: string;
  readonly type: MetricType;
  readonly temporality: Sample['temporality'];
  readonly points: readonly unknown[];
  readonly read: ReadPoint;
}

function dataOf(metric: Metric): Data | undefined {
  const { gauge, sum, histogram, exponentialHistogram, summary } = metric;
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
  readonly attributes: OtlpAttributes;
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
    return readable(() => ({ value, at, labels: Object.fromEntries(labelPairs(attributes)) }));
  };
}

/** The result, or why it cannot be read: values of attributes may nest without bound. */
export function readable<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

const numberOf = ({ asDouble, asInt }: NumberPoint): number | string =>
  asDouble ?? asInt ?? 'a point needs asDouble or asInt';

function labelPairs(attributes: OtlpAttributes): readonly (readonly [string, string])[] {
  return attributes.map(({ key, value }) => [labelName(key), textOf(value)] as const);
}

/** Other programs may use any text as a key; a leading double underscore is reserved. */
function labelName(key: string): string {
  const plain = key.replace(/[^a-zA-Z0-9_]/g, '_').replace(/^_+/, '_');
  return /^\d/.test(plain) ? `key_${plain}` : plain;
}

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

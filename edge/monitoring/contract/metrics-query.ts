import * as z from 'zod/mini';
import { LabelName, MetricName, MetricService, MetricType } from './metrics.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { says } from '../../contract/schema-rules.ts';

/**
 * How the samples of a step become one point. `rate` and `increase` apply to totals, across restarts;
 * `p50` to `p99` are estimated from histogram buckets; `count` counts observations.
 */
export const Aggregation = z.enum([
  'avg',
  'min',
  'max',
  'sum',
  'last',
  'rate',
  'increase',
  'p50',
  'p90',
  'p95',
  'p99',
  'count',
]);
export type Aggregation = z.infer<typeof Aggregation>;

/** Limits of one response. */
export const QUERY_LIMITS = { points: 1500, series: 200, allPoints: 100_000 } as const;

const UNITS_S = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
type Unit = keyof typeof UNITS_S;
const isUnit = (text: string): text is Unit => text in UNITS_S;

/** Seconds, as a number or with a unit: `15`, `30s`, `5m`, `1h`, `1d`. */
export const Duration = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,7}[smhd]?$/, 'expected a duration such as 15s, 5m or 1h')),
  z.transform((text) => {
    const unit = text.at(-1) ?? '';
    return isUnit(unit) ? Number(text.slice(0, -1)) * UNITS_S[unit] : Number(text);
  }),
);

const isIsoMoment = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text));
const isEpoch = (text: string) => /^\d{1,11}(\.\d{1,3})?$/.test(text);

/** Accepts both forms, except days that not every month has. */
const MOMENT =
  /^(?:\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)|\d{1,11}(?:\.\d{1,3})?)$/;

/** A moment in a query, ISO 8601 with its zone or seconds since 1970; parsed to milliseconds. */
export const Moment = z.pipe(
  z.string().check(
    says(
      { pattern: MOMENT },
      z.refine(
        (text) => isIsoMoment(text) || isEpoch(text),
        'expected an ISO 8601 time such as 2026-11-20T10:00:00Z, or seconds since 1970',
      ),
    ),
  ),
  z.transform((text) => (isEpoch(text) ? Number(text) * 1000 : Date.parse(text))),
);

/** `key:value`: only series with this label. */
const LabelFilter = z.pipe(
  z
    .string()
    .check(
      z.maxLength(1200),
      z.regex(/^(?!__)[a-zA-Z_][a-zA-Z0-9_]*:[^]*$/, 'expected "label:value"'),
    ),
  z.transform((text) => {
    const colon = text.indexOf(':');
    return [text.slice(0, colon), text.slice(colon + 1)] as const;
  }),
);

/**
 * The query of `GET /metrics/{service}`, as strings. Left out, it is the last hour in steps of a
 * minute, all metrics, each by what suits its type: counters by `rate`, gauges by `avg`,
 * histograms and summaries by `p95`.
 */
export const MetricsQuery = z.strictObject({
  from: z.optional(Moment),
  to: z.optional(Moment),
  step: z.optional(Duration),
  name: z.optional(MetricName),
  agg: z.optional(Aggregation),
  /** May be repeated; all must hold. */
  label: z.prefault(z.array(LabelFilter).check(z.maxLength(8)), []),
});
export type MetricsQuery = z.output<typeof MetricsQuery>;

/** Seconds since 1970 at the start of a step, and its value; null where it is no finite number. */
export const MetricPoint = z.tuple([z.number(), z.nullable(z.number())]);
export type MetricPoint = z.infer<typeof MetricPoint>;

export const MetricSeries = z.object({
  name: MetricName,
  type: MetricType,
  unit: z.nullable(z.string()),
  help: z.nullable(z.string()),
  labels: z.record(LabelName, z.string()),
  /** The aggregation of its points. */
  agg: Aggregation,
  /** In the order of time; a step without samples has no point. */
  points: z.array(MetricPoint),
  /** The latest value as reported; for histograms and summaries the number of observations. */
  last: z.nullable(z.number()),
  last_at: z.nullable(Timestamp),
});
export type MetricSeries = z.infer<typeof MetricSeries>;

/** The response of `GET /metrics/{service}`. */
export const ServiceMetrics = z.object({
  service_name: MetricService,
  from: Timestamp,
  to: Timestamp,
  /** The step used: coarser than requested where only rollups remain of the range. */
  step_s: z.number(),
  series: z.array(MetricSeries),
  /** The number of series; those beyond `QUERY_LIMITS` are left out. */
  total: z.int(),
  truncated: z.boolean(),
});
export type ServiceMetrics = z.infer<typeof ServiceMetrics>;

import * as z from 'zod/mini';
import { TimestampInput } from '../../contract/timestamp.ts';
import { says } from '../../contract/schema-rules.ts';

/** The type of a metric; `untyped` is for texts that do not declare one. */
export const MetricType = z.enum(['counter', 'gauge', 'histogram', 'summary', 'untyped']);
export type MetricType = z.infer<typeof MetricType>;

/** The reporting service; wider than the name of a registered service, as other programs report too. */
export const MetricService = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
      'expected up to 128 letters, digits, dots, dashes and underscores',
    ),
  );

export const MetricName = z
  .string()
  .check(
    z.maxLength(200),
    z.regex(/^[a-zA-Z_:][a-zA-Z0-9_:]*$/, 'expected letters, digits, _ and :, no digit first'),
  );

/** Names that start with two underscores are reserved. */
export const LabelName = z
  .string()
  .check(
    z.maxLength(128),
    z.regex(
      /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/,
      'expected letters, digits and _, not __ or a digit first',
    ),
  );

/** Limits of samples, and of services. */
export const METRIC_LIMITS = {
  bodyBytes: 5 * 1024 * 1024,
  samplesPerPush: 50_000,
  labelsPerSeries: 32,
  labelValueChars: 1024,
  bucketsPerHistogram: 160,
  quantilesPerSummary: 32,
  seriesPerService: 5000,
  series: 20_000,
  /** The maximum age of a sample, as rollups are computed from the raw samples of an hour. */
  oldestS: 3600,
  /** The tolerance for clocks that run ahead. */
  aheadS: 60,
} as const;

export const MetricLabels = z
  .record(LabelName, z.string().check(z.maxLength(METRIC_LIMITS.labelValueChars)))
  .check(
    says(
      { maxProperties: METRIC_LIMITS.labelsPerSeries },
      z.refine(
        (labels) => Object.keys(labels).length <= METRIC_LIMITS.labelsPerSeries,
        `expected at most ${METRIC_LIMITS.labelsPerSeries} labels`,
      ),
    ),
  );

const Count = z.number().check(z.nonnegative());

/** An upper bound of a bucket; `+Inf` is the bucket of everything. */
const UpperBound = z.union([z.number(), z.literal('+Inf')]);

/** The number of observations of at most `le`: cumulative, as in Prometheus. */
export const MetricBucket = z.strictObject({ le: UpperBound, count: Count });

const Quantile = z.strictObject({
  quantile: z.number().check(z.minimum(0), z.maximum(1)),
  value: z.nullable(z.number()),
});

const described = {
  name: MetricName,
  labels: z.optional(MetricLabels),
  unit: z.optional(z.string().check(z.maxLength(64))),
  help: z.optional(z.string().check(z.maxLength(1024))),
  timestamp: z.optional(TimestampInput),
};

/**
 * One measurement. Counters, histograms and summaries are totals since the program started; a total that
 * decreases indicates a restart.
 */
export const MetricInput = z.discriminatedUnion('type', [
  z.strictObject({ ...described, type: z.literal('counter'), value: Count }),
  z.strictObject({ ...described, type: z.enum(['gauge', 'untyped']), value: z.number() }),
  z.strictObject({
    ...described,
    type: z.literal('histogram'),
    buckets: z
      .array(MetricBucket)
      .check(z.minLength(1), z.maxLength(METRIC_LIMITS.bucketsPerHistogram)),
    sum: z.optional(z.number()),
    count: z.optional(Count),
  }),
  z.strictObject({
    ...described,
    type: z.literal('summary'),
    quantiles: z.optional(z.array(Quantile).check(z.maxLength(METRIC_LIMITS.quantilesPerSummary))),
    sum: z.number(),
    count: Count,
  }),
]);
export type MetricInput = z.input<typeof MetricInput>;

/** The JSON body of `POST /metrics`. A metric of another form is refused by itself, not the rest. */
export const MetricsPush = z.strictObject({
  service_name: MetricService,
  /** The time of all metrics; by default that of arrival. */
  timestamp: z.optional(TimestampInput),
  metrics: z.array(MetricInput).check(z.maxLength(METRIC_LIMITS.samplesPerPush)),
});
export type MetricsPush = z.input<typeof MetricsPush>;

/** One sample that was refused: where it stood (a JSON pointer or a line of a text) and why. */
export const MetricRefusal = z.object({
  pointer: z.optional(z.string()),
  line: z.optional(z.int()),
  code: z.enum([
    'invalid_syntax',
    'invalid_sample',
    'no_service',
    'type_conflict',
    'too_old',
    'in_future',
    'too_many_labels',
    'too_many_series',
  ]),
  detail: z.string(),
});
export type MetricRefusal = z.infer<typeof MetricRefusal>;

/** The response of `POST /metrics`; it lists the first hundred refusals. */
export const MetricsAccepted = z.object({
  accepted: z.int(),
  rejected: z.int(),
  errors: z.array(MetricRefusal),
});
export type MetricsAccepted = z.infer<typeof MetricsAccepted>;

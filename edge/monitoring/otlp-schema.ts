import * as z from 'zod/mini';

// OTLP as JSON (opentelemetry-proto, metrics/v1): 64-bit integers come as texts, enumerations as
// numbers, and names that are not known are ignored.

const Integer = z.pipe(
  z.union([z.int(), z.string().check(z.regex(/^-?\d{1,20}$/, 'expected a whole number'))]),
  z.transform(Number),
);

/** JSON has no word for these; the protocol writes them as texts. */
const Double = z.pipe(
  z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]),
  z.transform(Number),
);

const AnyValue = z.looseObject({
  stringValue: z.optional(z.string()),
  boolValue: z.optional(z.boolean()),
  intValue: z.optional(Integer),
  doubleValue: z.optional(Double),
});
export type AnyValue = z.output<typeof AnyValue>;

export const Attributes = z.array(z.looseObject({ key: z.string(), value: AnyValue }));
export type Attributes = z.output<typeof Attributes>;

const point = {
  attributes: z.prefault(Attributes, []),
  startTimeUnixNano: z.optional(Integer),
  timeUnixNano: z.optional(Integer),
  flags: z.prefault(z.int(), 0),
};

export const NumberPoint = z.looseObject({
  ...point,
  asDouble: z.optional(Double),
  asInt: z.optional(Integer),
});
export type NumberPoint = z.output<typeof NumberPoint>;

export const HistogramPoint = z.looseObject({
  ...point,
  count: Integer,
  sum: z.optional(Double),
  bucketCounts: z.prefault(z.array(Integer), []),
  explicitBounds: z.prefault(z.array(Double), []),
});
export type HistogramPoint = z.output<typeof HistogramPoint>;

const Buckets = z.looseObject({
  offset: z.prefault(z.int(), 0),
  bucketCounts: z.prefault(z.array(Integer), []),
});
export type ExponentialBuckets = z.output<typeof Buckets>;

export const ExponentialPoint = z.looseObject({
  ...point,
  count: Integer,
  sum: z.optional(Double),
  scale: z.int().check(z.minimum(-10), z.maximum(20)),
  zeroCount: z.prefault(Integer, 0),
  zeroThreshold: z.prefault(Double, 0),
  positive: z.optional(Buckets),
  negative: z.optional(Buckets),
});
export type ExponentialPoint = z.output<typeof ExponentialPoint>;

export const SummaryPoint = z.looseObject({
  ...point,
  count: Integer,
  sum: Double,
  quantileValues: z.prefault(z.array(z.looseObject({ quantile: z.number(), value: Double })), []),
});
export type SummaryPoint = z.output<typeof SummaryPoint>;

/** 1 is delta, 2 is cumulative; by name where a sender writes names. */
const Temporality = z.pipe(
  z.union([
    z.literal([1, 2]),
    z.enum(['AGGREGATION_TEMPORALITY_DELTA', 'AGGREGATION_TEMPORALITY_CUMULATIVE']),
  ]),
  z.transform((told) =>
    told === 1 || told === 'AGGREGATION_TEMPORALITY_DELTA' ? 'delta' : 'cumulative',
  ),
);

const points = { dataPoints: z.prefault(z.array(z.unknown()), []) };

export const Metric = z.looseObject({
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  description: z.prefault(z.string(), ''),
  unit: z.prefault(z.string(), ''),
  gauge: z.optional(z.looseObject(points)),
  sum: z.optional(
    z.looseObject({
      ...points,
      aggregationTemporality: Temporality,
      isMonotonic: z.prefault(z.boolean(), false),
    }),
  ),
  histogram: z.optional(z.looseObject({ ...points, aggregationTemporality: Temporality })),
  exponentialHistogram: z.optional(
    z.looseObject({ ...points, aggregationTemporality: Temporality }),
  ),
  summary: z.optional(z.looseObject(points)),
});
export type Metric = z.output<typeof Metric>;

export const ExportRequest = z.looseObject({
  resourceMetrics: z.array(
    z.looseObject({
      resource: z.prefault(z.looseObject({ attributes: z.prefault(Attributes, []) }), {}),
      scopeMetrics: z.prefault(
        z.array(z.looseObject({ metrics: z.prefault(z.array(z.unknown()), []) })),
        [],
      ),
    }),
  ),
});

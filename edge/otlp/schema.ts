import * as z from 'zod/mini';
import { OtlpAttributes } from './contract/export.ts';

// OTLP as JSON (opentelemetry-proto 1.x), which protobuf is decoded into as well: 64-bit integers are
// strings, enumerations are numbers, defaults may be left out, and unknown fields are ignored.

const Integer = z.pipe(
  z.union([
    // Not all of them can be held exactly, and senders may write numbers all the same.
    z.number().check(z.refine(Number.isInteger, 'expected a whole number')),
    z.string().check(z.regex(/^-?\d{1,20}$/, 'expected a whole number')),
  ]),
  z.transform(Number),
);

/** JSON has no word for these; the protocol writes them as texts. */
const Double = z.pipe(
  z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]),
  z.transform(Number),
);

const point = {
  attributes: z.prefault(OtlpAttributes, []),
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
  count: z.prefault(Integer, 0),
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
  count: z.prefault(Integer, 0),
  sum: z.optional(Double),
  scale: z.prefault(z.int().check(z.minimum(-10), z.maximum(20)), 0),
  zeroCount: z.prefault(Integer, 0),
  zeroThreshold: z.prefault(Double, 0),
  positive: z.optional(Buckets),
  negative: z.optional(Buckets),
});
export type ExponentialPoint = z.output<typeof ExponentialPoint>;

export const SummaryPoint = z.looseObject({
  ...point,
  count: z.prefault(Integer, 0),
  sum: z.prefault(Double, 0),
  quantileValues: z.prefault(
    z.array(z.looseObject({ quantile: z.prefault(z.number(), 0), value: z.prefault(Double, 0) })),
    [],
  ),
});
export type SummaryPoint = z.output<typeof SummaryPoint>;

/** 1 is delta, 2 is cumulative; by name where a sender writes names. */
const Temporality = z.pipe(
  z.union([
    z.literal([1, 2]),
    z.enum(['AGGREGATION_TEMPORALITY_DELTA', 'AGGREGATION_TEMPORALITY_CUMULATIVE']),
  ]),
  z.transform((temporality) =>
    temporality === 1 || temporality === 'AGGREGATION_TEMPORALITY_DELTA' ? 'delta' : 'cumulative',
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

/** In hexadecimal; an id of zeros only is none. */
const id = (digits: number) =>
  z.pipe(
    z
      .string()
      .check(
        z.regex(new RegExp(`^([0-9a-fA-F]{${digits}})?$`), `expected ${digits} hexadecimal digits`),
      ),
    z.transform((text) => (/^0*$/.test(text) ? undefined : text.toLowerCase())),
  );
const TraceId = id(32);
const SpanId = id(16);

export const LogRecord = z.looseObject({
  timeUnixNano: z.prefault(Integer, 0),
  observedTimeUnixNano: z.prefault(Integer, 0),
  severityNumber: z.prefault(z.int(), 0),
  severityText: z.prefault(z.string(), ''),
  body: z.optional(z.unknown()),
  attributes: z.prefault(OtlpAttributes, []),
  traceId: z.prefault(TraceId, ''),
  spanId: z.prefault(SpanId, ''),
  eventName: z.prefault(z.string(), ''),
});
export type LogRecord = z.output<typeof LogRecord>;

/** Nanoseconds since 1970, which no number holds exactly. */
const Nanoseconds = z.pipe(
  z.union([
    z.number().check(z.nonnegative(), z.refine(Number.isInteger, 'expected a whole number')),
    z.string().check(z.regex(/^\d{1,20}$/, 'expected a whole number')),
  ]),
  z.transform((text) => BigInt(text)),
);

export const Span = z.looseObject({
  traceId: TraceId,
  spanId: SpanId,
  parentSpanId: z.prefault(SpanId, ''),
  name: z.prefault(z.string().check(z.maxLength(1024)), ''),
  kind: z.prefault(z.int(), 0),
  startTimeUnixNano: z.prefault(Nanoseconds, 0),
  endTimeUnixNano: z.prefault(Nanoseconds, 0),
  attributes: z.prefault(OtlpAttributes, []),
  events: z.prefault(
    z.array(
      z.looseObject({
        timeUnixNano: z.prefault(Nanoseconds, 0),
        name: z.prefault(z.string(), ''),
        attributes: z.prefault(OtlpAttributes, []),
      }),
    ),
    [],
  ),
  links: z.prefault(
    z.array(
      z.looseObject({
        traceId: TraceId,
        spanId: SpanId,
        attributes: z.prefault(OtlpAttributes, []),
      }),
    ),
    [],
  ),
  status: z.prefault(
    z.looseObject({ code: z.prefault(z.int(), 0), message: z.prefault(z.string(), '') }),
    {},
  ),
});
export type Span = z.output<typeof Span>;

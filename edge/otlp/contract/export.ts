import * as z from 'zod/mini';

// The envelopes of OTLP as JSON; what has its default may be left out, and names that are not known are
// ignored. The records in them are read one by one: see edge/otlp/schema.ts.

/** Names and values; what a value may be is read value by value, as they hold each other. */
export const OtlpAttributes = z.array(
  z.looseObject({ key: z.prefault(z.string(), ''), value: z.unknown() }),
);
export type OtlpAttributes = z.output<typeof OtlpAttributes>;

const resource = z.prefault(z.looseObject({ attributes: z.prefault(OtlpAttributes, []) }), {});

/**
 * The envelope of a metrics export, which is refused as a whole; points are accepted or refused one by
 * one.
 */
export const MetricsExport = z.looseObject({
  resourceMetrics: z.prefault(
    z.array(
      z.looseObject({
        resource,
        scopeMetrics: z.prefault(
          z.array(z.looseObject({ metrics: z.prefault(z.array(z.unknown()), []) })),
          [],
        ),
      }),
    ),
    [],
  ),
});

const scope = z.optional(z.looseObject({ name: z.optional(z.string()) }));

/** The envelope of a logs export; records are accepted or refused one by one. */
export const LogsExport = z.looseObject({
  resourceLogs: z.prefault(
    z.array(
      z.looseObject({
        resource,
        scopeLogs: z.prefault(
          z.array(z.looseObject({ scope, logRecords: z.prefault(z.array(z.unknown()), []) })),
          [],
        ),
      }),
    ),
    [],
  ),
});

/** The same of spans. */
export const TracesExport = z.looseObject({
  resourceSpans: z.prefault(
    z.array(
      z.looseObject({
        resource,
        scopeSpans: z.prefault(
          z.array(z.looseObject({ scope, spans: z.prefault(z.array(z.unknown()), []) })),
          [],
        ),
      }),
    ),
    [],
  ),
});

/** A 64-bit integer is a text in this JSON. */
const number = z.optional(z.string().check(z.regex(/^[0-9]+$/)));
const errorMessage = z.optional(z.string());

/** The number of refused records and the first reason; empty where all were accepted. */
export const MetricsExported = z.object({
  partialSuccess: z.object({ rejectedDataPoints: number, errorMessage }),
});
export const LogsExported = z.object({
  partialSuccess: z.object({ rejectedLogRecords: number, errorMessage }),
});
export const TracesExported = z.object({
  partialSuccess: z.object({ rejectedSpans: number, errorMessage }),
});

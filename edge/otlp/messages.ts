import { field, list, type Message } from './protobuf.ts';

// The messages of opentelemetry-proto 1.x that are read, by the numbers of their fields.

const ANY_VALUE: Message = {
  1: field('stringValue', 'string'),
  2: field('boolValue', 'bool'),
  3: field('intValue', 'int64'),
  4: field('doubleValue', 'double'),
  5: field('arrayValue', () => ({ 1: list('values', () => ANY_VALUE) })),
  6: field('kvlistValue', () => ({ 1: list('values', () => KEY_VALUE) })),
  7: field('bytesValue', 'base64'),
};
const KEY_VALUE: Message = { 1: field('key', 'string'), 2: field('value', () => ANY_VALUE) };
const attributes = list('attributes', () => KEY_VALUE);
const RESOURCE: Message = { 1: attributes };
const SCOPE: Message = { 1: field('name', 'string'), 2: field('version', 'string') };

/** The common shape of the three exports: resources, their scopes, and the records of those. */
const exportOf = (signal: string, records: string, record: () => Message): Message => {
  const scope: Message = { 1: field('scope', () => SCOPE), 2: list(records, record) };
  const resource: Message = {
    1: field('resource', () => RESOURCE),
    2: list(`scope${signal}`, () => scope),
  };
  return { 1: list(`resource${signal}`, () => resource) };
};

const times = {
  2: field('startTimeUnixNano', 'fixed64'),
  3: field('timeUnixNano', 'fixed64'),
} as const;

const NUMBER_POINT: Message = {
  ...times,
  4: field('asDouble', 'double'),
  6: field('asInt', 'sfixed64'),
  7: attributes,
  8: field('flags', 'uint32'),
};
const HISTOGRAM_POINT: Message = {
  ...times,
  4: field('count', 'fixed64'),
  5: field('sum', 'double'),
  6: list('bucketCounts', 'fixed64'),
  7: list('explicitBounds', 'double'),
  9: attributes,
  10: field('flags', 'uint32'),
};
const BUCKETS: Message = { 1: field('offset', 'sint32'), 2: list('bucketCounts', 'uint64') };
const EXPONENTIAL_POINT: Message = {
  ...times,
  1: attributes,
  4: field('count', 'fixed64'),
  5: field('sum', 'double'),
  6: field('scale', 'sint32'),
  7: field('zeroCount', 'fixed64'),
  8: field('positive', () => BUCKETS),
  9: field('negative', () => BUCKETS),
  10: field('flags', 'uint32'),
  14: field('zeroThreshold', 'double'),
};
const QUANTILE: Message = { 1: field('quantile', 'double'), 2: field('value', 'double') };
const SUMMARY_POINT: Message = {
  ...times,
  4: field('count', 'fixed64'),
  5: field('sum', 'double'),
  6: list('quantileValues', () => QUANTILE),
  7: attributes,
  8: field('flags', 'uint32'),
};

const points = (point: Message): Message => ({
  1: list('dataPoints', () => point),
  2: field('aggregationTemporality', 'int32'),
  3: field('isMonotonic', 'bool'),
});
const METRIC: Message = {
  1: field('name', 'string'),
  2: field('description', 'string'),
  3: field('unit', 'string'),
  5: field('gauge', () => points(NUMBER_POINT)),
  7: field('sum', () => points(NUMBER_POINT)),
  9: field('histogram', () => points(HISTOGRAM_POINT)),
  10: field('exponentialHistogram', () => points(EXPONENTIAL_POINT)),
  11: field('summary', () => points(SUMMARY_POINT)),
};

const LOG_RECORD: Message = {
  1: field('timeUnixNano', 'fixed64'),
  2: field('severityNumber', 'int32'),
  3: field('severityText', 'string'),
  5: field('body', () => ANY_VALUE),
  6: attributes,
  9: field('traceId', 'hex'),
  10: field('spanId', 'hex'),
  11: field('observedTimeUnixNano', 'fixed64'),
  12: field('eventName', 'string'),
};

const SPAN_EVENT: Message = {
  1: field('timeUnixNano', 'fixed64'),
  2: field('name', 'string'),
  3: attributes,
};
const SPAN_LINK: Message = {
  1: field('traceId', 'hex'),
  2: field('spanId', 'hex'),
  4: attributes,
};
const SPAN: Message = {
  1: field('traceId', 'hex'),
  2: field('spanId', 'hex'),
  4: field('parentSpanId', 'hex'),
  5: field('name', 'string'),
  6: field('kind', 'int32'),
  7: field('startTimeUnixNano', 'fixed64'),
  8: field('endTimeUnixNano', 'fixed64'),
  9: attributes,
  11: list('events', () => SPAN_EVENT),
  13: list('links', () => SPAN_LINK),
  15: field('status', () => ({ 2: field('message', 'string'), 3: field('code', 'int32') })),
};

/** The body of each of the three exports. */
export const EXPORTS = {
  metrics: exportOf('Metrics', 'metrics', () => METRIC),
  logs: exportOf('Logs', 'logRecords', () => LOG_RECORD),
  traces: exportOf('Spans', 'spans', () => SPAN),
} as const;
export type Signal = keyof typeof EXPORTS;

import * as z from 'zod/mini';
import {
  METRIC_LIMITS,
  MetricInput,
  type MetricRefusal,
  MetricService,
} from './contract/metrics.ts';
import { TimestampInput } from '../contract/timestamp.ts';
import { parseBody } from '../contract/parse.ts';
import { distributionOf } from './distribution.ts';
import { type Parsed, refusal, type Sample, type Value } from './sample.ts';

/** `MetricsPush` without its metrics, which are looked at one by one. */
const Envelope = z.strictObject({
  service_name: MetricService,
  timestamp: z.optional(TimestampInput),
  metrics: z.array(z.unknown()).check(z.maxLength(METRIC_LIMITS.samplesPerPush)),
});

/** Reads the platform's own JSON. @throws Problem validation_failed where the envelope is malformed */
export function parseJsonPush(body: unknown): Parsed {
  const { service_name: service, timestamp, metrics } = parseBody(Envelope, body);
  const samples: Sample[] = [];
  const refusals: MetricRefusal[] = [];
  for (const [i, metric] of metrics.entries()) {
    const read = readMetric(metric, { service, timestamp, pointer: `/metrics/${i}` });
    if ('code' in read) refusals.push(read);
    else samples.push(read);
  }
  return { samples, refusals };
}

interface Context {
  readonly service: string;
  readonly timestamp: string | undefined;
  readonly pointer: string;
}

function readMetric(metric: unknown, context: Context): Sample | MetricRefusal {
  const { service, pointer } = context;
  const parsed = z.safeParse(MetricInput, metric, { reportInput: true });
  if (!parsed.success) return refusalOf(parsed.error.issues[0], pointer);
  const place = { pointer };
  const value = valueOf(parsed.data);
  if (typeof value === 'string') return refusal('invalid_sample', place, value);
  const { name, type, labels = {}, unit = null, help = null } = parsed.data;
  const at = timeOf(parsed.data.timestamp ?? context.timestamp);
  return { service, name, type, labels, unit, help, at, value, temporality: 'cumulative', place };
}

const timeOf = (timestamp: string | undefined): number | undefined =>
  timestamp === undefined ? undefined : Date.parse(timestamp);

function refusalOf(issue: z.core.$ZodIssue | undefined, pointer: string): MetricRefusal {
  const path = (issue?.path ?? []).map((part) => `/${String(part)}`).join('');
  const got = JSON.stringify(issue?.input)?.slice(0, 80);
  const detail = `${issue?.message ?? 'not valid'}${got === undefined ? '' : ` (got ${got})`}`;
  return refusal('invalid_sample', { pointer: pointer + path }, detail);
}

function valueOf(metric: z.output<typeof MetricInput>): Value | string {
  if (metric.type === 'histogram') {
    const buckets = metric.buckets.map(({ le, count }) => ({
      le: le === '+Inf' ? Infinity : le,
      count,
    }));
    return distributionOf({ buckets, sum: metric.sum, count: metric.count });
  }
  if (metric.type !== 'summary') return metric.value;
  const { quantiles = [], sum, count } = metric;
  const pairs = quantiles.map(({ quantile, value }) => [quantile, value ?? NaN] as const);
  return distributionOf({ buckets: [], quantiles: pairs, sum, count });
}

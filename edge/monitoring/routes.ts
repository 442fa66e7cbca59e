import { METRIC_LIMITS, type MetricRefusal, MetricService } from './contract/metrics.ts';
import { QUERY_LIMITS } from './contract/metrics-query.ts';
import { monitoringEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import {
  chunksOf,
  jsonOf,
  mediaTypeOf,
  readBytes,
  textOf,
  unpacked,
  unsupported,
} from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { PROTOBUF_TYPE } from '../http/rpc-status.ts';
import { AGGREGATIONS } from './aggregate.ts';
import { EXPOSITION_TYPE } from './exposition.ts';
import { parseJsonPush } from './json-push.ts';
import { labelledFor, monitoringOf } from './monitoring-stub.ts';
import { isOtlp } from '../otlp/metrics.ts';
import { parsePrometheusText } from './prometheus-text.ts';
import type { Parsed } from './sample.ts';
import { getDashboard } from '../gateway/overview.ts';
import { exportMetrics, metricsOverloaded, readExport } from '../otlp/routes.ts';

type Endpoints = typeof monitoringEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The points of a range where no step is given. */
const USUAL_POINTS = 240;
/** Refusals that a response lists. */
const NAMED_REFUSALS = 100;

/** /metrics: what services measure. */
export const metricRoutes = routesOf<Env, Endpoints>(monitoringEndpoints, {
  pushMetrics,
  exposeMetrics,
  getServiceMetrics,
  getDashboard,
});

/** Exporters of OpenTelemetry are answered in their own form, all others in ours. */
async function pushMetrics(call: Handled<'pushMetrics'>): Promise<Response | Pushed> {
  const { request } = call;
  const type = mediaTypeOf(request.headers);
  if (type === PROTOBUF_TYPE) return exportMetrics(call, await readExport(request, 'metrics'));
  const isOpenMetrics = type === 'application/openmetrics-text';
  if (type !== 'application/json' && !isOpenMetrics && type !== 'text/plain') {
    throw unsupported(
      type,
      `application/json, ${PROTOBUF_TYPE}, text/plain, application/openmetrics-text`,
    );
  }
  const bytes = await readBytes(chunksOf(unpacked(request)), METRIC_LIMITS.bodyBytes);
  if (type !== 'application/json') {
    const service = call.query.service_name;
    return record(call, parsePrometheusText(readText(bytes), { service, isOpenMetrics }));
  }
  const body = jsonOf(bytes);
  return isOtlp(body) ? exportMetrics(call, body) : record(call, parseJsonPush(body));
}

type Pushed = Awaited<Reply<'pushMetrics'>>;

async function record(
  { env, caller }: Pick<Handled<'pushMetrics'>, 'env' | 'caller'>,
  { samples, refusals }: Parsed,
): Promise<Pushed> {
  const result = await monitoringOf(env).recordDurably(labelledFor(caller, samples));
  if (result.kind === 'overloaded') throw metricsOverloaded();
  const errors = [...refusals, ...result.refusals];
  if (result.accepted === 0 && errors.length > 0) throw nothingTaken(errors);
  const named = errors.slice(0, NAMED_REFUSALS);
  return {
    status: 202,
    body: { accepted: result.accepted, rejected: errors.length, errors: named },
  };
}

function readText(bytes: Uint8Array): string {
  try {
    return textOf(bytes);
  } catch {
    throw new Problem('validation_failed', 'The text is not UTF-8.');
  }
}

function nothingTaken(errors: readonly MetricRefusal[]): Problem {
  const items = errors.slice(0, NAMED_REFUSALS).map(({ pointer, line, code, detail }) => ({
    ...(pointer !== undefined && { pointer }),
    code,
    detail: line === undefined ? detail : `line ${line}: ${detail}`,
  }));
  const [first] = items;
  const detail = `None of the metrics was accepted; the first: ${first?.detail ?? ''}`;
  return new Problem('validation_failed', detail, { errors: items });
}

async function exposeMetrics({ env }: Handled<'exposeMetrics'>): Promise<Response> {
  const text = await monitoringOf(env).exposition();
  return new Response(text, { headers: { 'content-type': EXPOSITION_TYPE } });
}

async function getServiceMetrics(call: Handled<'getServiceMetrics'>): Reply<'getServiceMetrics'> {
  const { params, query, env } = call;
  const { service } = params;
  const { name, agg, label } = query;
  const range = rangeOf(query);
  const monitoring = monitoringOf(env);
  if (name !== undefined && agg !== undefined) {
    const [type] = await monitoring.typesOf(name, service);
    refuseUnsuited(name, agg, type);
  }
  const isName = MetricService.safeParse(service).success;
  const found = isName
    ? await monitoring.series({ service, name, agg, labels: label, ...range })
    : undefined;
  if (found?.kind !== 'found') {
    throw new Problem(
      'service_not_found',
      `No service ${JSON.stringify(service)} reported metrics.`,
    );
  }
  const { series, total, stepMs } = found;
  const body = {
    service_name: service,
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    step_s: stepMs / 1000,
    series: [...series],
    total,
    truncated: series.length < total,
  };
  return { status: 200, body };
}

function rangeOf({ from, to, step }: Handled<'getServiceMetrics'>['query']) {
  const now = Date.now();
  const end = to ?? now;
  const start = from ?? end - HOUR_MS;
  if (start >= end || start < 0) {
    const [first, last] = [start, end].map((at) => new Date(at).toISOString());
    throw invalid('from', `expected a time before ${last}, got ${first}`);
  }
  const usualMs = Math.ceil((end - start) / USUAL_POINTS / MINUTE_MS) * MINUTE_MS;
  const stepMs = step === undefined ? usualMs : step * 1000;
  if ((end - start) / stepMs > QUERY_LIMITS.points) {
    const least = Math.ceil((end - start) / QUERY_LIMITS.points / 1000);
    const detail = `expected at least ${least}s for at most ${QUERY_LIMITS.points} points, got ${stepMs / 1000}s`;
    throw invalid('step', detail);
  }
  return { from: start, to: end, stepMs, now };
}

function refuseUnsuited(
  name: string,
  agg: NonNullable<Handled<'getServiceMetrics'>['query']['agg']>,
  type: keyof typeof AGGREGATIONS | undefined,
): void {
  if (type === undefined || AGGREGATIONS[type].includes(agg)) return;
  throw invalid(
    'agg',
    `expected one of ${AGGREGATIONS[type].join(', ')}, as ${name} is a ${type}, got ${agg}`,
  );
}

const invalid = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}`, {
    errors: [{ parameter, code: 'invalid_value', detail }],
  });

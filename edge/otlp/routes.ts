import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Env } from '../env.ts';
import { chunksOf, jsonOf, mediaTypeOf, readBytes, unpacked, unsupported } from '../http/body.ts';
import { holderOf, namedTeam, teamOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { PROTOBUF_TYPE } from '../http/rpc-status.ts';
import { LOG_LIMITS } from '../logs/contract/log-message.ts';
import { logsOf } from '../logs/log-stub.ts';
import { labelledFor, monitoringOf } from '../monitoring/monitoring-stub.ts';
import { MAIN, type Remote } from '../storage/remote.ts';
import { TraceId } from './contract/span.ts';
import { OTLP_LIMITS, otlpEndpoints } from './endpoints.ts';
import { parseLogs } from './logs.ts';
import { EXPORTS, type Signal } from './messages.ts';
import { parseOtlp } from './metrics.ts';
import type { Traces } from './object.ts';
import { readMessage, writeText } from './protobuf.ts';
import { parseSpans } from './spans.ts';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

type Endpoints = typeof otlpEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Exporting = Pick<Handled<'exportMetrics'>, 'env' | 'request' | 'caller'>;

/** /v1/metrics, /v1/logs and /v1/traces: what exporters of OpenTelemetry send. */
export const otlpRoutes = routesOf<Env, Endpoints>(otlpEndpoints, {
  exportMetrics: async (call) => exportMetrics(call, await readExport(call.request, 'metrics')),
  exportLogs,
  exportTraces,
  getTrace,
});

/** Takes metrics of an export that was read. @throws Problem overloaded, validation_failed */
export async function exportMetrics(
  { env, request, caller }: Exporting,
  body: unknown,
): Promise<Response> {
  const { samples, refusals } = parseOtlp(body);
  const result = await monitoringOf(env).recordDurably(labelledFor(caller, samples));
  if (result.kind === 'overloaded') throw metricsOverloaded();
  const all = [...refusals, ...result.refusals];
  const refused = all.map(({ pointer = '', detail }) => `${pointer}: ${detail}`);
  return exported(request, 'rejectedDataPoints', refused);
}

export const metricsOverloaded = () =>
  new Problem('overloaded', 'Too many metrics wait to be stored; send these again later.', {
    headers: { 'retry-after': '5' },
  });

async function exportLogs({ env, request, caller }: Handled<'exportLogs'>): Promise<Response> {
  const by = { source: 'otlp', owner: holderOf(caller), team: teamOf(caller) };
  const { taken, refusals } = parseLogs(await readExport(request, 'logs'), Date.now());
  for (let start = 0; start < taken.length; start += LOG_LIMITS.batch) {
    await logsOf(env).publish(taken.slice(start, start + LOG_LIMITS.batch), by);
  }
  return exported(request, 'rejectedLogRecords', refusals);
}

async function exportTraces(call: Handled<'exportTraces'>): Promise<Response> {
  const { env, request, caller } = call;
  const { taken, refusals } = parseSpans(await readExport(request, 'traces'));
  const full = taken.length > 0 ? await tracesOf(env, teamOf(caller)).add(taken) : [];
  return exported(request, 'rejectedSpans', [...refusals, ...full]);
}

async function getTrace({
  env,
  params,
  query,
  caller,
}: Handled<'getTrace'>): Promise<ReplyOf<Endpoints['getTrace']>> {
  const trace_id = params.trace_id.toLowerCase();
  if (!TraceId.safeParse(trace_id).success) {
    const detail = `expected 32 hexadecimal digits, got ${JSON.stringify(params.trace_id.slice(0, 80))}`;
    throw new Problem('invalid_parameter', `trace_id: ${detail}`, {
      errors: [{ parameter: 'trace_id', code: 'invalid_format', detail }],
    });
  }
  const spans = await tracesOf(env, namedTeam(caller, query.team)).spans(trace_id);
  if (spans.length > 0)
    return { status: 200, body: { trace_id, spans: [...spans], total: spans.length } };
  throw new Problem('trace_not_found', `There is no span of the trace ${trace_id}.`);
}

/**
 * The body of an export, as its JSON form has it.
 *
 * @throws Problem unsupported_media_type, payload_too_large, invalid_json, validation_failed
 */
export async function readExport(request: Request, signal: Signal): Promise<unknown> {
  const type = mediaTypeOf(request.headers);
  const isProtobuf = type === PROTOBUF_TYPE;
  if (!isProtobuf && type !== 'application/json') {
    throw unsupported(type, `${PROTOBUF_TYPE}, application/json`);
  }
  const bytes = await readBytes(chunksOf(unpacked(request)), OTLP_LIMITS.bodyBytes);
  return isProtobuf ? readMessage(EXPORTS[signal], bytes) : jsonOf(bytes);
}

/**
 * The response to an exporter, in the encoding it sent: success, or the number of refused records and the
 * first reason.
 */
function exported(request: Request, rejected: string, refusals: readonly string[]): Response {
  const [first = ''] = refusals;
  const rest = refusals.length - 1;
  const errorMessage = `${first.slice(0, 1000)}${rest > 0 ? ` (and ${rest} more)` : ''}`;
  if (mediaTypeOf(request.headers) !== PROTOBUF_TYPE) {
    const lost = { [rejected]: String(refusals.length), errorMessage };
    return Response.json({ partialSuccess: refusals.length > 0 ? lost : {} });
  }
  const headers = { 'content-type': PROTOBUF_TYPE };
  if (refusals.length === 0) return new Response(new Uint8Array(), { headers });
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int64(refusals.length);
  return new Response(writeText(writer, 2, errorMessage).join().finish(), { headers });
}

/** One object stores the spans of a team: ids of traces are made by those who send them. */
function tracesOf({ TRACES }: Pick<Env, 'TRACES'>, team: string): Remote<Traces> {
  const name = team === DEFAULT_TEAM ? MAIN : `team ${team}`;
  return TRACES.getByName<Traces>(name);
}

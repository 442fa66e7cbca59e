import { accessEndpoints } from '../../edge/access/endpoints.ts';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { parseBody } from '../../edge/contract/parse.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { TestRunRequest, TestType } from '../../edge/test-runs/contract/test-run.ts';
import { testRunEndpoints } from '../../edge/test-runs/endpoints.ts';
import { chunksOf, jsonOf, mediaTypeOf, readBytes, unsupported } from '../../edge/http/body.ts';
import { allows } from '../../edge/http/caller.ts';
import { lastEventId } from '../../edge/http/event-stream.ts';
import { type CallOf, type ReplyOf, routesOf } from '../../edge/http/route.ts';
import { followOutput, replayOutput } from './output-stream.ts';
import { resultOf, soFar } from './run-record.ts';
import type { TestScheduler } from './test-scheduler.ts';

/** Dependencies of the handlers of the host. */
export interface TestHostEnv {
  readonly scheduler: TestScheduler;
  /** The gateway, which keeps the audit log, and the host's key to it. */
  readonly gateway: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Endpoints = typeof testRunEndpoints;
type RunCall = CallOf<TestHostEnv, Endpoints['runTests']>;

const PATIENCE_MS = 10_000;

export const testRoutes = routesOf<TestHostEnv, Endpoints>(testRunEndpoints, {
  getTestStatus: ({ env }) => ({ status: 200, body: env.scheduler.status() }),
  runTests,
  listTestRuns({ env }) {
    const runs = [...env.scheduler.list()];
    return { status: 200, body: { runs, total: runs.length } };
  },
  getTestRun: async ({ env, params }) => ({
    status: 200,
    body: await env.scheduler.find(params.run_id),
  }),
  async followTestRun({ env, params, request }) {
    const after = lastEventId(request.headers) ?? 0;
    const current = env.scheduler.following(params.run_id);
    const body = current
      ? followOutput(current, after)
      : replayOutput(await env.scheduler.find(params.run_id));
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
    return new Response(body, { headers });
  },
});

/** Every gate before anything is started; the scope was looked at on the way here. */
async function runTests(call: RunCall): Promise<ReplyOf<Endpoints['runTests']>> {
  const { env, caller, request, ctx } = call;
  if (!env.scheduler.isEnabled) {
    throw new Problem(
      'test_endpoint_disabled',
      'This host runs no tests: ENABLE_TEST_ENDPOINT is not 1.',
    );
  }
  if (ctx.props.isHere !== true && !allows(caller, 'admin')) {
    throw new Problem('forbidden', 'From another machine, this needs the scope admin as well.');
  }
  const type = await typeOf(call);
  const startedBy = { kind: caller.kind, id: 'id' in caller ? caller.id : null };
  const record = (runId: string) => reportRun(call, { runId, type, startedBy });
  const begun = await env.scheduler.begin({ type, startedBy, record });
  if (request.headers.get('prefer')?.includes('respond-async')) {
    const headers = {
      location: `${call.prefix}/test/runs/${begun.run.run_id}`,
      'preference-applied': 'respond-async',
    };
    return { status: 202, body: soFar(begun), headers };
  }
  return { status: 200, body: resultOf(await begun.ended) };
}

/** By the query, else by the body; every test where neither says. @throws Problem */
async function typeOf({ query, request }: RunCall): Promise<TestType> {
  const bytes = await readBytes(chunksOf(request.body), testRunEndpoints.runTests.maxBodyBytes);
  const body = bytes.length > 0 ? bodyOf(request, bytes) : {};
  if (query.test_type === undefined) return body.test_type ?? 'all';
  const type = TestType.safeParse(query.test_type);
  if (type.success) return type.data;
  const detail = `expected unit, integration or all (got "${query.test_type.slice(0, 64)}")`;
  throw new Problem('validation_failed', `test_type: ${detail}`, {
    errors: [{ parameter: 'test_type', code: 'invalid_value', detail }],
  });
}

function bodyOf({ headers }: Request, bytes: Uint8Array): TestRunRequest {
  const type = mediaTypeOf(headers);
  if (type !== 'application/json') throw unsupported(type, 'application/json');
  return parseBody(TestRunRequest, jsonOf(bytes));
}

interface Report {
  readonly runId: string;
  readonly type: TestType;
  readonly startedBy: { readonly kind: RunCall['caller']['kind']; readonly id: string | null };
}

/** Puts the run into the audit log of the platform. @throws Problem upstream_error where it cannot */
async function reportRun(
  { env, trace }: RunCall,
  { runId, type, startedBy }: Report,
): Promise<void> {
  const { gateway, headers } = env;
  const traced = { 'x-request-id': trace.requestId, traceparent: trace.traceparent };
  try {
    await callEndpoint(
      openHttp({ base: gateway, headers: { ...headers } }),
      accessEndpoints.reportAct,
      {
        headers: traced,
        body: { action: 'test.run', actor: startedBy, target: runId, detail: { test_type: type } },
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Problem(
      'upstream_error',
      `The audit log does not take the run, so it does not start: ${why}`,
    );
  }
}

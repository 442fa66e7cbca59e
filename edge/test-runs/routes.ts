import type { Env } from '../env.ts';
import { forward, type Forwarding } from '../gateway/forward.ts';
import { findService } from '../gateway/service-table.ts';
import type { Call } from '../http/call.ts';
import { Problem } from '../http/problem.ts';
import { routesOf } from '../http/route.ts';
import type { TestStatus } from './contract/test-run.ts';
import { MAX_TIME_LIMIT_S, TEST_HOST, testRunEndpoints } from './endpoints.ts';

type Endpoints = typeof testRunEndpoints;

/** Longer than the time limit of a run and the ending of its processes. */
const MAX_RUN_MS = (MAX_TIME_LIMIT_S + 60) * 1000;

const DISABLED: TestStatus = {
  status: 'disabled',
  message: 'Running tests is switched off: no host of tests has registered with this gateway.',
  current_run: null,
  last_run: null,
  types: [],
};

/** /test/…: tests run in Node, so the Worker forwards these requests. */
export const testRunRoutes = routesOf<Env, Endpoints>(testRunEndpoints, {
  getTestStatus: async (call) => (await handedOn(call)) ?? { status: 200, body: DISABLED },
  // A retry would be another run, whatever became of the first.
  runTests: async (call) =>
    (await handedOn(call, { timeoutMs: MAX_RUN_MS, isOnce: true })) ?? refuse(),
  listTestRuns: async (call) =>
    (await handedOn(call)) ?? { status: 200, body: { runs: [], total: 0 } },
  getTestRun: async (call) => (await handedOn(call)) ?? nothing(call.params.run_id),
  followTestRun: async (call) => (await handedOn(call)) ?? nothing(call.params.run_id),
});

/** The response of the test host; undefined where there is none. */
async function handedOn(call: Call<Env>, how: Forwarding = {}): Promise<Response | undefined> {
  const host = await findService(call, TEST_HOST);
  return host && forward(call, host, { path: call.url.pathname, prefix: '', ...how });
}

function refuse(): never {
  throw new Problem('test_endpoint_disabled', DISABLED.message);
}

function nothing(runId: string): never {
  throw new Problem('run_not_found', `There is no run of tests with the id ${runId}.`);
}

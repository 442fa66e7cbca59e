import { queryOptions } from '@tanstack/react-query';
import { clientOf, openStream } from '../../edge/contract/client.ts';
import { testRunEndpoints } from '../../edge/test-runs/endpoints.ts';
import type { TestRun, TestType } from '../../edge/test-runs/contract/test-run.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');
const testRunApi = clientOf(testRunEndpoints, http);

/** The first part of the key of all that is known of test runs. */
export const TEST_RUNS_KEY = ['test-runs'] as const;

const EVERY_MS = 5_000;

/** Status of the test host and its current run. */
export const testStatusQuery = queryOptions({
  queryKey: [...TEST_RUNS_KEY, 'status'],
  refetchInterval: EVERY_MS,
  queryFn: ({ signal }) => testRunApi.getTestStatus({ signal }),
});

/** The last runs, the latest first. */
export const testRunsQuery = queryOptions({
  queryKey: [...TEST_RUNS_KEY, 'list'],
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }) => (await testRunApi.listTestRuns({ signal })).runs,
});

/** Starts tests, and does not wait for their end. @throws ProblemError test_run_in_progress and others */
export const startTests = (type: TestType): Promise<TestRun> =>
  testRunApi.runTests({ query: { test_type: type }, headers: { prefer: 'respond-async' } });

/** The output of a run after an event, as a stream that goes on until the run has ended. */
export async function openRunOutput(
  runId: string,
  after: string,
  signal: AbortSignal,
): Promise<Response> {
  const headers = after === '' ? {} : { 'last-event-id': after };
  const asked = { params: { run_id: runId }, headers, signal };
  return openStream(http, testRunEndpoints.followTestRun, asked);
}

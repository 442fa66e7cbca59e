import { queryOptions } from '@tanstack/react-query';
import { callEndpoint, pathOf } from '../../edge/contract/endpoint-client.ts';
import { checked } from '../../edge/contract/http-client.ts';
import { testRunEndpoints } from '../../edge/test-runs/endpoints.ts';
import type { TestRun, TestType } from '../../edge/test-runs/contract/test-run.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');

/** The first part of the key of all that is known of test runs. */
export const TEST_RUNS_KEY = ['test-runs'] as const;

const EVERY_MS = 5_000;

/** Whether tests may be run, and whether some are. */
export const testStatusQuery = queryOptions({
  queryKey: [...TEST_RUNS_KEY, 'status'],
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }) =>
    (await callEndpoint(http, testRunEndpoints.getTestStatus, { signal })).body,
});

/** The last runs, the latest first. */
export const testRunsQuery = queryOptions({
  queryKey: [...TEST_RUNS_KEY, 'list'],
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }) =>
    (await callEndpoint(http, testRunEndpoints.listTestRuns, { signal })).body.runs,
});

/** Starts tests, and does not wait for their end. @throws ProblemError test_run_in_progress and others */
export async function startTests(type: TestType): Promise<TestRun> {
  const asked = { query: { test_type: type }, headers: { prefer: 'respond-async' } };
  return (await callEndpoint(http, testRunEndpoints.runTests, asked)).body;
}

/** The output of a run after an event, as a stream that goes on until the run has ended. */
export async function openRunOutput(
  runId: string,
  after: string,
  signal: AbortSignal,
): Promise<Response> {
  const url = http.base + pathOf(testRunEndpoints.followTestRun.path, { run_id: runId });
  const headers = {
    ...http.headers,
    accept: 'text/event-stream',
    ...(after !== '' && { 'last-event-id': after }),
  };
  return checked(await http.fetch(url, { headers, signal }));
}

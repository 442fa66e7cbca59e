import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import {
  TestRun,
  TestRunDetails,
  TestRunList,
  TestRunRequest,
  TestRunResult,
  TestStatus,
} from './contract/test-run.ts';

/** The service of Node that runs tests, as the gateway knows it. */
export const TEST_HOST = 'test-host';

/** The longest that a host may be told to let a run take; 300 s where it is told nothing. */
export const MAX_TIME_LIMIT_S = 3600;

/** What the gateway says where it cannot hand a request on to that service. */
const ON_THE_WAY = [
  'no_healthy_instance',
  'upstream_error',
  'upstream_timeout',
  'stale_epoch',
  'loop_detected',
] as const;

/** Running this project's own tests: answered by a service of Node, handed on by the gateway. */
export const testRunEndpoints = {
  getTestStatus: {
    method: 'GET',
    path: '/test/test-status',
    summary: 'Whether tests run now, and what became of the last run.',
    access: 'authenticated',
    query: z.strictObject({}),
    answers: { 200: TestStatus },
    problems: ON_THE_WAY,
  },
  runTests: {
    method: 'POST',
    path: '/test/run-tests',
    summary:
      'Runs tests (`unit`, `integration` or `all`; `all` where nothing is said) to their end. Only where it is switched on, for callers at the machine itself or with `admin`; six times an hour.',
    access: 'test:run',
    // Checked by the handler: another type is 422, as in a body.
    query: z.strictObject({ test_type: z.optional(z.string()) }),
    body: { media: ['application/json'], schema: TestRunRequest },
    maxBodyBytes: 1024,
    limit: 'test-run',
    headers: {
      prefer: '`respond-async` answers 202 at once; the run is followed at `/test/runs/{run_id}`.',
    },
    answers: { 200: TestRunResult, 202: TestRun },
    problems: [
      'test_endpoint_disabled',
      'invalid_json',
      'validation_failed',
      'test_run_in_progress',
      ...ON_THE_WAY,
    ],
  },
  listTestRuns: {
    method: 'GET',
    path: '/test/runs',
    summary: 'The last fifty runs without their output, the latest first.',
    access: 'authenticated',
    query: z.strictObject({}),
    answers: { 200: TestRunList },
    problems: ON_THE_WAY,
  },
  getTestRun: {
    method: 'GET',
    path: '/test/runs/:run_id',
    summary: 'One run with its output.',
    access: 'authenticated',
    query: z.strictObject({}),
    answers: { 200: TestRunDetails },
    problems: ['run_not_found', ...ON_THE_WAY],
  },
  followTestRun: {
    method: 'GET',
    path: '/test/runs/:run_id/output',
    summary:
      'The output of a run as it comes: `output` events, `gap` where some was dropped, then `done` with the run.',
    access: 'authenticated',
    query: z.strictObject({}),
    headers: { 'last-event-id': 'Goes on after the event with this id.' },
    answers: { 200: { media: ['text/event-stream'] } },
    problems: ['run_not_found', ...ON_THE_WAY],
  },
} as const satisfies Endpoints;

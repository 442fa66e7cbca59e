import * as z from 'zod/mini';
import { type Endpoints, get, post } from '../contract/endpoint.ts';
import * as testRunSchemas from './contract/test-run.ts';
import { describe, fromBody, linksTo } from '../contract/endpoint-docs.ts';

/** The service of Node that runs tests, as the gateway knows it. */
export const TEST_HOST = 'test-host';

/** Maximum configurable time limit of a run; the default is 300 s. */
export const MAX_TIME_LIMIT_S = 3600;

/** Problems of the gateway when it cannot forward to that service. */
const ON_THE_WAY = [
  'no_healthy_instance',
  'upstream_error',
  'upstream_timeout',
  'stale_epoch',
  'loop_detected',
] as const;

/** Running this project's own tests: answered by a service of Node, handed on by the gateway. */
export const testRunEndpoints = {
  getTestStatus: get('/test/test-status', 'authenticated', {
    summary: 'Whether tests run now, and what became of the last run.',
    responses: { 200: testRunSchemas.TestStatus },
    problems: ON_THE_WAY,
  }),
  runTests: post('/test/run-tests', 'test:run', {
    summary:
      'Runs tests (`unit`, `integration` or `all`; `all` where nothing is said) to their end. Only where it is switched on, for callers at the machine itself or with `admin`; six times an hour.',
    // Checked by the handler: another type is 422, as in a body.
    query: z.strictObject({ test_type: z.optional(z.string()) }),
    body: { media: ['application/json'], schema: testRunSchemas.TestRunRequest },
    maxBodyBytes: 1024,
    limit: 'test-run',
    headers: {
      prefer: '`respond-async` answers 202 at once; the run is followed at `/test/runs/{run_id}`.',
    },
    responses: { 200: testRunSchemas.TestRunResult, 202: testRunSchemas.TestRun },
    problems: [
      'test_endpoint_disabled',
      'invalid_json',
      'validation_failed',
      'test_run_in_progress',
      ...ON_THE_WAY,
    ],
  }),
  listTestRuns: get('/test/runs', 'authenticated', {
    summary: 'The last fifty runs without their output, the latest first.',
    responses: { 200: testRunSchemas.TestRunList },
    problems: ON_THE_WAY,
  }),
  getTestRun: get('/test/runs/:run_id', 'authenticated', {
    summary: 'One run with its output.',
    responses: { 200: testRunSchemas.TestRunDetails },
    problems: ['run_not_found', ...ON_THE_WAY],
  }),
  followTestRun: get('/test/runs/:run_id/output', 'authenticated', {
    summary:
      'The output of a run as it comes: `output` events, `gap` where some was dropped, then `done` with the run.',
    headers: { 'last-event-id': 'Goes on after the event with this id.' },
    responses: { 200: { media: ['text/event-stream'] } },
    problems: ['run_not_found', ...ON_THE_WAY],
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const testRunDocs = () => {
  const run: testRunSchemas.TestRun = {
    run_id: 'run_01KAJ9W9A1B2C3D4E5F6G7H8J9',
    test_type: 'unit',
    status: 'passed',
    message: '2 passed, 0 failed, 1 skipped.',
    returncode: 0,
    truncated: false,
    started_at: '2026-11-22T10:00:00.000Z',
    duration_ms: 8_140,
    summary: { passed: 2, failed: 0, skipped: 1 },
    started_by: { kind: 'key', id: 'a1b2c3d4e5f6' },
  };

  const details: testRunSchemas.TestRunDetails = {
    ...run,
    stdout: '2 passed, 0 failed, 1 skipped\n',
    stderr: '',
  };

  const result: testRunSchemas.TestRunResult = { ...details, status: 'passed', returncode: 0 };

  const running: testRunSchemas.TestRun = {
    ...run,
    status: 'running',
    message: 'The tests run (unit).',
    returncode: null,
    duration_ms: 12,
    summary: null,
  };

  const params = { run_id: run.run_id };

  return describe(testRunEndpoints, {
    schemas: [testRunSchemas],
    params: { 'runs/:run_id': { description: 'The run.', schema: testRunSchemas.TestRunId } },
    operations: {
      getTestStatus: {
        answer: {
          status: 'passed',
          message: run.message,
          current_run: null,
          last_run: run,
          types: [
            {
              test_type: 'unit',
              time_limit_s: 300,
              last_status: 'passed',
              last_duration_ms: run.duration_ms,
            },
          ],
        },
      },
      runTests: {
        query: { test_type: 'unit' },
        body: { 'application/json': {} },
        responses: { 200: result, 202: running },
        links: { 202: linksTo({ run_id: fromBody('run_id') }, 'getTestRun', 'followTestRun') },
      },
      listTestRuns: { answer: { runs: [run], total: 1 } },
      getTestRun: { params, answer: details },
      followTestRun: {
        params,
        answer: {
          'text/event-stream':
            'id: 1\nevent: output\ndata: {"stream":"stdout","text":"2 passed"}\n\nevent: done\ndata: {}\n\n',
        },
      },
    },
  });
};

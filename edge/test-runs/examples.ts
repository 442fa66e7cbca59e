import type { TestRun, TestRunDetails, TestRunResult } from './contract/test-run.ts';
import type { testRunEndpoints } from './endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const run: TestRun = {
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

const details: TestRunDetails = {
  ...run,
  stdout: '2 passed, 0 failed, 1 skipped\n',
  stderr: '',
};

const result: TestRunResult = { ...details, status: 'passed', returncode: 0 };

const running: TestRun = {
  ...run,
  status: 'running',
  message: 'The tests run (unit).',
  returncode: null,
  duration_ms: 12,
  summary: null,
};

const params = { run_id: run.run_id };

export const testRunExamples: ExamplesOf<typeof testRunEndpoints> = {
  getTestStatus: {
    query: {},
    answers: {
      200: {
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
  },
  runTests: {
    query: { test_type: 'unit' },
    body: { 'application/json': {} },
    answers: { 200: result, 202: running },
  },
  listTestRuns: { query: {}, answers: { 200: { runs: [run], total: 1 } } },
  getTestRun: { params, query: {}, answers: { 200: details } },
  followTestRun: {
    params,
    query: {},
    answers: {
      200: {
        'text/event-stream':
          'id: 1\nevent: output\ndata: {"stream":"stdout","text":"2 passed"}\n\nevent: done\ndata: {}\n\n',
      },
    },
  },
};

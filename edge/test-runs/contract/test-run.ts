import * as z from 'zod/mini';
import { CallerKind } from '../../access/contract/session.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** The suites to run: unit tests, integration tests, or all. */
export const TestType = z.enum(['unit', 'integration', 'all']);
export type TestType = z.infer<typeof TestType>;

/** The outcomes of a run. */
export const TestOutcome = z.enum(['passed', 'failed', 'timeout']);
export type TestOutcome = z.infer<typeof TestOutcome>;

/** The maximum size of a run's retained output, standard output and errors together: its end. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The number of retained runs. */
export const KEPT_RUNS = 50;

export const TestRunId = z.string().check(z.regex(/^run_[0-9A-HJKMNP-TV-Z]{26}$/));
export type TestRunId = z.infer<typeof TestRunId>;

/** The counts of the test runner. */
export const TestSummary = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() });
export type TestSummary = z.infer<typeof TestSummary>;

/** A run of tests without its output. */
export const TestRun = z.object({
  run_id: TestRunId,
  test_type: TestType,
  status: z.enum(['running', ...TestOutcome.options]),
  /** The outcome, in a sentence. */
  message: z.string(),
  /** The exit code, or a signal's number below zero; null until it has ended. */
  returncode: z.nullable(z.int()),
  /** Whether the output was longer than what is retained. */
  truncated: z.boolean(),
  started_at: Timestamp,
  /** So far, while it is running. */
  duration_ms: z.number(),
  /** Null where the runner printed none, as when it was ended. */
  summary: z.nullable(TestSummary),
  started_by: z.object({ kind: CallerKind, id: z.nullable(z.string()) }),
});
export type TestRun = z.infer<typeof TestRun>;

/** A run with its retained output. */
export const TestRunDetails = z.object({
  ...TestRun.shape,
  stdout: z.string(),
  stderr: z.string(),
});
export type TestRunDetails = z.infer<typeof TestRunDetails>;

/** The response of `POST /test/run-tests`, also where tests failed. */
export const TestRunResult = z.object({
  ...TestRunDetails.shape,
  status: z.enum(['passed', 'failed']),
  returncode: z.int(),
});
export type TestRunResult = z.infer<typeof TestRunResult>;

/** Facts about a type of tests, known before it runs. */
export const TestTypeFacts = z.object({
  test_type: TestType,
  /** The time limit of a run. */
  time_limit_s: z.number(),
  /** The outcome and duration of its last retained run. */
  last_status: z.nullable(TestOutcome),
  last_duration_ms: z.nullable(z.number()),
});
export type TestTypeFacts = z.infer<typeof TestTypeFacts>;

/** The response of `GET /test/test-status`. */
export const TestStatus = z.object({
  /** `idle` before the first run; then the outcome of the last one. */
  status: z.enum(['idle', 'running', 'disabled', ...TestOutcome.options]),
  message: z.string(),
  /** The current run. */
  current_run: z.nullable(TestRun),
  last_run: z.nullable(TestRun),
  /** Empty where there is no test host. */
  types: z.array(TestTypeFacts),
});
export type TestStatus = z.infer<typeof TestStatus>;

/** The response of `GET /test/runs`, the latest first. */
export const TestRunList = z.object({ runs: z.array(TestRun), total: z.int() });
export type TestRunList = z.infer<typeof TestRunList>;

/** The body of `POST /test/run-tests`, as an alternative to the query. */
export const TestRunRequest = z.strictObject({ test_type: z.optional(TestType) });
export type TestRunRequest = z.infer<typeof TestRunRequest>;

/** `data` of an `event: output`: a piece of output, in order. */
export const TestOutputPiece = z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() });
export type TestOutputPiece = z.infer<typeof TestOutputPiece>;

import * as z from 'zod/mini';
import { CallerKind } from '../../access/contract/session.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** Which suites of this project are run: those of parts alone, those of services together, or every test. */
export const TestType = z.enum(['unit', 'integration', 'all']);
export type TestType = z.infer<typeof TestType>;

/** How a run may end. */
export const TestOutcome = z.enum(['passed', 'failed', 'timeout']);
export type TestOutcome = z.infer<typeof TestOutcome>;

/** The most of a run's output that is kept, standard output and errors together: its end. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

/** How many runs are kept. */
export const KEPT_RUNS = 50;

export const TestRunId = z.string().check(z.regex(/^run_[0-9A-HJKMNP-TV-Z]{26}$/));
export type TestRunId = z.infer<typeof TestRunId>;

/** What the runner of the tests counted. */
export const TestSummary = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() });
export type TestSummary = z.infer<typeof TestSummary>;

/** A run of tests without its output. */
export const TestRun = z.object({
  run_id: TestRunId,
  test_type: TestType,
  status: z.enum(['running', ...TestOutcome.options]),
  /** What became of it, in a sentence. */
  message: z.string(),
  /** The exit code, or a signal's number below zero; null until it has ended. */
  returncode: z.nullable(z.int()),
  /** Whether the output was longer than what is kept of it. */
  truncated: z.boolean(),
  started_at: Timestamp,
  /** So far, where it is under way. */
  duration_ms: z.number(),
  /** Null where the runner printed none, as when it was ended. */
  summary: z.nullable(TestSummary),
  started_by: z.object({ kind: CallerKind, id: z.nullable(z.string()) }),
});
export type TestRun = z.infer<typeof TestRun>;

/** A run with what is kept of its output. */
export const TestRunDetails = z.object({
  ...TestRun.shape,
  stdout: z.string(),
  stderr: z.string(),
});
export type TestRunDetails = z.infer<typeof TestRunDetails>;

/** What `POST /test/run-tests` answers, also where tests failed. */
export const TestRunResult = z.object({
  ...TestRunDetails.shape,
  status: z.enum(['passed', 'failed']),
  returncode: z.int(),
});
export type TestRunResult = z.infer<typeof TestRunResult>;

/** What is known of a type of tests before it runs. */
export const TestTypeFacts = z.object({
  test_type: TestType,
  /** After so long a run is ended. */
  time_limit_s: z.number(),
  /** What became of its last run, of those that are kept, and how long that took. */
  last_status: z.nullable(TestOutcome),
  last_duration_ms: z.nullable(z.number()),
});
export type TestTypeFacts = z.infer<typeof TestTypeFacts>;

/** What `GET /test/test-status` answers. */
export const TestStatus = z.object({
  /** `idle` until tests have run once; then what became of the last run. */
  status: z.enum(['idle', 'running', 'disabled', ...TestOutcome.options]),
  message: z.string(),
  /** The run under way. */
  current_run: z.nullable(TestRun),
  last_run: z.nullable(TestRun),
  /** Empty where there is no host of tests. */
  types: z.array(TestTypeFacts),
});
export type TestStatus = z.infer<typeof TestStatus>;

/** What `GET /test/runs` answers, the latest first. */
export const TestRunList = z.object({ runs: z.array(TestRun), total: z.int() });
export type TestRunList = z.infer<typeof TestRunList>;

/** The body of `POST /test/run-tests`, for those who do not put the type into the query. */
export const TestRunRequest = z.strictObject({ test_type: z.optional(TestType) });
export type TestRunRequest = z.infer<typeof TestRunRequest>;

/** `data` of an `event: output`: a piece of output, in the order in which it came. */
export const TestOutputPiece = z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() });
export type TestOutputPiece = z.infer<typeof TestOutputPiece>;

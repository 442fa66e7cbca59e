import {
  TestOutcome,
  type TestRun,
  type TestRunDetails,
  type TestRunResult,
  type TestStatus,
  TestType,
  type TestTypeFacts,
} from '../../edge/test-runs/contract/test-run.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import type { OutputLog } from './output-log.ts';
import type { PartsEnd } from './suite-parts.ts';
import { sumOf } from './summary.ts';

/** A run that has begun, as it was then. */
export interface Begun {
  readonly run: TestRun;
  readonly log: OutputLog;
  /** By the clock that is never set. */
  readonly since: number;
}

export function newRun(runId: string, type: TestType, startedBy: TestRun['started_by']): TestRun {
  return {
    run_id: runId,
    test_type: type,
    status: 'running',
    message: `The tests run (${type}).`,
    returncode: null,
    truncated: false,
    started_at: new Date().toISOString(),
    duration_ms: 0,
    summary: null,
    started_by: startedBy,
  };
}

export const soFar = ({ run, log, since }: Begun): TestRun => ({
  ...run,
  truncated: log.isTruncated,
  duration_ms: performance.now() - since,
});

export const withOutput = (run: TestRun, log: OutputLog): TestRunDetails => ({
  ...run,
  stdout: log.text('stdout'),
  stderr: log.text('stderr'),
});

/** A run after its process has ended. */
export function endedRun(begun: Begun, end: PartsEnd, timeLimitMs: number): TestRunDetails {
  const details = withOutput(soFar(begun), begun.log);
  const summary = sumOf(end.parts.map((part) => part.summary));
  const ended = { ...details, returncode: end.returncode, summary };
  if (end.isLate) {
    const message = `The tests took longer than ${timeLimitMs / 1000} s and were ended${partsIn(end)}.`;
    return { ...ended, status: 'timeout', message };
  }
  const status = end.returncode === 0 ? 'passed' : 'failed';
  return { ...ended, status, message: end.fault ?? outcomeOf(ended) };
}

/** Outcome of each part, where there are several. */
const partsIn = ({ parts }: PartsEnd): string =>
  parts.length < 2 ? '' : `: ${parts.map(({ name, outcome }) => `${name} ${outcome}`).join(', ')}`;

function outcomeOf({ returncode, summary }: TestRunDetails): string {
  if (!summary) return `The tests ended with the code ${returncode} and counted nothing.`;
  const { passed, failed, skipped } = summary;
  return `${passed} passed, ${failed} failed, ${skipped} skipped.`;
}

/** Response for a run that has ended. @throws Problem upstream_timeout */
export function resultOf(run: TestRunDetails): TestRunResult {
  const { status, returncode } = run;
  if ((status !== 'passed' && status !== 'failed') || returncode === null) {
    throw new Problem('upstream_timeout', run.message, { members: { run_id: run.run_id } });
  }
  return { ...run, status, returncode };
}

const DISABLED = 'Running tests is switched off: ENABLE_TEST_ENDPOINT=1 switches it on.';

/** Like a status of the spec, with the runs it is about. */
export function statusOf(
  isEnabled: boolean,
  current: TestRun | undefined,
  kept: readonly TestRun[],
): Omit<TestStatus, 'types'> {
  const last = kept.find(({ status }) => status !== 'running');
  const known = { current_run: current ?? null, last_run: last ?? null };
  if (!isEnabled) return { ...known, status: 'disabled', message: DISABLED };
  if (current) return { ...known, status: 'running', message: current.message };
  if (!last) return { ...known, status: 'idle', message: 'No tests have run yet.' };
  return { ...known, status: last.status, message: last.message };
}

/** How long each type may take, and how long it took the last time. */
export const typesOf = (
  limitsMs: Readonly<Record<TestType, number>>,
  kept: readonly TestRun[],
): TestTypeFacts[] =>
  TestType.options.map((type) => {
    const last = kept.find((run) => run.test_type === type && run.status !== 'running');
    const outcome = TestOutcome.safeParse(last?.status);
    return {
      test_type: type,
      time_limit_s: limitsMs[type] / 1000,
      last_status: outcome.success ? outcome.data : null,
      last_duration_ms: last?.duration_ms ?? null,
    };
  });

import type {
  TestRun,
  TestRunDetails,
  TestRunResult,
  TestStatus,
  TestType,
} from '../../edge/contract/test-run/test-run.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import type { OutputLog } from './output-log.ts';
import type { SuiteEnd } from './suite-process.ts';
import { summaryIn } from './summary.ts';

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
export function endedRun(begun: Begun, end: SuiteEnd, timeLimitMs: number): TestRunDetails {
  const details = withOutput(soFar(begun), begun.log);
  const summary = summaryIn(details.stdout);
  const ended = { ...details, returncode: end.returncode, summary };
  if (end.isLate) {
    const message = `The tests took longer than ${timeLimitMs / 1000} s and were ended.`;
    return { ...ended, status: 'timeout', message };
  }
  const status = end.returncode === 0 ? 'passed' : 'failed';
  return { ...ended, status, message: end.fault ?? outcomeOf(ended) };
}

function outcomeOf({ returncode, summary }: TestRunDetails): string {
  if (!summary) return `The tests ended with the code ${returncode} and counted nothing.`;
  const { passed, failed, skipped } = summary;
  return `${passed} passed, ${failed} failed, ${skipped} skipped.`;
}

/** What a run is answered with once it has ended. @throws Problem upstream_timeout */
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
): TestStatus {
  const last = kept.find(({ status }) => status !== 'running');
  const known = { current_run: current ?? null, last_run: last ?? null };
  if (!isEnabled) return { ...known, status: 'disabled', message: DISABLED };
  if (current) return { ...known, status: 'running', message: current.message };
  if (!last) return { ...known, status: 'idle', message: 'No tests have run yet.' };
  return { ...known, status: last.status, message: last.message };
}

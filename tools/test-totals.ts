export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A runner that ended badly without naming a failed test (a crash, a broken file) counts as one failure. */
const crashed: Totals = { passed: 0, failed: 1, skipped: 0 };

export function parseVitest(report: unknown, exitCode: number): Totals {
  const passed = count(report, 'numPassedTests');
  const failed = count(report, 'numFailedTests');
  const pending = count(report, 'numPendingTests');
  const todo = count(report, 'numTodoTests');
  if (passed === undefined || failed === undefined) return crashed;
  return settle({ passed, failed, skipped: (pending ?? 0) + (todo ?? 0) }, exitCode);
}

export function parsePlaywright(report: unknown, exitCode: number): Totals {
  const stats = isRecord(report) ? report['stats'] : undefined;
  const expected = count(stats, 'expected');
  const flaky = count(stats, 'flaky');
  if (expected === undefined) return crashed;
  const failed = count(stats, 'unexpected') ?? 0;
  const passed = expected + (flaky ?? 0);
  return settle({ passed, failed, skipped: count(stats, 'skipped') ?? 0 }, exitCode);
}

export function addTotals(totals: readonly Totals[]): Totals {
  return totals.reduce(
    (sum, next) => ({
      passed: sum.passed + next.passed,
      failed: sum.failed + next.failed,
      skipped: sum.skipped + next.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

function settle(totals: Totals, exitCode: number): Totals {
  return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

function count(record: unknown, key: string): number | undefined {
  const value = isRecord(record) ? record[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

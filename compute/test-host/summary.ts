import type { TestSummary } from '../../edge/test-runs/contract/test-run.ts';

/** The line that `npm test` ends with, see tools/test.ts. */
const TOTALS =
  /^(\d{1,9}) passed, (\d{1,9}) failed, (\d{1,9}) skipped(?:, \d{1,9} passed only when tried again)?\r?$/gm;

/** Totals of the runner, by the last such line of its output; null where there is none. */
export function summaryIn(stdout: string): TestSummary | null {
  const last = [...stdout.matchAll(TOTALS)].at(-1);
  if (!last) return null;
  const [passed = 0, failed = 0, skipped = 0] = last.slice(1).map(Number);
  return { passed, failed, skipped };
}

/** Totals of several runners; null where none has any. */
export function sumOf(summaries: readonly (TestSummary | null)[]): TestSummary | null {
  const counted = summaries.filter((summary) => summary !== null);
  if (counted.length === 0) return null;
  const sum = (of: keyof TestSummary) => counted.reduce((all, summary) => all + summary[of], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

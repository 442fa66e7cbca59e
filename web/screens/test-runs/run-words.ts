import type { TestRun, TestTypeFacts } from '../../../edge/test-runs/contract/test-run.ts';
import type { TestRunsText } from './words/en-test-runs.ts';

/** Who started a run. */
export function startedBy({ t }: TestRunsText, { kind, id }: TestRun['started_by']): string {
  if (kind === 'local' || kind === 'anonymous') return t(`by.${kind}`);
  return t(`by.${kind}`, { id: id ?? '' });
}

export const tookWords = ({ t, format }: TestRunsText, { duration_ms: ms }: TestRun): string =>
  t('runs.seconds', { s: format.number(ms / 1000) });

/** Where the last run took more of its limit than this, the next one may not fit. */
const TIGHT = 0.8;

/** Prediction from the last run of a type for the next one: it fits, may not fit, or was terminated. */
export function fitOf({
  time_limit_s: limit,
  last_status: status,
  last_duration_ms: ms,
}: TestTypeFacts): 'fresh' | 'took' | 'tight' | 'late' {
  if (status === null || ms === null) return 'fresh';
  const share = ms / 1000 / limit;
  // A run that was ended after less time than there is now says only that it takes more than that.
  if (status === 'timeout') return share > TIGHT ? 'late' : 'tight';
  return share > TIGHT ? 'tight' : 'took';
}

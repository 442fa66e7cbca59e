import type { TestRun } from '../../../edge/contract/test-run/test-run.ts';
import type { TestRunsText } from './test-runs-text.ts';

/** Who started a run. */
export function startedBy({ t }: TestRunsText, { kind, id }: TestRun['started_by']): string {
  if (kind === 'local' || kind === 'anonymous') return t(`by.${kind}`);
  return t(`by.${kind}`, { id: id ?? '' });
}

export const tookWords = ({ t, format }: TestRunsText, { duration_ms: ms }: TestRun): string =>
  t('runs.seconds', { s: format.number(ms / 1000) });

import type { TestRun } from '../../../edge/test-runs/contract/test-run.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { useTestRunsText } from './words/en-test-runs.ts';

const TONES: Readonly<Record<TestRun['status'], BadgeTone>> = {
  running: 'neutral',
  passed: 'good',
  failed: 'bad',
  timeout: 'warn',
};

export function RunBadge({ status }: { readonly status: TestRun['status'] }) {
  return <Badge tone={TONES[status]}>{useTestRunsText().t(`status.${status}`)}</Badge>;
}

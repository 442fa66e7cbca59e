import type { JobStatus } from '../../../edge/training/contract/job.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { useJobsText } from './jobs-text.ts';

const TONES: Readonly<Record<JobStatus, BadgeTone>> = {
  queued: 'neutral',
  validating: 'neutral',
  running: 'good',
  recovering: 'warn',
  cancelling: 'warn',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

export function JobStatusBadge({ status }: { readonly status: JobStatus }) {
  return <Badge tone={TONES[status]}>{useJobsText().t(`status.${status}`)}</Badge>;
}

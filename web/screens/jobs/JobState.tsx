import type { JobRecord, JobStatus } from '../../../edge/training/contract/job.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Note, Stack } from '../../ui/Layout.tsx';
import { ProgressBar } from '../../ui/ProgressBar.tsx';
import { type JobsText, useJobsText } from './words/en-jobs.ts';

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

/** The progress of a job, as a bar and in words. */
export function JobProgress({ job }: { readonly job: JobRecord }) {
  const text = useJobsText();
  const words = progressText(text, job);
  return (
    <Stack as="span" gap={1} style={{ minWidth: '8rem' }}>
      <ProgressBar
        label={text.t('job.progressOf', { job: job.model_name })}
        fraction={job.progress.percent / 100}
        valueText={words}
      />
      <Note as="span">{words}</Note>
    </Stack>
  );
}

function progressText({ t, format }: JobsText, { progress, status }: JobRecord): string {
  const { step, total_steps: total, percent, eta_s: eta } = progress;
  const share = format.percent(percent / 100);
  const done =
    total === null ? t('job.stepShare', { step, share }) : t('job.stepOf', { step, total, share });
  if (status !== 'running' || eta === null || eta < 1) return done;
  return `${done} · ${etaText(t, eta)}`;
}

function etaText(t: JobsText['t'], seconds: number): string {
  if (seconds < 90) return t('job.secondsLeft', { count: Math.ceil(seconds) });
  if (seconds < 5400) return t('job.minutesLeft', { count: Math.round(seconds / 60) });
  return t('job.hoursLeft', { count: Math.round(seconds / 3600) });
}

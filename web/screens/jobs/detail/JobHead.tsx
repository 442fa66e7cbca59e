import { Link } from 'wouter';
import type { JobRecord, JobVerdict } from '../../../../edge/training/contract/job.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Stack } from '../../../ui/Layout.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { JobProgress, JobStatusBadge } from '../JobState.tsx';
import { type JobsText, useJobsText } from '../words/en-jobs.ts';
import css from './Job.module.css';

/** The state, progress and latest metrics of a job. */
export function JobHead({ job }: { readonly job: JobRecord }) {
  const text = useJobsText();
  const { status, status_reason: reason } = job;
  return (
    <Stack as="section" aria-label={text.t('job.state')}>
      <div className={css['state']}>
        <JobStatusBadge status={status} />
        {reason !== '' && <span lang="en">{reason}</span>}
        <span>
          {text.t('job.submitted', { who: job.owner, team: job.team })}{' '}
          <RelativeTime time={job.created_at} />
        </span>
      </div>
      <JobProgress job={job} />
      <dl className={css['readouts']}>
        {readouts(text, job).map(([label, value]) => (
          <div key={label} className={css['readout']}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {job.error && (
        <div className={css['failure']} role="alert">
          <Icon name="error" size="small" />
          <code>{job.error.code}</code>
          <span lang="en">{job.error.message}</span>
        </div>
      )}
      {job.verdict && <Verdict verdict={job.verdict} />}
      {job.model && <Result model={job.model} />}
    </Stack>
  );
}

function readouts(
  { t, format }: JobsText,
  { metrics, progress, device, seed }: JobRecord,
): readonly (readonly [string, string])[] {
  const number = (value: number | null) => (value === null ? '–' : format.number(value));
  return [
    [t('curve.loss'), number(metrics.train_loss)],
    [t('curve.valid'), number(metrics.valid_loss)],
    [t('curve.spikes'), metrics.spike_rate === null ? '–' : format.percent(metrics.spike_rate)],
    [t('curve.speed'), number(metrics.tokens_per_s)],
    [t('job.epoch'), format.number(progress.epoch)],
    [t('job.device'), device ?? '–'],
    [t('job.seed'), String(seed)],
  ];
}

/** The comparison of the model with its baseline, in a sentence. */
function Verdict({ verdict }: { readonly verdict: JobVerdict }) {
  const { t, format } = useJobsText();
  const { floor, reached, is_beaten: isBeaten } = verdict;
  const written = (value: number) =>
    floor.figure === 'loss'
      ? t('verdict.nats', { value: value.toFixed(3) })
      : format.percent(value);
  const words = {
    floor: t(`floor.${floor.name}`),
    reached: written(reached),
    value: written(floor.value),
  };
  return (
    <p className={css['result']}>
      <Icon name={isBeaten ? 'check' : 'error'} size="small" />
      {t(isBeaten ? 'verdict.beaten' : 'verdict.missed', words)}
    </p>
  );
}

/** Links to the model that the job produced. */
function Result({ model }: { readonly model: NonNullable<JobRecord['model']> }) {
  const { t } = useJobsText();
  const { model_id: id, version } = model;
  const place = `/models/${encodeURIComponent(id)}?version=${encodeURIComponent(version)}`;
  const named = `${id}@${version}`;
  return (
    <p className={css['result']}>
      <Icon name="check" size="small" />
      <Link href={place}>{t('job.toModel', { model: named })}</Link>
      <Link href={`/playground?model=${encodeURIComponent(named)}`}>{t('job.toPlayground')}</Link>
    </p>
  );
}

import { type JobRecord, TERMINAL } from '../../../../edge/training/contract/job.ts';
import { Button } from '../../../ui/Button.tsx';
import { MOST_COMPARED } from '../job-fields.ts';
import css from '../Jobs.module.css';
import { useJobsText } from '../jobs-text.ts';

export interface SelectionProps {
  readonly jobs: readonly JobRecord[];
  readonly onCompare: (ids: string) => void;
  readonly onCancel: (jobs: readonly JobRecord[]) => void;
}

/** What can be done with the jobs that are chosen in the table. */
export function Selection({ jobs, onCompare, onCancel }: SelectionProps) {
  const { t } = useJobsText();
  const live = jobs.filter(({ status }) => !TERMINAL.has(status) && status !== 'cancelling');
  const canCompare = jobs.length >= 2 && jobs.length <= MOST_COMPARED;
  return (
    <div className={css['selection']}>
      <output className={css['small']}>
        {jobs.length === 0
          ? t('select.none', { most: MOST_COMPARED })
          : t('select.some', { count: jobs.length })}
      </output>
      <Button
        icon="plot"
        disabled={!canCompare}
        onClick={() => onCompare(jobs.map(({ job_id }) => job_id).join(','))}
      >
        {t('select.compare')}
      </Button>
      <Button icon="stop" disabled={live.length === 0} onClick={() => onCancel(live)}>
        {t('select.cancel')}
      </Button>
    </div>
  );
}

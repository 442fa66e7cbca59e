import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { JobRecord } from '../../../edge/training/contract/job.ts';
import { cancelJob, JOBS_KEY } from '../../api/training.ts';
import { useServices } from '../../app/services.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import css from './Jobs.module.css';
import { useJobsText } from './words/en-jobs.ts';

interface CancelDialogProps {
  readonly jobs: readonly JobRecord[];
  readonly onClose: () => void;
}

/** Confirms the cancellation of jobs. */
export function CancelDialog({ jobs, onClose }: CancelDialogProps) {
  const { t } = useJobsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => Promise.all(jobs.map(({ job_id }) => cancelUnlessOver(job_id))),
    onSuccess() {
      toasts.show(t('cancel.done', { count: jobs.length }), 'good');
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: JOBS_KEY }),
  });
  return (
    <FormDialog
      title={t('cancel.title', { count: jobs.length })}
      submit={t('cancel.do', { count: jobs.length })}
      cancel={t('cancel.keep')}
      tone="danger"
      request={cancel}
      onSubmit={() => cancel.mutate()}
      onClose={onClose}
    >
      <ul className={css['names']}>
        {jobs.map(({ job_id, model_name, progress }) => (
          <li key={job_id}>{t('cancel.job', { job: model_name, step: progress.step })}</li>
        ))}
      </ul>
      <p>{t('cancel.body')}</p>
    </FormDialog>
  );
}

/** Cancels a job unless it has ended in the meantime. */
async function cancelUnlessOver(id: string): Promise<void> {
  try {
    await cancelJob(id);
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'job_terminal')) throw error;
  }
}

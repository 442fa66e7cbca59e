import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JobRecord } from '../../../edge/training/contract/job.ts';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import { cancelJob, JOBS_KEY } from '../../api/training.ts';
import { useServices } from '../../app/services.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import css from './Jobs.module.css';
import { useJobsText } from './jobs-text.ts';

export interface CancelDialogProps {
  readonly jobs: readonly JobRecord[];
  readonly onClose: () => void;
}

/** Asks before jobs are cancelled. */
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
    <Dialog title={t('cancel.title', { count: jobs.length })} onClose={onClose}>
      <ul className={css['names']}>
        {jobs.map(({ job_id, model_name, progress }) => (
          <li key={job_id}>{t('cancel.job', { job: model_name, step: progress.step })}</li>
        ))}
      </ul>
      <p>{t('cancel.body')}</p>
      {cancel.isError && <ErrorState error={cancel.error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('cancel.keep')}</Button>
        <Button
          tone="danger"
          state={cancel.isPending ? 'blocked' : 'ready'}
          onClick={() => cancel.mutate()}
        >
          {t('cancel.do', { count: jobs.length })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** One that has ended meanwhile needs no cancelling. */
async function cancelUnlessOver(id: string): Promise<void> {
  try {
    await cancelJob(id);
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'job_terminal')) throw error;
  }
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type JobRecord, TERMINAL } from '../../../../edge/training/contract/job.ts';
import { ModelType, takesBase } from '../../../../edge/training/contract/train-request.ts';
import { JOBS_KEY, submitJob } from '../../../api/training.ts';
import { useServices } from '../../../app/services.ts';
import { useMayChange } from '../../../app/session.ts';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { CancelDialog } from '../CancelDialog.tsx';
import { newJobHref } from '../job-fields.ts';
import { useJobsText } from '../jobs-text.ts';
import { continuationOf, formValuesOf } from '../new-job/job-form.ts';

const canContinue = ({ status, model_type: type }: JobRecord) =>
  status === 'succeeded' && ModelType.options.some((one) => one === type && takesBase(one));

/** Trains the result for as long again, as a job of its own: one press. */
function ContinueButton({ job }: { readonly job: JobRecord }) {
  const { t } = useJobsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const submit = useMutation({
    mutationFn: () => submitJob(continuationOf(job)),
    onSuccess(next) {
      const model = `${job.model?.model_id}@${job.model?.version}`;
      toasts.show(t('job.continued', { job: next.model_name, model }), 'good');
      void queries.invalidateQueries({ queryKey: JOBS_KEY });
      navigate(`/jobs/${encodeURIComponent(next.job_id)}`);
    },
  });
  return (
    <>
      <Button
        tone="primary"
        icon="play"
        state={submit.isPending ? 'blocked' : 'ready'}
        onClick={() => submit.mutate()}
      >
        {t('job.continue')}
      </Button>
      {submit.isError && <ErrorState error={submit.error} />}
    </>
  );
}

/** Clones a job, cancels it while it is under way, and leads to what became of it. */
export function JobActions({ job }: { readonly job: JobRecord }) {
  const { t } = useJobsText();
  const [dialog, setDialog] = useState<'cancel' | 'none'>('none');
  const mayCancel = useMayChange(job);
  const canCancel = mayCancel && !TERMINAL.has(job.status) && job.status !== 'cancelling';
  return (
    <>
      <Link href={newJobHref(formValuesOf(job))} className={buttonClass('secondary')}>
        {t('job.clone')}
      </Link>
      {job.model && canContinue(job) && <ContinueButton job={job} />}
      {canCancel && (
        <Button icon="stop" onClick={() => setDialog('cancel')}>
          {t('job.cancel')}
        </Button>
      )}
      {dialog === 'cancel' && <CancelDialog jobs={[job]} onClose={() => setDialog('none')} />}
    </>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { JOBS_KEY, submitJob } from '../../../api/training.ts';
import { useServices } from '../../../app/services.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { useJobsText } from '../jobs-text.ts';
import { CapacityLine } from './CapacityLine.tsx';
import { DatasetFields } from './DatasetFields.tsx';
import { formOf, type JobForm, type JobRequestInput, requestOf } from './job-form.ts';
import { ModelFields } from './ModelFields.tsx';
import css from './NewJob.module.css';
import { RunFields } from './RunFields.tsx';

export interface NewJobDialogProps {
  /** What it is filled with, as it stands in the address. */
  readonly values: string;
  readonly onClose: () => void;
}

/** Asks for all that makes a job, says where it could be trained, and submits it. */
export function NewJobDialog({ values, onClose }: NewJobDialogProps) {
  const { t } = useJobsText();
  const [form, setForm] = useState(() => formOf(values));
  const [wasTried, setWasTried] = useState(false);
  const change = (part: Partial<JobForm>) => setForm((before) => ({ ...before, ...part }));
  const request = requestOf(form);
  const submit = useSubmit();

  function send(event: FormEvent) {
    event.preventDefault();
    setWasTried(true);
    if (request && !submit.isPending) submit.mutate(request);
  }

  return (
    <Dialog title={t('new.title')} onClose={onClose}>
      <form className={css['form']} onSubmit={send} noValidate>
        <DatasetFields form={form} onChange={change} isMissing={wasTried && !request} />
        <ModelFields form={form} onChange={change} />
        <RunFields form={form} onChange={change} />
        <CapacityLine request={request} />
        {wasTried && !request && (
          <p className={css['problem']} role="alert">
            {t('new.noDataset')}
          </p>
        )}
        {submit.isError && <ErrorState error={submit.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('new.cancel')}</Button>
          <Button tone="primary" type="submit" state={submit.isPending ? 'blocked' : 'ready'}>
            {t(submit.isPending ? 'new.submitting' : 'new.submit')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Submits a job and goes to it. */
function useSubmit() {
  const { t } = useJobsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (request: JobRequestInput) => submitJob(request),
    onSuccess(job) {
      toasts.show(t('new.submitted', { job: job.model_name }), 'good');
      void queries.invalidateQueries({ queryKey: JOBS_KEY });
      navigate(`/jobs/${encodeURIComponent(job.job_id)}`);
    },
  });
}

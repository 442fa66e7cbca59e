import { useState } from 'react';
import { Link } from 'wouter';
import { type JobRecord, TERMINAL } from '../../../../edge/contract/training/job.ts';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { CancelDialog } from '../CancelDialog.tsx';
import { newJobHref } from '../job-fields.ts';
import { useJobsText } from '../jobs-text.ts';
import { formValuesOf } from '../new-job/job-form.ts';

/** Clones a job, cancels it while it is under way, and leads to what became of it. */
export function JobActions({ job }: { readonly job: JobRecord }) {
  const { t } = useJobsText();
  const [dialog, setDialog] = useState<'cancel' | 'none'>('none');
  const canCancel = !TERMINAL.has(job.status) && job.status !== 'cancelling';
  return (
    <>
      <Link href={newJobHref(formValuesOf(job))} className={buttonClass('secondary')}>
        {t('job.clone')}
      </Link>
      {canCancel && (
        <Button icon="stop" onClick={() => setDialog('cancel')}>
          {t('job.cancel')}
        </Button>
      )}
      {dialog === 'cancel' && <CancelDialog jobs={[job]} onClose={() => setDialog('none')} />}
    </>
  );
}

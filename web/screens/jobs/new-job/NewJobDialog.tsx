import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { CapacityAnswer, Placement } from '../../../../edge/training/contract/capacity.ts';
import { capacityQuery, JOBS_KEY, submitJob } from '../../../api/training.ts';
import { useServices } from '../../../app/services.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Note, Row, Stack } from '../../../ui/Layout.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { type JobsText, useJobsText } from '../words/en-jobs.ts';
import { DatasetFields } from './DatasetFields.tsx';
import { formOf, type JobForm, type JobRequestInput, requestOf } from './job-form.ts';
import { ModelFields } from './ModelFields.tsx';
import css from './NewJob.module.css';
import { RunFields } from './RunFields.tsx';

interface NewJobDialogProps {
  /** The initial values from the address, as JSON. */
  readonly values: string;
  readonly onClose: () => void;
}

/** The form for a new job, with the capacity available for it. */
export function NewJobDialog({ values, onClose }: NewJobDialogProps) {
  const { t } = useJobsText();
  const [form, setForm] = useState(() => formOf(values));
  const [wasTried, setWasTried] = useState(false);
  const change = (part: Partial<JobForm>) => setForm((before) => ({ ...before, ...part }));
  const request = requestOf(form);
  const submit = useSubmit();
  const isMissing = wasTried && !request;

  function send() {
    setWasTried(true);
    if (request) submit.mutate(request);
  }

  return (
    <FormDialog
      title={t('new.title')}
      submit={t('new.submit')}
      sending={t('new.submitting')}
      request={submit}
      onSubmit={send}
      onClose={onClose}
    >
      <Stack gap={5}>
        <DatasetFields form={form} onChange={change} isMissing={isMissing} />
        <ModelFields form={form} onChange={change} />
        <RunFields form={form} onChange={change} />
        <CapacityLine request={request} />
        {isMissing && (
          <p className={css['problem']} role="alert">
            {t('new.noDataset')}
          </p>
        )}
      </Stack>
    </FormDialog>
  );
}

/** Submits a job and opens it. */
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

/** Debounce of capacity requests while the form changes. */
const TYPING_MS = 400;

interface CapacityLineProps {
  /** Undefined while the form is incomplete. */
  readonly request: JobRequestInput | undefined;
}

/** The memory that the job needs and the trainers that fit. */
function CapacityLine({ request }: CapacityLineProps) {
  const { t } = useJobsText();
  // Compared as JSON: the form makes a new object with every rendering.
  const settled = useSettled(request ? JSON.stringify(request) : '', TYPING_MS);
  return (
    <section className={css['capacity']} aria-label={t('capacity.title')} aria-live="polite">
      {settled === '' ? (
        <Note>{t('capacity.later')}</Note>
      ) : (
        <CapacityAnswerLine request={settled} />
      )}
    </section>
  );
}

function CapacityAnswerLine({ request }: { readonly request: string }) {
  const { t } = useJobsText();
  const { data, error } = useQuery({
    ...capacityQuery(JSON.parse(request) as JobRequestInput),
    placeholderData: (before) => before,
  });
  if (error) return <ErrorState error={error} />;
  return data ? <CapacityVerdict answer={data} /> : <Note>{t('capacity.asking')}</Note>;
}

type Verdict = 'fits' | 'waits' | 'tooLarge';
const TONES: Readonly<Record<Verdict, BadgeTone>> = {
  fits: 'good',
  waits: 'warn',
  tooLarge: 'bad',
};

function CapacityVerdict({ answer }: { readonly answer: CapacityAnswer }) {
  const text = useJobsText();
  const { t, format } = text;
  const { capacity, candidates } = answer;
  const taking = candidates.filter(({ excluded }) => excluded === null);
  const verdict = !capacity.fits ? 'tooLarge' : taking.length > 0 ? 'fits' : 'waits';
  return (
    <>
      <Row as="p" gap={[2, 3]}>
        <Badge tone={TONES[verdict]}>{t(`capacity.${verdict}`)}</Badge>
        <span>{t('capacity.needs', { size: format.bytes(capacity.required_bytes) })}</span>
      </Row>
      {taking.length > 0 ? (
        <Note>{takersText(text, taking)}</Note>
      ) : (
        <Excluded candidates={candidates} />
      )}
    </>
  );
}

function takersText({ t, format }: JobsText, taking: readonly Placement[]): string {
  const names = taking.slice(0, 3).map(({ name, device }) => t('capacity.taker', { name, device }));
  return t('capacity.takers', { count: taking.length, names: format.list(names) });
}

/** The service's reasons why no trainer fits, in English. */
function Excluded({ candidates }: { readonly candidates: readonly Placement[] }) {
  const { t } = useJobsText();
  if (candidates.length === 0) return <Note>{t('capacity.nobody')}</Note>;
  return (
    <Note as="ul" lang="en">
      {candidates.slice(0, 5).map(({ trainer_id, name, excluded }) => (
        <li key={trainer_id}>{t('capacity.excluded', { name, why: excluded ?? '' })}</li>
      ))}
    </Note>
  );
}

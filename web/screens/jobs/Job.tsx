import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { type JobRecord, TERMINAL } from '../../../edge/training/contract/job.ts';
import { ModelType, takesBase } from '../../../edge/training/contract/train-request.ts';
import { jobQuery, JOBS_KEY, submitJob } from '../../api/training.ts';
import { useServices } from '../../app/services.ts';
import { useMayChange } from '../../app/session.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { ResourceScreen } from '../../ui/Resource.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { CancelDialog } from './CancelDialog.tsx';
import { Checkpoints } from './detail/Checkpoints.tsx';
import { useJobFeed } from './detail/job-feed.ts';
import { JobConfig } from './detail/JobConfig.tsx';
import { JobCurvesView } from './detail/JobCurvesView.tsx';
import { JobHead } from './detail/JobHead.tsx';
import { Events, Timeline } from './detail/JobHistory.tsx';
import { JOB_FIELDS, JOB_TABS, newJobHref } from './job-fields.ts';
import { continuationOf, formValuesOf } from './new-job/job-form.ts';
import { useJobsText } from './words/en-jobs.ts';

/** One training job, live while it runs. */
export function Job() {
  const { t } = useJobsText();
  const id = decodeURIComponent(useParams<{ id: string }>().id);
  const query = useQuery(jobQuery(id));
  const { data } = query;
  const actions = (
    <>
      <Link href="/jobs" className={buttonClass('secondary')}>
        {t('job.back')}
      </Link>
      {data && <JobActions job={data} />}
    </>
  );
  return (
    <ResourceScreen
      title={data?.model_name ?? id}
      lead={data && <code>{id}</code>}
      actions={actions}
      width="wide"
      query={query}
      skeleton={{ lines: 8, lineRem: 3 }}
    >
      {(job) => (
        <>
          <JobHead job={job} />
          <JobParts job={job} />
        </>
      )}
    </ResourceScreen>
  );
}

function JobParts({ job }: { readonly job: JobRecord }) {
  const { t } = useJobsText();
  const [fields, change] = useUrlState(JOB_FIELDS);
  const feed = useJobFeed(job.job_id, fields.seat);
  const contents = {
    curves: <JobCurvesView job={job} curves={feed.curves} fields={fields} onChange={change} />,
    timeline: <Timeline job={job} />,
    events: <Events feed={feed} />,
    checkpoints: <Checkpoints jobId={job.job_id} isLive={!TERMINAL.has(job.status)} />,
    rounds: <Rounds job={job} />,
    config: <JobConfig job={job} />,
  };
  const shown = JOB_TABS.filter((tab) => tab !== 'rounds' || job.replicas > 1);
  return (
    <Tabs
      label={t('job.parts')}
      tabs={shown.map((value) => ({ value, label: t(`tab.${value}`), content: contents[value] }))}
      value={shown.includes(fields.tab) ? fields.tab : 'curves'}
      onChange={(tab) => change({ tab })}
    />
  );
}

const canContinue = ({ status, model_type: type }: JobRecord) =>
  status === 'succeeded' && ModelType.options.some((one) => one === type && takesBase(one));

/** Submits a job that continues training from the result. */
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

/** The actions of a job: clone, continue, cancel. */
function JobActions({ job }: { readonly job: JobRecord }) {
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

/** The synchronisation rounds of a distributed job. */
function Rounds({ job }: { readonly job: JobRecord }) {
  const { t, format } = useJobsText();
  const { rounds, distributed, replicas } = job;
  if (!rounds || !distributed) {
    return <EmptyState title={t('round.none')}>{t('round.noneHelp')}</EmptyState>;
  }
  const { bytes_sent: sent, bytes_float32: whole } = rounds;
  const facts = [
    [t('round.now'), format.integer(rounds.round)],
    [t('round.members'), t('round.membersOf', { members: rounds.members, replicas })],
    [
      t('round.contributed'),
      t('round.membersOf', { members: rounds.contributed, replicas: rounds.members }),
    ],
    [t('round.sent'), format.bytes(sent)],
    [
      t('round.float32'),
      whole === 0
        ? '–'
        : t('round.share', { size: format.bytes(whole), share: format.percent(sent / whole) }),
    ],
    [t('field.local_steps'), format.integer(distributed.local_steps)],
    [t('round.quantisation'), distributed.quantisation],
    [t('round.straggler'), t('attempt.seconds', { seconds: distributed.straggler_timeout_s })],
  ] as const;
  return <Facts facts={facts.map(([label, value]) => ({ label, value }))} />;
}

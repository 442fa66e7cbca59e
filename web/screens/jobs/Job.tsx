import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { type JobRecord, TERMINAL } from '../../../edge/training/contract/job.ts';
import { jobQuery } from '../../api/training.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { integer, oneOf, type Values } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { Checkpoints } from './detail/Checkpoints.tsx';
import { Events } from './detail/Events.tsx';
import { JobActions } from './detail/JobActions.tsx';
import { JobConfig } from './detail/JobConfig.tsx';
import { JobCurvesView } from './detail/JobCurvesView.tsx';
import { JobHead } from './detail/JobHead.tsx';
import { Rounds } from './detail/Rounds.tsx';
import { Timeline } from './detail/Timeline.tsx';
import { useJobFeed } from './detail/use-job-feed.ts';
import { useJobsText } from './jobs-text.ts';

const TABS = ['curves', 'timeline', 'events', 'checkpoints', 'rounds', 'config'] as const;
const STEPS = { min: 0, max: 1_000_000_000 } as const;
const FIELDS = {
  tab: oneOf('curves', TABS),
  seat: integer(0, { min: 0, max: 63 }),
  /** The steps in sight; all of them where both are 0. */
  from: integer(0, STEPS),
  to: integer(0, STEPS),
};
export type JobViewFields = Values<typeof FIELDS>;

/** One training job, live while it is under way. */
export function Job() {
  const { t } = useJobsText();
  const id = decodeURIComponent(useParams<{ id: string }>().id);
  const { data: job, error, refetch } = useQuery(jobQuery(id));
  const back = (
    <Link href="/jobs" className={buttonClass('secondary')}>
      {t('job.back')}
    </Link>
  );
  if (!job) {
    return (
      <Screen title={id} actions={back}>
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton lines={8} lineRem={3} />
        )}
      </Screen>
    );
  }
  const actions = (
    <>
      {back}
      <JobActions job={job} />
    </>
  );
  return (
    <Screen title={job.model_name} lead={<code>{id}</code>} actions={actions} width="wide">
      <JobHead job={job} />
      <JobParts job={job} />
    </Screen>
  );
}

/** What there is to know about a job, a part a tab. */
function JobParts({ job }: { readonly job: JobRecord }) {
  const { t } = useJobsText();
  const [fields, change] = useUrlState(FIELDS);
  const feed = useJobFeed(job.job_id, fields.seat);
  const contents = {
    curves: <JobCurvesView job={job} curves={feed.curves} fields={fields} onChange={change} />,
    timeline: <Timeline job={job} />,
    events: <Events feed={feed} />,
    checkpoints: <Checkpoints jobId={job.job_id} isLive={!TERMINAL.has(job.status)} />,
    rounds: <Rounds job={job} />,
    config: <JobConfig job={job} />,
  };
  const shown = TABS.filter((tab) => tab !== 'rounds' || job.replicas > 1);
  return (
    <Tabs
      label={t('job.parts')}
      tabs={shown.map((value) => ({ value, label: t(`tab.${value}`), content: contents[value] }))}
      value={shown.includes(fields.tab) ? fields.tab : 'curves'}
      onChange={(tab) => change({ tab })}
    />
  );
}

import { Link } from 'wouter';
import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import { JobProgress } from '../JobProgress.tsx';
import css from '../Jobs.module.css';
import { type JobsText, useJobsText } from '../jobs-text.ts';
import { JobStatusBadge } from '../JobStatusBadge.tsx';
import { LossCell } from './LossCell.tsx';

export interface JobTableProps {
  readonly jobs: readonly JobRecord[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

export function JobTable({ jobs, selected, onSelect }: JobTableProps) {
  const text = useJobsText();
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <Table
      caption={text.t('jobs.list')}
      columns={[nameColumn(text, selected, toggle), ...factColumns(text)]}
      rows={jobs}
      rowKey={({ job_id }) => job_id}
    />
  );
}

function nameColumn(
  { t }: JobsText,
  selected: ReadonlySet<string>,
  onToggle: (id: string) => void,
): Column<JobRecord> {
  return {
    key: 'name',
    title: t('jobs.model'),
    cell: ({ job_id: id, model_name: model, kind }) => (
      <span className={css['named']}>
        <input
          type="checkbox"
          className={css['check']}
          aria-label={t('select.job', { job: model, id: shortId(id) })}
          checked={selected.has(id)}
          onChange={() => onToggle(id)}
        />
        <span className={css['name']}>
          <Link href={`/jobs/${encodeURIComponent(id)}`}>{model}</Link>
          <span className={css['small']}>
            <code title={id}>{shortId(id)}</code> {t(`kind.${kind}`)}
          </span>
        </span>
      </span>
    ),
  };
}

/** The end of an id: its start is the time, which jobs of one minute share. */
const shortId = (id: string) => `…${id.slice(-6)}`;

function factColumns({ t }: JobsText): readonly Column<JobRecord>[] {
  return [
    {
      key: 'status',
      title: t('jobs.status'),
      cell: (job) => (
        <span className={css['name']}>
          <JobStatusBadge status={job.status} />
          <Reason job={job} />
        </span>
      ),
    },
    {
      key: 'dataset',
      title: t('jobs.dataset'),
      cell: ({ dataset_path }) => <span className={css['path']}>{dataset_path ?? '–'}</span>,
    },
    { key: 'progress', title: t('jobs.progress'), cell: (job) => <JobProgress job={job} /> },
    {
      key: 'loss',
      title: t('jobs.loss'),
      align: 'end',
      cell: (job) => <LossCell job={job} />,
    },
    {
      key: 'trainer',
      title: t('jobs.trainer'),
      cell: (job) => <span className={css['who']}>{trainersOf(t, job)}</span>,
    },
    {
      key: 'age',
      title: t('jobs.age'),
      align: 'end',
      cell: ({ created_at }) => <RelativeTime time={created_at} />,
    },
  ];
}

/** Why it waits, or why it failed, in the service's own words. */
function Reason({ job: { status, status_reason: reason, error } }: { readonly job: JobRecord }) {
  const words = status === 'failed' ? (error?.message ?? reason) : reason;
  const isWorthSaying = ['queued', 'recovering', 'failed'].includes(status) && words !== '';
  return isWorthSaying ? (
    <span className={css['reason']} lang="en" title={words}>
      {words}
    </span>
  ) : null;
}

/** Who trains it now, or did so last. */
function trainersOf(t: JobsText['t'], { attempts, replicas }: JobRecord): string {
  const live = attempts.filter(({ ended_at }) => ended_at === null);
  const [first] = live;
  if (first && live.length > 1) {
    return t('jobs.trainers', { name: first.trainer_name, count: live.length - 1, replicas });
  }
  return (first ?? attempts.at(-1))?.trainer_name ?? '–';
}

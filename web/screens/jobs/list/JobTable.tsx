import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import type { MetricPoint } from '../../../../edge/training/contract/job-event.ts';
import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import { curvesQuery } from '../../../api/training.ts';
import { useText } from '../../../i18n/text-context.ts';
import { column, endColumn } from '../../../records/columns.ts';
import { Note } from '../../../ui/Layout.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import { createSeriesBuffer, type SeriesBuffer } from '../../../widgets/buffers/series-buffer.ts';
import { Sparkline } from '../../../widgets/sparkline/Sparkline.tsx';
import { JobProgress, JobStatusBadge } from '../JobState.tsx';
import css from '../Jobs.module.css';
import { type JobsText, useJobsText } from '../words/en-jobs.ts';

interface JobTableProps {
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
  return column(t('jobs.model'), ({ job_id: id, model_name: model, kind }) => (
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
        <Note as="span">
          <code title={id}>{shortId(id)}</code> {t(`kind.${kind}`)}
        </Note>
      </span>
    </span>
  ));
}

/** The end of an id: its start is the time, which jobs of one minute share. */
const shortId = (id: string) => `…${id.slice(-6)}`;

function factColumns({ t }: JobsText): readonly Column<JobRecord>[] {
  return [
    column(t('jobs.status'), (job) => (
      <span className={css['name']}>
        <JobStatusBadge status={job.status} />
        <Reason job={job} />
      </span>
    )),
    column(t('jobs.dataset'), ({ dataset_path }) => (
      <span className={css['path']}>{dataset_path ?? '–'}</span>
    )),
    column(t('jobs.progress'), (job) => <JobProgress job={job} />),
    endColumn(t('jobs.loss'), (job) => <LossCell job={job} />),
    column(t('jobs.trainer'), (job) => <span className={css['who']}>{trainersOf(t, job)}</span>),
    endColumn(t('jobs.age'), ({ created_at }) => <RelativeTime time={created_at} />),
  ];
}

/** The service's message about a waiting or failed job, in English. */
function Reason({ job: { status, status_reason: reason, error } }: { readonly job: JobRecord }) {
  const words = status === 'failed' ? (error?.message ?? reason) : reason;
  const isWorthSaying = ['queued', 'recovering', 'failed'].includes(status) && words !== '';
  return isWorthSaying ? (
    <span className={css['reason']} lang="en" title={words}>
      {words}
    </span>
  ) : null;
}

/** The trainers of the current or latest leases. */
function trainersOf(t: JobsText['t'], { attempts, replicas }: JobRecord): string {
  const live = attempts.filter(({ ended_at }) => ended_at === null);
  const [first] = live;
  if (first && live.length > 1) {
    return t('jobs.trainers', { name: first.trainer_name, count: live.length - 1, replicas });
  }
  return (first ?? attempts.at(-1))?.trainer_name ?? '–';
}

const SPARK_ROWS = 64;
/** Minimum points for a curve over the full width. */
const MIN_ROWS = 16;

/** The current loss and its history. */
function LossCell({ job }: { readonly job: JobRecord }) {
  const { format } = useText();
  const loss = job.metrics.train_loss;
  return (
    <span className={css['loss']}>
      {loss !== null && <LossSparkline job={job} />}
      <span className={css['value']}>{loss === null ? '–' : format.number(loss)}</span>
    </span>
  );
}

/** Fetched once; later points come with the list. */
function LossSparkline({ job }: { readonly job: JobRecord }) {
  const { data } = useQuery(curvesQuery(job.job_id));
  const buffer = useMemo(() => {
    const made = createSeriesBuffer(1, SPARK_ROWS);
    for (const { step, loss } of data ? evenly(lossesIn(data)) : []) made.push(step, [loss]);
    return made;
  }, [data]);
  const { step } = job.progress;
  const loss = job.metrics.train_loss;
  useEffect(() => add(buffer, step, loss), [buffer, step, loss]);
  return <Sparkline buffer={buffer} rows={Math.max(MIN_ROWS, buffer.length)} />;
}

const lossesIn = (points: readonly MetricPoint[]) =>
  points.flatMap(({ step, train_loss: loss }) => (loss === null ? [] : [{ step, loss }]));

function evenly<T>(rows: readonly T[]): readonly T[] {
  const every = Math.ceil(rows.length / SPARK_ROWS);
  return rows.filter((_, index) => (rows.length - 1 - index) % every === 0);
}

function add(buffer: SeriesBuffer, step: number, loss: number | null): void {
  const newest = buffer.window().x.at(-1) ?? -1;
  if (loss === null || step === newest) return;
  // A job that resumed from a checkpoint repeats steps.
  if (step < newest) buffer.dropAfter(step - 1);
  buffer.push(step, [loss]);
}

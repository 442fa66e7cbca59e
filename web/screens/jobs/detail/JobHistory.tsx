import { useStore } from 'zustand';
import type { JobEvent } from '../../../../edge/training/contract/job-event.ts';
import type { Attempt, JobRecord } from '../../../../edge/training/contract/job.ts';
import { column, endColumn } from '../../../records/columns.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Grid, Note, Stack } from '../../../ui/Layout.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import { type JobsText, useJobsText } from '../words/en-jobs.ts';
import type { JobFeed } from './job-feed.ts';
import css from './Job.module.css';

type Outcome = NonNullable<Attempt['outcome']> | 'running';

const TONES: Readonly<Record<Outcome, BadgeTone>> = {
  running: 'good',
  completed: 'good',
  released: 'neutral',
  cancelled: 'neutral',
  lost: 'warn',
  failed: 'bad',
};

/** When a job was submitted, started and finished, and its leases in between. */
export function Timeline({ job }: { readonly job: JobRecord }) {
  const text = useJobsText();
  const { t } = text;
  return (
    <Stack>
      <Grid as="ol" min="14rem">
        <Moment what={t('time.submitted')} at={job.created_at} />
        <Moment what={t('time.started')} at={job.started_at} />
        <Moment what={t('time.finished')} at={job.finished_at} />
      </Grid>
      {job.attempts.length === 0 ? (
        <EmptyState title={t('attempt.none')}>{t('attempt.noneHelp')}</EmptyState>
      ) : (
        <>
          <Bars attempts={job.attempts} />
          <Table
            caption={t('attempt.title')}
            columns={attemptColumns(text)}
            rows={job.attempts}
            rowKey={({ lease_id }) => lease_id}
          />
        </>
      )}
    </Stack>
  );
}

function Moment({ what, at }: { readonly what: string; readonly at: string | null }) {
  const { t, format } = useJobsText();
  return (
    <li className={css['moment']}>
      <Note as="span">
        {what} {at !== null && <RelativeTime time={at} />}
      </Note>
      <span>{at === null ? t('time.notYet') : format.dateTime(new Date(at))}</span>
    </li>
  );
}

/** The steps of each lease as bars. The table below is their text alternative. */
function Bars({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const last = Math.max(1, ...attempts.map(({ last_step }) => last_step));
  return (
    <div className={css['lanes']} aria-hidden="true">
      {attempts.map((attempt) => (
        <span key={attempt.lease_id} className={css['lane']}>
          <span
            className={css['span']}
            data-outcome={attempt.outcome ?? 'running'}
            style={{
              marginInlineStart: `${(100 * attempt.from_step) / last}%`,
              width: `${(100 * (attempt.last_step - attempt.from_step)) / last}%`,
            }}
          />
        </span>
      ))}
    </div>
  );
}

function attemptColumns({ t, format }: JobsText): readonly Column<Attempt>[] {
  return [
    column(t('attempt.number'), ({ attempt }) => attempt),
    column(t('jobs.trainer'), ({ trainer_name }) => trainer_name),
    endColumn(t('curve.seat'), ({ seat }) => seat),
    endColumn(t('attempt.steps'), ({ from_step: from, last_step: last }) =>
      t('attempt.fromTo', { from, last }),
    ),
    column(t('attempt.outcome'), ({ outcome }) => (
      <Badge tone={TONES[outcome ?? 'running']}>{t(`outcome.${outcome ?? 'running'}`)}</Badge>
    )),
    endColumn(t('time.started'), ({ started_at }) => <RelativeTime time={started_at} />),
    endColumn(t('attempt.lasted'), ({ started_at: start, ended_at: end, heartbeat_at: seen }) =>
      t('attempt.seconds', {
        seconds: format.integer((Date.parse(end ?? seen) - Date.parse(start)) / 1000),
      }),
    ),
  ];
}

const LEVEL_TONES: Readonly<Record<JobEvent['level'], BadgeTone>> = {
  debug: 'neutral',
  info: 'neutral',
  warn: 'warn',
  error: 'bad',
};

/** The events of a job, newest first, live. */
export function Events({ feed }: { readonly feed: JobFeed }) {
  const text = useJobsText();
  const { link, events } = useStore(feed.store);
  return (
    <Stack>
      <Note as="output">{text.t(`link.${link.status}`)}</Note>
      {link.status === 'refused' && <ErrorState error={link.error} />}
      {events.length === 0 ? (
        <EmptyState title={text.t('event.none')}>{text.t('event.noneHelp')}</EmptyState>
      ) : (
        <Table
          caption={text.t('tab.events')}
          columns={eventColumns(text)}
          rows={events.toReversed()}
          rowKey={({ seq }) => seq}
          height="limited"
        />
      )}
    </Stack>
  );
}

function eventColumns({ t }: JobsText): readonly Column<JobEvent>[] {
  return [
    column(t('event.number'), ({ seq }) => seq),
    column(t('event.level'), ({ level }) => (
      <Badge tone={LEVEL_TONES[level]}>{t(`level.${level}`)}</Badge>
    )),
    column(t('event.type'), ({ type }) => <code>{type}</code>),
    column(t('event.message'), ({ message }) => (
      <span className={css['message']} lang="en">
        {message}
      </span>
    )),
    endColumn(t('event.time'), ({ created_at }) => <RelativeTime time={created_at} />),
  ];
}

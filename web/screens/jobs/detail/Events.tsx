import { useStore } from 'zustand';
import type { JobEvent } from '../../../../edge/training/contract/job-event.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import { type JobsText, useJobsText } from '../jobs-text.ts';
import css from './Job.module.css';
import type { JobFeed } from './job-feed.ts';

const TONES: Readonly<Record<JobEvent['level'], BadgeTone>> = {
  debug: 'neutral',
  info: 'neutral',
  warn: 'warn',
  error: 'bad',
};

/** What happened to a job, the newest first, as it happens. */
export function Events({ feed }: { readonly feed: JobFeed }) {
  const text = useJobsText();
  const { link, events } = useStore(feed.store);
  return (
    <div className={css['stack']}>
      <output className={css['note']}>{text.t(`link.${link.status}`)}</output>
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
    </div>
  );
}

function eventColumns({ t }: JobsText): readonly Column<JobEvent>[] {
  return [
    { key: 'seq', title: t('event.number'), cell: ({ seq }) => seq },
    {
      key: 'level',
      title: t('event.level'),
      cell: ({ level }) => <Badge tone={TONES[level]}>{t(`level.${level}`)}</Badge>,
    },
    { key: 'type', title: t('event.type'), cell: ({ type }) => <code>{type}</code> },
    {
      key: 'message',
      title: t('event.message'),
      cell: ({ message }) => (
        <span className={css['message']} lang="en">
          {message}
        </span>
      ),
    },
    {
      key: 'time',
      title: t('event.time'),
      align: 'end',
      cell: ({ created_at }) => <RelativeTime time={created_at} />,
    },
  ];
}

import { useQuery } from '@tanstack/react-query';
import type { CheckpointRecord } from '../../../../edge/training/contract/checkpoint.ts';
import { checkpointsQuery, checkpointUrl } from '../../../api/training.ts';
import { useCopy } from '../../../app/use-copy.ts';
import { column, endColumn } from '../../../records/columns.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Stack } from '../../../ui/Layout.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Resource } from '../../../ui/Resource.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import { type JobsText, useJobsText } from '../words/en-jobs.ts';
import css from './Job.module.css';

interface CheckpointsProps {
  readonly jobId: string;
  readonly isLive: boolean;
}

/** The checkpoints of a job, newest first, with links to their files. */
export function Checkpoints({ jobId, isLive }: CheckpointsProps) {
  const text = useJobsText();
  const copy = useCopy();
  return (
    <Resource
      query={useQuery(checkpointsQuery(jobId, isLive))}
      skeleton={{ lines: 4, lineRem: 3 }}
      isEmpty={({ length }) => length === 0}
      empty={<EmptyState title={text.t('check.none')}>{text.t('check.noneHelp')}</EmptyState>}
    >
      {(checkpoints) => (
        <Table
          caption={text.t('tab.checkpoints')}
          columns={checkpointColumns(text, (digest) => void copy(digest))}
          rows={checkpoints}
          rowKey={({ id }) => id}
        />
      )}
    </Resource>
  );
}

function checkpointColumns(
  { t, format }: JobsText,
  onCopy: (digest: string) => void,
): readonly Column<CheckpointRecord>[] {
  return [
    column(t('check.step'), ({ step }) => format.integer(step)),
    endColumn(t('curve.loss'), ({ metrics }) =>
      format.number(metrics['train_loss'] ?? metrics['loss'] ?? Number.NaN),
    ),
    endColumn(t('check.size'), ({ size_bytes }) => format.bytes(size_bytes)),
    column(t('check.digest'), ({ digest, step }) => (
      <span className={css['digest']}>
        <code title={digest}>{`${digest.slice(7, 15)}…${digest.slice(-4)}`}</code>
        <IconButton icon="copy" label={t('check.copy', { step })} onClick={() => onCopy(digest)} />
      </span>
    )),
    column(t('check.resumable'), ({ resumable }) => t(resumable ? 'check.yes' : 'check.no')),
    column(t('check.files'), (checkpoint) => <Files checkpoint={checkpoint} />),
    endColumn(t('event.time'), ({ created_at }) => <RelativeTime time={created_at} />),
  ];
}

function Files({
  checkpoint: { id: checkpoint, job_id: id, files },
}: {
  readonly checkpoint: CheckpointRecord;
}) {
  const { t } = useJobsText();
  return (
    <details>
      <summary>{t('check.fileCount', { count: files.length })}</summary>
      <Stack as="ul" gap={0}>
        {files.map(({ filename }) => (
          <li key={filename}>
            <a href={checkpointUrl({ id, checkpoint, filename })} download={filename}>
              {filename}
            </a>
          </li>
        ))}
      </Stack>
    </details>
  );
}

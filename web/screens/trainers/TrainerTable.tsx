import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { TrainerDevice, TrainerRecord } from '../../../edge/training/contract/trainer.ts';
import { drainTrainer, TRAINERS_KEY } from '../../api/training.ts';
import { useServices } from '../../app/services.ts';
import { useIsAdmin } from '../../app/session.ts';
import { describeFailure } from '../../api/failure.ts';
import { useText } from '../../i18n/text-context.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { Note, Stack } from '../../ui/Layout.tsx';
import { type TrainersText, useTrainersText } from './words/en-trainers.ts';

const TONES: Readonly<Record<TrainerRecord['status'], BadgeTone>> = {
  idle: 'neutral',
  busy: 'good',
  draining: 'warn',
  lost: 'bad',
};

/** Those that train first, those that are gone last. */
const ORDER = ['busy', 'idle', 'draining', 'lost'];
const byState = (a: TrainerRecord, b: TrainerRecord): number =>
  ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.name.localeCompare(b.name);

export function TrainerTable({ trainers }: { readonly trainers: readonly TrainerRecord[] }) {
  const text = useTrainersText();
  const isAdmin = useIsAdmin();
  return (
    <Table
      caption={text.t('trainers.list')}
      columns={isAdmin ? [...trainerColumns(text), drainColumn(text)] : trainerColumns(text)}
      rows={trainers.toSorted(byState)}
      rowKey={({ trainer_id }) => trainer_id}
    />
  );
}

function trainerColumns(text: TrainersText): readonly Column<TrainerRecord>[] {
  const { t, format } = text;
  return [
    {
      key: 'name',
      title: t('trainers.name'),
      cell: ({ name, trainer_id: id, kind }) => (
        <Stack as="span" gap={0} style={{ minWidth: '8rem' }}>
          <strong>{name}</strong>
          <Note as="span">
            <code title={id}>{`…${id.slice(-6)}`}</code> {t(`kind.${kind}`)}
          </Note>
        </Stack>
      ),
    },
    {
      key: 'status',
      title: t('trainers.status'),
      cell: ({ status }) => <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>,
    },
    {
      key: 'device',
      title: t('trainers.device'),
      cell: ({ device }) => <div style={{ minWidth: '7rem' }}>{device.label}</div>,
    },
    {
      key: 'memory',
      title: t('trainers.memory'),
      align: 'end',
      cell: ({ device }) => memoryWords(text, device),
    },
    {
      key: 'load',
      title: t('trainers.load'),
      align: 'end',
      cell: ({ load, kind }) => (kind === 'tab' ? '–' : format.percent(load)),
    },
    { key: 'jobs', title: t('trainers.jobs'), cell: ({ jobs }) => <JobLinks ids={jobs} /> },
    {
      key: 'done',
      title: t('trainers.done'),
      align: 'end',
      cell: ({ succeeded, failed, trainer_id: id }) => (
        <Link href={`/jobs?trainer=${encodeURIComponent(id)}`}>
          {t('trainers.doneOf', { succeeded, failed })}
        </Link>
      ),
    },
    {
      key: 'seen',
      title: t('trainers.seen'),
      align: 'end',
      cell: ({ last_seen_at }) => <RelativeTime time={last_seen_at} />,
    },
  ];
}

const drainColumn = ({ t }: TrainersText): Column<TrainerRecord> => ({
  key: 'drain',
  title: t('trainers.actions'),
  align: 'end',
  cell: (trainer) => <DrainButton trainer={trainer} />,
});

function memoryWords({ t, format }: TrainersText, device: TrainerDevice): string {
  const { free_bytes: free, total_bytes: total } = device;
  if (free !== null && total !== null) {
    return t('trainers.freeOf', { free: format.bytes(free), total: format.bytes(total) });
  }
  const known = free ?? total;
  return known === null ? '–' : format.bytes(known);
}

function JobLinks({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return '–';
  return ids.map((id) => (
    <div key={id}>
      <Link href={`/jobs/${encodeURIComponent(id)}`}>
        <code>{`…${id.slice(-6)}`}</code>
      </Link>
    </div>
  ));
}

function DrainButton({ trainer }: { readonly trainer: TrainerRecord }) {
  const { t } = useTrainersText();
  const text = useText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const { trainer_id: id, name, status } = trainer;
  const isDraining = status === 'draining';
  const drain = useMutation({
    mutationFn: () => drainTrainer(id, !isDraining),
    onSuccess: () => toasts.show(t(isDraining ? 'drain.ended' : 'drain.begun', { name }), 'good'),
    onError: (error) => toasts.show(describeFailure(error, text).title, 'bad'),
    onSettled: () => queries.invalidateQueries({ queryKey: TRAINERS_KEY }),
  });
  if (status === 'lost') return null;
  return (
    <Button
      state={drain.isPending ? 'blocked' : 'ready'}
      aria-label={t(isDraining ? 'drain.endOf' : 'drain.of', { name })}
      onClick={() => drain.mutate()}
    >
      {t(isDraining ? 'drain.end' : 'drain.do')}
    </Button>
  );
}

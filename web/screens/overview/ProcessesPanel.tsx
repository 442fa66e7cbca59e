import type { CompanionProcess } from '../../../edge/health/contract/health.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../ui/Table.tsx';
import { useNow } from '../../ui/use-now.ts';
import { type OverviewText, useOverviewText } from './words/en-overview.ts';

interface ProcessesProps {
  readonly processes: readonly CompanionProcess[];
}

/** Companion processes of the Worker: whether each is running, and its number of restarts. */
export function ProcessesPanel({ processes }: ProcessesProps) {
  const text = useOverviewText();
  const { t } = text;
  const now = useNow(1_000);
  return (
    <Panel title={t('process.title')} note={t('process.note')}>
      <Table
        caption={t('process.title')}
        columns={columnsOf(text, now)}
        rows={processes}
        rowKey={({ name }) => name}
      />
    </Panel>
  );
}

/** A sentence for each process that is down, for the head of the screen; nothing where all run. */
export function DownProcesses({ processes }: ProcessesProps) {
  const { t } = useOverviewText();
  const now = useNow(1_000);
  return processes
    .filter(({ status }) => status === 'down')
    .map((process) => {
      const seconds = secondsUntilStart(process, now);
      const details = { name: process.name, exit: process.last_exit ?? '–' };
      return (
        <span key={process.name}>
          {' '}
          {seconds === undefined
            ? t('overview.processDownNow', details)
            : t('overview.processDown', { ...details, seconds })}
        </span>
      );
    });
}

function columnsOf({ t, format }: OverviewText, now: number): readonly Column<CompanionProcess>[] {
  return [
    { key: 'name', title: t('process.name'), cell: ({ name }) => <strong>{name}</strong> },
    {
      key: 'status',
      title: t('service.status'),
      cell: (process) => {
        if (process.status === 'running') return <Badge tone="good">{t('process.running')}</Badge>;
        const seconds = secondsUntilStart(process, now);
        const down = seconds === undefined ? t('process.down') : t('process.downFor', { seconds });
        return <Badge tone="bad">{down}</Badge>;
      },
    },
    {
      key: 'restarts',
      title: t('process.restarts'),
      align: 'end',
      cell: ({ restarts }) => format.integer(restarts),
    },
    {
      key: 'exit',
      title: t('process.lastExit'),
      align: 'end',
      cell: ({ last_exit: exit, last_exit_at: at }) =>
        exit === null || at === null ? (
          '–'
        ) : (
          <>
            {exit} <RelativeTime time={at} />
          </>
        ),
    },
  ];
}

/** Undefined once the time has come, as the page has not heard yet how the try went. */
function secondsUntilStart({ next_start_at: next }: CompanionProcess, now: number) {
  const ms = next === null ? 0 : Date.parse(next) - now;
  return ms > 0 ? Math.ceil(ms / 1000) : undefined;
}

import type { FailoverEntry } from '../../../edge/geo/contract/failover.ts';
import { Badge } from '../../ui/Badge.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import css from './Regions.module.css';
import { type RegionsText, useRegionsText } from './regions-text.ts';

/** Which region took over from which, why, and how long that took: the latest first. */
export function FailoverHistory({ history }: { readonly history: readonly FailoverEntry[] }) {
  const text = useRegionsText();
  const title = text.t('history.title');
  return (
    <Panel title={title}>
      {history.length === 0 ? (
        <EmptyState title={text.t('history.none')}>{text.t('history.noneHelp')}</EmptyState>
      ) : (
        <Table
          caption={title}
          columns={columnsOf(text)}
          rows={history}
          rowKey={({ event_id: id }) => id}
          height="limited"
        />
      )}
    </Panel>
  );
}

function columnsOf({ t, format }: RegionsText): readonly Column<FailoverEntry>[] {
  return [
    {
      key: 'when',
      title: t('column.when'),
      cell: ({ timestamp }) => <RelativeTime time={timestamp} />,
    },
    { key: 'from', title: t('column.from'), cell: ({ from_region: from }) => from },
    {
      key: 'to',
      title: t('column.to'),
      cell: ({ to_region: to }) => to ?? t('history.nowhere'),
    },
    { key: 'why', title: t('column.why'), cell: (entry) => <Why entry={entry} /> },
    {
      key: 'who',
      title: t('column.who'),
      cell: ({ triggered_by: who, mode }) => t('history.who', { who, mode: t(`mode.${mode}`) }),
    },
    {
      key: 'lasted',
      title: t('column.lasted'),
      align: 'end',
      cell: ({ duration_ms: ms }) => t('ms', { value: format.number(ms) }),
    },
    {
      key: 'epoch',
      title: t('column.epoch'),
      align: 'end',
      cell: ({ epoch }) => format.integer(epoch),
    },
    {
      key: 'result',
      title: t('column.result'),
      cell: ({ success }) => (
        <Badge tone={success ? 'good' : 'bad'}>
          {t(success ? 'result.done' : 'result.failed')}
        </Badge>
      ),
    },
  ];
}

function Why({ entry }: { readonly entry: FailoverEntry }) {
  const { t } = useRegionsText();
  const { reason, error, excluded } = entry;
  return (
    <div className={css['why']}>
      {reason === '' ? t('ui.none') : <span lang="en">{reason}</span>}
      {error !== null && (
        <span className={css['error']} lang="en">
          {error}
        </span>
      )}
      {excluded.length > 0 && (
        <details>
          <summary>{t('plan.excluded')}</summary>
          <ul className={css['excluded']}>
            {excluded.map(({ region_id: id, why }) => (
              <li key={id}>
                <b>{id}</b> <span lang="en">{why}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

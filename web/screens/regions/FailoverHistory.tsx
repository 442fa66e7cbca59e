import type { FailoverEntry } from '../../../edge/geo/contract/failover.ts';
import { column, endColumn } from '../../records/columns.ts';
import { Badge } from '../../ui/Badge.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import css from './Regions.module.css';
import { type RegionsText, useRegionsText } from './words/en-regions.ts';

/** The failovers, latest first. */
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
    column(t('column.when'), ({ timestamp }) => <RelativeTime time={timestamp} />),
    column(t('column.from'), ({ from_region: from }) => from),
    column(t('column.to'), ({ to_region: to }) => to ?? t('history.nowhere')),
    column(t('column.why'), (entry) => <Why entry={entry} />),
    column(t('column.who'), ({ triggered_by: who, mode }) =>
      t('history.who', { who, mode: t(`mode.${mode}`) }),
    ),
    endColumn(t('column.lasted'), ({ duration_ms: ms }) => t('ms', { value: format.number(ms) })),
    endColumn(t('column.epoch'), ({ epoch }) => format.integer(epoch)),
    column(t('column.result'), ({ success }) => (
      <Badge tone={success ? 'good' : 'bad'}>{t(success ? 'result.done' : 'result.failed')}</Badge>
    )),
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

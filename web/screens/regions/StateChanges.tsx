import type { GeoEvent } from '../../../edge/geo/contract/event.ts';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { changesIn, type RegionChange } from './region-changes.ts';
import { RegionBadge } from './RegionBadge.tsx';
import css from './Regions.module.css';
import { type RegionsText, useRegionsText } from './regions-text.ts';

/** Which region came into which state, and why: the latest first. */
export function StateChanges({ events }: { readonly events: readonly GeoEvent[] }) {
  const text = useRegionsText();
  const { t } = text;
  const title = t('changes.title');
  const changes = changesIn(events);
  return (
    <Panel title={title}>
      {changes.length === 0 ? (
        <p>{t('changes.none')}</p>
      ) : (
        <Table
          caption={title}
          columns={columnsOf(text)}
          rows={changes}
          rowKey={({ seq }) => seq}
          rowHeader="none"
          height="limited"
        />
      )}
    </Panel>
  );
}

function columnsOf({ t }: RegionsText): readonly Column<RegionChange>[] {
  return [
    { key: 'when', title: t('column.when'), cell: ({ time }) => <RelativeTime time={time} /> },
    { key: 'region', title: t('column.region'), cell: ({ subject }) => subject },
    {
      key: 'change',
      title: t('column.change'),
      cell: ({ from, to }) => (
        <span className={css['states']}>
          <RegionBadge status={from} />
          <span aria-hidden="true">{t('changes.then')}</span>
          <RegionBadge status={to} />
        </span>
      ),
    },
    { key: 'why', title: t('column.why'), cell: ({ reason }) => <span lang="en">{reason}</span> },
  ];
}

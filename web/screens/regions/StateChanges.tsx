import * as z from 'zod/mini';
import type { GeoEvent } from '../../../edge/contract/geo/event.ts';
import { RegionStatus } from '../../../edge/contract/geo/region.ts';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { RegionBadge } from './RegionBadge.tsx';
import css from './Regions.module.css';
import { type RegionsText, useRegionsText } from './regions-text.ts';

/** What an event of the type `region.status` says. */
const Change = z.object({ from: RegionStatus, to: RegionStatus, reason: z.string() });
type Change = z.infer<typeof Change> & Pick<GeoEvent, 'seq' | 'subject' | 'time'>;

/** Which region came into which state, and why: the latest first. */
export function StateChanges({ events }: { readonly events: readonly GeoEvent[] }) {
  const text = useRegionsText();
  const { t } = text;
  const title = t('changes.title');
  const changes = events.flatMap(changeIn);
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

function columnsOf({ t }: RegionsText): readonly Column<Change>[] {
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

function changeIn({ type, seq, subject, time, data }: GeoEvent): readonly Change[] {
  if (type !== 'region.status') return [];
  const parsed = z.safeParse(Change, data);
  return parsed.success ? [{ ...parsed.data, seq, subject, time }] : [];
}

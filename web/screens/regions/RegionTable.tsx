import type { RegionRecord } from '../../../edge/geo/contract/region.ts';
import { column, endColumn } from '../../table/columns.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { RegionBadge } from './RegionBadge.tsx';
import { type RegionsText, useRegionsText } from './regions-text.ts';
import css from './Regions.module.css';

interface RegionTableProps {
  readonly regions: readonly RegionRecord[];
  readonly onChoose: (regionId: string) => void;
}

/** All regions; each name opens its panel. */
export function RegionTable({ regions, onChoose }: RegionTableProps) {
  const text = useRegionsText();
  const title = text.t('regions.table');
  return (
    <Panel title={title}>
      <Table
        caption={title}
        columns={columnsOf(text, onChoose)}
        rows={regions}
        rowKey={({ region_id: id }) => id}
      />
    </Panel>
  );
}

function columnsOf(
  { t, format }: RegionsText,
  onChoose: RegionTableProps['onChoose'],
): readonly Column<RegionRecord>[] {
  return [
    column(t('column.region'), ({ region_id: id, display_name: name }) => (
      <span className={css['name']}>
        <Button tone="quiet" onClick={() => onChoose(id)}>
          {id}
        </Button>
        <span lang="en">{name}</span>
      </span>
    )),
    column(t('column.status'), ({ status, active }) => (
      <span className={css['states']}>
        <RegionBadge status={status} />
        {active && <Badge tone="good">{t('active')}</Badge>}
      </span>
    )),
    endColumn(t('column.nodes'), (one) =>
      t('nodes.of', { active: one.active_node_count, total: one.node_count }),
    ),
    endColumn(t('column.priority'), ({ priority }) => format.integer(priority)),
    endColumn(t('column.p95'), ({ health: { p95_ms: p95 } }) =>
      p95 === null ? format.number(Number.NaN) : t('ms', { value: format.number(p95) }),
    ),
  ];
}

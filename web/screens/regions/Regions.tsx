import { useQuery } from '@tanstack/react-query';
import type { GeoEvent } from '../../../edge/geo/contract/event.ts';
import type { GeoStatus, RegionRecord } from '../../../edge/geo/contract/region.ts';
import {
  failoversQuery,
  geoEventsQuery,
  geoStatusQuery,
  latencyQuery,
  regionsQuery,
} from '../../api/geo.ts';
import { CommandBox } from '../../app/CommandBox.tsx';
import { column, endColumn } from '../../records/columns.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { joinQueries, Resource, ResourceScreen } from '../../ui/Resource.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { text as textField } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { FailoverHistory } from './FailoverHistory.tsx';
import { LatencyPanel } from './LatencyPanel.tsx';
import { RegionBadge } from './RegionBadge.tsx';
import { RegionMap } from './RegionMap.tsx';
import { RegionPanel } from './RegionPanel.tsx';
import css from './Regions.module.css';
import { changesIn, type RegionChange, StateTimeline } from './StateTimeline.tsx';
import { type RegionsText, useRegionsText } from './words/en-regions.ts';

const FIELDS = { region: textField('', 63) };

/** The regions: map, status, latency and failovers. */
export function Regions() {
  const { t } = useRegionsText();
  const list = useQuery(regionsQuery);
  const status = useQuery(geoStatusQuery);
  const { data } = list;
  const online = data?.regions.filter((one) => one.status === 'online').length ?? 0;
  return (
    <ResourceScreen
      lead={data ? t('regions.lead', { online, count: data.total }) : t('regions.asking')}
      width="wide"
      query={joinQueries(list, status)}
      skeleton={{ lines: 4, lineRem: 12 }}
    >
      {([{ regions }, known]) => <Found regions={regions} status={known} />}
    </ResourceScreen>
  );
}

function NoRegions() {
  const { t } = useRegionsText();
  return (
    <EmptyState
      title={t('regions.none')}
      action={<CommandBox command={addCommand(location.origin)} copy={t('regions.copy')} />}
    >
      {t('regions.noneHelp')}
    </EmptyState>
  );
}

const addCommand = (origin: string): string => {
  const region = { region_id: 'ap-northeast-1', location: { lat: 35.68, lon: 139.69 } };
  return `curl ${origin}/api/geo/regions --json '${JSON.stringify(region)}'`;
};

interface FoundProps {
  readonly regions: readonly RegionRecord[];
  readonly status: GeoStatus;
}

function Found({ regions, status }: FoundProps) {
  const { t } = useRegionsText();
  const [{ region }, change] = useUrlState(FIELDS);
  const choose = (chosen: string) => change({ region: chosen });
  if (regions.length === 0) return <NoRegions />;
  const chosen = regions.find(({ region_id: id }) => id === region);
  return (
    <>
      {status.monitor === 'suspect' && (
        <output className={css['suspect']}>{t('regions.suspect')}</output>
      )}
      <RegionMap regions={regions} status={status} chosen={region} onChoose={choose} />
      {region !== '' && !chosen && (
        <EmptyState
          icon="search"
          title={t('regions.missing', { region })}
          action={<Button onClick={() => choose('')}>{t('regions.showAll')}</Button>}
        >
          {t('regions.missingHelp')}
        </EmptyState>
      )}
      {chosen && (
        <RegionPanel
          key={chosen.region_id}
          region={chosen}
          regions={regions}
          epoch={status.epoch}
          onClose={() => choose('')}
        />
      )}
      <RegionTable regions={regions} onChoose={choose} />
      <Records regions={regions} />
    </>
  );
}

/** Latency, failovers and state changes. */
function Records({ regions }: Pick<FoundProps, 'regions'>) {
  const [latency, failovers, events] = [
    useQuery(latencyQuery),
    useQuery(failoversQuery),
    useQuery(geoEventsQuery),
  ];
  return (
    <Resource query={joinQueries(latency, failovers, events)} skeleton={{ lines: 3, lineRem: 12 }}>
      {([matrix, { history }, changes]) => (
        <>
          <LatencyPanel matrix={matrix} />
          <FailoverHistory history={history} />
          <StateTimeline regions={regions} events={changes} knownSince={knownSince(changes)} />
          <StateChanges events={changes} />
        </>
      )}
    </Resource>
  );
}

/** Events before the earliest shown are unknown. */
function knownSince(events: readonly GeoEvent[]): number {
  const earliest = events.at(-1);
  return earliest && earliest.seq > 1 ? Date.parse(earliest.time) : -Infinity;
}

/** The state changes of regions, latest first. */
function StateChanges({ events }: { readonly events: readonly GeoEvent[] }) {
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
    column(t('column.when'), ({ time }) => <RelativeTime time={time} />),
    column(t('column.region'), ({ subject }) => subject),
    column(t('column.change'), ({ from, to }) => (
      <span className={css['states']}>
        <RegionBadge status={from} />
        <span aria-hidden="true">{t('changes.then')}</span>
        <RegionBadge status={to} />
      </span>
    )),
    column(t('column.why'), ({ reason }) => <span lang="en">{reason}</span>),
  ];
}

interface RegionTableProps {
  readonly regions: readonly RegionRecord[];
  readonly onChoose: (regionId: string) => void;
}

/** All regions; each name opens its panel. */
function RegionTable({ regions, onChoose }: RegionTableProps) {
  const text = useRegionsText();
  const title = text.t('regions.table');
  return (
    <Panel title={title}>
      <Table
        caption={title}
        columns={regionColumns(text, onChoose)}
        rows={regions}
        rowKey={({ region_id: id }) => id}
      />
    </Panel>
  );
}

function regionColumns(
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

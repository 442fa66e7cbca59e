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
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { joinQueries, Resource, ResourceScreen } from '../../ui/Resource.tsx';
import { text as textField } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { FailoverHistory } from './FailoverHistory.tsx';
import { LatencyPanel } from './LatencyPanel.tsx';
import { RegionMap } from './RegionMap.tsx';
import { RegionPanel } from './RegionPanel.tsx';
import css from './Regions.module.css';
import { useRegionsText } from './regions-text.ts';
import { RegionTable } from './RegionTable.tsx';
import { StateChanges } from './StateChanges.tsx';
import { StateTimeline } from './StateTimeline.tsx';

const FIELDS = { region: textField('', 63) };

/** Where the regions are and how they are, and which takes over from which. */
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

/** What was measured and what happened. */
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

/** Before the earliest of the events that are shown there may have been others. */
function knownSince(events: readonly GeoEvent[]): number {
  const earliest = events.at(-1);
  return earliest && earliest.seq > 1 ? Date.parse(earliest.time) : -Infinity;
}

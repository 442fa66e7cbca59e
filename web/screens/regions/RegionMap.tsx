import type { GeoStatus, RegionRecord } from '../../../edge/geo/contract/region.ts';
import { classNames } from '../../ui/class-names.ts';
import { ChartFrame } from '../../widgets/chart/ChartFrame.tsx';
import { LAND } from './land.ts';
import { MAP, mapPlace } from './map-scale.ts';
import { MARKS, TONES } from './region-look.ts';
import css from './Regions.module.css';
import { type RegionsText, useRegionsText } from './regions-text.ts';

export interface RegionMapProps {
  readonly regions: readonly RegionRecord[];
  readonly status: GeoStatus;
  readonly chosen: string;
  readonly onChoose: (regionId: string) => void;
}

/** The regions on a map: their states by colour and shape, with how many nodes each has. */
export function RegionMap({ regions, status, chosen, onChoose }: RegionMapProps) {
  const text = useRegionsText();
  return (
    <ChartFrame
      title={text.t('map.title')}
      sentences={sentencesOf(text, status)}
      table={() => tableOf(text, regions)}
    >
      <div className={css['map']}>
        <svg className={css['earth']} viewBox={`0 0 ${MAP.width} ${MAP.height}`} aria-hidden="true">
          <path d={LAND} />
        </svg>
        {regions.map((region) => (
          <Mark
            key={region.region_id}
            region={region}
            isChosen={region.region_id === chosen}
            onChoose={onChoose}
          />
        ))}
      </div>
    </ChartFrame>
  );
}

interface MarkProps {
  readonly region: RegionRecord;
  readonly isChosen: boolean;
  readonly onChoose: (regionId: string) => void;
}

function Mark({ region, isChosen, onChoose }: MarkProps) {
  const { t } = useRegionsText();
  const { region_id: id, status, active, active_node_count, node_count, location } = region;
  const { x, y } = mapPlace(location);
  const words = {
    region: id,
    status: t(`status.${status}`),
    active: active_node_count,
    count: node_count,
  };
  return (
    <button
      type="button"
      className={classNames(css['mark'], css[TONES[status]], active && css['active'])}
      style={{ left: `${100 * x}%`, top: `${100 * y}%` }}
      aria-pressed={isChosen}
      onClick={() => onChoose(isChosen ? '' : id)}
    >
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <path d={MARKS[status]} />
      </svg>
      <span className="visually-hidden">{t('map.mark', words)}</span>
      <span className={css['markLabel']} aria-hidden="true">
        {id}
        <b>{t('nodes.of', { active: active_node_count, total: node_count })}</b>
      </span>
    </button>
  );
}

function sentencesOf({ t }: RegionsText, status: GeoStatus): readonly string[] {
  const { active_region: region, epoch, auto_failover: isAutomatic } = status;
  return [
    region === null ? t('map.noActive') : t('map.sentence', { region, epoch }),
    t(isAutomatic ? 'map.automatic' : 'map.manual'),
  ];
}

function tableOf({ t }: RegionsText, regions: readonly RegionRecord[]) {
  return {
    columns: [t('column.region'), t('column.status'), t('column.nodes'), t('one.place')],
    rows: regions.map(({ region_id: id, status, location, ...one }) => [
      id,
      t(`status.${status}`),
      t('nodes.of', { active: one.active_node_count, total: one.node_count }),
      t('one.placeValue', { lat: `${location.lat}`, lon: `${location.lon}` }),
    ]),
  };
}

import type { GeoStatus, RegionRecord } from '../../../edge/geo/contract/region.ts';
import { classNames } from '../../ui/class-names.ts';
import { ChartFrame } from '../../widgets/chart/ChartFrame.tsx';
import { MARKS, TONES } from './RegionBadge.tsx';
import css from './Regions.module.css';
import { type RegionsText, useRegionsText } from './words/en-regions.ts';

interface RegionMapProps {
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

/**
 * The land of the earth but Antarctica, as SVG path data in half degrees: x is 2 (longitude + 180), y is
 * 2 (80 - latitude). Natural Earth 1:110m (public domain), simplified to 0.6 degrees (Douglas, Peucker).
 */
const LAND = [
  'M224 268l6 1-8 2-11-5 7 2 3-3zM706 242l2 1-2 5-3 0-4 5-6-1 1-2zM709 232l5 4 3-1-7 8 0-3-2-1 ',
  '1-4-4-6zM460 187l1 4-2 0-5 19-3 1-3-1-1-6 2-4 0-8 6-3 3-5zM647 188l4 2 2 8 5 3 8 11 0 10-6 1',
  '3-7 3-3-2-3 2-6-2-2-4-3-1 0-2-2 2 2-5-4 4-3-5-6-2-11 1-5 4-7 0-4 2-6-2 1-5-4-11 1 1-1-4 1-5 ',
  '0 1 5-4 9-2 9-11 3 0 5 2 2-5 4-1 0-2 8 2-2 6 9 5 3-5 1-8zM577 174l5-1 9 4-14-1-6-2 1-2zM628 ',
  '162l3 5 6-4 12 5 6 4-1 3 7 6-5-1-7-5-4 4-10-2 2-2-1-4-9-4-1 1-2-2 3-2-6-2 4-1zM610 157l-3 3-',
  '7 0 2 3 5-2-4 3 3 7-2 0 1-2-2 0-1-4-1 1 0 5-2 0-1-5 2-7zM572 172l-7-4-14-19 4 1 13 10-1 1 5 ',
  '5zM596 156l2 2-2 0-4 10-12-2-2-5 1-5 3 0 4-2 7-8 5 3-3 5zM613 143l-2 6-4-5-3 2 3-3 4-1 0-2zM',
  '603 123l1 0 1 3-2 5 5 1 0 3-7-3 1-1-2-1 0-3zM201 114l11 5-8 1 2-1-3-2-7-2-6 1 5-2zM642 86l-1',
  ' 4-9 3-2-2-8 1 2 2-1 3-3 0-1-4 6-4 6 0 2-4 2 1 4-2 2-6 2-1 1 3zM648 72l3-1 0 2-11 4 4-8zM248',
  ' 59l-2 1 7 2 1 5-2-1 0-2-3 2-8-1 4-6 3-2zM647 59l2 3-3-1-1 3 2 4-2-1-1 1-1-15 2-2zM346 55l-6',
  ' 1 2-2-1-2 6-2 2 1zM354 43l-2 2 4 0-2 3 9 7 0 2-13 3 3-3-4-1 3-1-1-2 3-1-4-2 0-2-1 1-1-3 2-3',
  'zM331 27l2 3-10 3-9-1 2-1-4-1 4-1-5 0 5-2 3 2zM0 22l11 5 0-1 5 0 4 2-5 1-1 2-14-3 0 2-5 1 3 ',
  '4-11 2-6 3-3-1-11 1-3 4 2 1-2 5-3 1-1 3-3 0-3 4-3-9 1-3 15-8 2-3-9 4-1-3-6 1-5 3 2 2-26 0-14',
  ' 9 6 1 4 0 3 4-3 7-4 4-6 6-5 0-10 7 4 6-1 4-5 1-1-4 2-1-5-2 2-3-9 1 2-3-1-1-7 4-1 1 3 2 7 0-',
  '7 5 6 7-1 7-6 7-5 3-10 3-1 2-4-2-5 3 7 13-1 4-8 6 0-3-10-7-2 9 8 7 2 8-5-3-3-7-3-3 1-7-4-11-',
  '3 3-3-1 1-4-6-10-9 3-1 3-12 8-1 11-5 5-8-16-2-11-4 1-8-9-18 0-2-3-4 1-6-3-3-4-4 0 6 10 1-2 1',
  ' 4 4 0 5-5 1 5 6 3-5 7-4 4-14 6-10 3-2-9-7-9-1-4-8-9 1-3-2 4-3-5 6 14 3 2 1 7 12 12-2 2 4 2 ',
  '13-3 0 3-7 13-14 13-3 4 0 8 3 5-1 10-10 8 1 8-6 3 0 6-5 5-8 6-13 2-2-2-1-5-6-9-1-10-6-11 4-9',
  '-1-7-2-7-6-8 2-8-3-4-5 1-3-4-4 0-9 4-5-1-7 1-10-7-9-13 2-5-1-8 2-5 6-8 7-5 0-5 7-7 8 2 7-3 1',
  '6-2 3 1-1 6 17 7 2-3 3-2 15 4 4-1 6 1 4-7 0-4-17 0-3-6 6-3 9-2 10 2 6-1 0-2-10-5 5-5-8 2 3 3',
  '-5 1-3-2 2-1-6-1-6 8 3 3-13 1 3 6-2-1 0 3-1 0-6-8 0-2-13-8-1 0 0 3 12 8-3-1 0 3-2 2-1-4-13-9',
  '-5 3-7 0 0 2-4 2-2 5-4 4-7 1-2-2-5 0-1-12 16-2 1-4-7-5 6 0-1-3 7 0 6-6 7-1 2-1-1-6 4-1 1 2-3',
  ' 2 3 3 17-1 4-1 0-5 5 1 1-3-2-1 11-2-12 0-3-1 0-5 8-4-3-2-12 7-2 2 4 3-4 3-2 5-6 1-5-8-4 2-6',
  ' 0-1-7 28-16 18-2 7 1-3 1 2 1 19 3 1 2-2 1-14 0 4 1 0 3 4 1-1-2 1 0 5 1 2-1-1-1 4-2 4 1 1-2-',
  '2-3 6 1 1 1-3 1 2 1 14-5 2 0-2 2 11-2 2 1 2-1-2-1 1-1 16 4 1-1-4-2-1-3 7-4 6 2-2 1 2 2-1 3 2',
  ' 1-4 4 2 1 5-4 0-2-3-1 2-2-3-2 4-1-1-2 2 1 0 2 2 1-1-2 3-1 8 2-2-4 13-1-2-1 2-1 28-3 7-2 5 2',
  ' 14 1-9 4 27 2 1-1 7 0 9 5 2-2 15 1-2-2 3-1 18 2 7 2 12 0 4 3 14 0 3 2 3-1-1-2zM720 22l11 5 ',
  '0-1 5 0 4 2-5 1-1 2-14-3 0 2-5 1 3 4-11 2-6 3-3-1-11 1-3 4 2 1-2 5-3 1-1 3-3 0-3 4-3-9 1-3 1',
  '5-8 2-3-9 4-1-3-6 1-5 3 2 2-26 0-14 9 6 1 4 0 3 4-3 7-4 4-6 6-5 0-10 7 4 6-1 4-5 1-1-4 2-1-5',
  '-2 2-3-9 1 2-3-1-1-7 4-1 1 3 2 7 0-7 5 6 7-1 7-6 7-5 3-10 3-1 2-4-2-5 3 7 13-1 4-8 6 0-3-10-',
  '7-2 9 8 7 2 8-5-3-3-7-3-3 1-7-4-11-3 3-3-1 1-4-6-10-9 3-1 3-12 8-1 11-5 5-8-16-2-11-4 1-8-9-',
  '18 0-2-3-4 1-6-3-3-4-4 0 6 10 1-2 1 4 4 0 5-5 1 5 6 3-5 7-4 4-14 6-10 3-2-9-7-9-1-4-8-9 1-3-',
  '2 4-3-5 6 14 3 2 1 7 12 12-2 2 4 2 13-3 0 3-7 13-14 13-3 4 0 8 3 5-1 10-10 8 1 8-6 3 0 6-5 5',
  '-8 6-13 2-2-2-1-5-6-9-1-10-6-11 4-9-1-7-2-7-6-8 2-8-3-4-5 1-3-4-4 0-9 4-5-1-7 1-10-7-9-13 2-',
  '5-1-8 2-5 6-8 7-5 0-5 7-7 8 2 7-3 16-2 3 1-1 6 17 7 2-3 3-2 15 4 4-1 6 1 4-7 0-4-17 0-3-6 6-',
  '3 9-2 10 2 6-1 0-2-10-5 5-5-8 2 3 3-5 1-3-2 2-1-6-1-6 8 3 3-13 1 3 6-2-1 0 3-1 0-6-8 0-2-13-',
  '8-1 0 0 3 12 8-3-1 0 3-2 2-1-4-13-9-5 3-7 0 0 2-4 2-2 5-4 4-7 1-2-2-5 0-1-12 16-2 1-4-7-5 6 ',
  '0-1-3 7 0 6-6 7-1 2-1-1-6 4-1 1 2-3 2 3 3 17-1 4-1 0-5 5 1 1-3-2-1 11-2-12 0-3-1 0-5 8-4-3-2',
  '-12 7-2 2 4 3-4 3-2 5-6 1-5-8-4 2-6 0-1-7 28-16 18-2 7 1-3 1 2 1 19 3 1 2-2 1-14 0 4 1 0 3 4',
  ' 1-1-2 1 0 5 1 2-1-1-1 4-2 4 1 1-2-2-3 6 1 1 1-3 1 2 1 14-5 2 0-2 2 11-2 2 1 2-1-2-1 1-1 16 ',
  '4 1-1-4-2-1-3 7-4 6 2-2 1 2 2-1 3 2 1-4 4 2 1 5-4 0-2-3-1 2-2-3-2 4-1-1-2 2 1 0 2 2 1-1-2 3-',
  '1 8 2-2-4 13-1-2-1 2-1 28-3 7-2 5 2 14 1-9 4 27 2 1-1 7 0 9 5 2-2 15 1-2-2 3-1 18 2 7 2 12 0',
  ' 4 3 14 0 3 2 3-1-1-2zM458 77l3 2-3 3 0 3 10 1 0-4-3-2 1-2 3 0-2-2-1 2-1-4-4-3 5-2 0-3-8 1-5',
  ' 4zM179 21l0 2 3-2 3 5 4-6 6 1 2 1-1 2 1 1-4 2-5 0-3 3-11 6-3 6 3 0 1 4 20 4 1 3 4 5 3-3-3-4',
  ' 7-4-4-5 2-2-1-5 8 0 9 3 0 4 4 2 6-5 6 7-1 1 9 4 4 5-9 4-13 0-9 6 12-4 2 1-2 1 1 4 6 0 2-2 1',
  ' 2-11 5-1-2 3-2-5 1-7 4 1 3-7 1 3 0-4 0-2 4-1-1 1 2-2 3-1-4 0 2-1 0 3 5-12 8 2 13-2-2-5-8-10',
  '-1 0 2-2 1-8-1-5 2-3 12 3 6 4 3 5-1 2-2 1-3 7-1-4 11 11 1-1 9 5 4 4-1 5 2 4-5 6-3 2 1-2 1 1 ',
  '5 0-4 3-2 4 3 12 0-1 1 11 8 6 0 5 4 3 5-1 3 4 0 0 2 1-1 6 2 1 2 9 1 9 4 2 5-1 3-7 8-2 10-3 8',
  '-13 6-3 7-10 12-4 1-5-2 3 6-4 3-7 1 0 4-5 0 0 2 3 1-3 2-1 3-4 1 0 2 4 1-1 2-6 5 2 4-6 1 0 2-',
  '8-3-1-8 3-3-3-1 2-5 3 1 1-4-4 1 3-7-1-5 4-9 3-25-3-5-9-6-8-15-3-2 0-3 3-4-2-1 0-2 8-10-2-9-3',
  '-1-3 4-9-6-4-7-7-1-7-4-4 1-14-6-4-3-1-6-16-17-2-1 1 4 10 13-1 1-4-3-1-3-5-3 2-2-7-9-6-3-8-12',
  ' 1-10-1-5 4 2-1-4-9-4-1-3-12-11-26-6-9 4 2-5-16 11-13 3 15-6 1-3-10 1 0-2-4-1-4-3 3-3 7-2-1-',
  '1 1-1-8 1-6-2 7-2 6 1-11-5 21-6 40 5 17-3 4 2 9-1 13 2 2 1-3 1 13 1 2-1-2-1 2 0 4-1 9 3 8-2 ',
  '3 1 0 1 4-3-5-2 3-4 4 1 3 3-2 1zM132 14l8 0 4 3-1-3 4 0 4 4 7 2-3 1 0 1-27 0-3-2 10-1-11 0 4',
  '-2-7 0 3-2zM187 14l1 1 7-3 3 4 6-2 8 3 4 0 8 3 2 2-4 1 14 3-4 4-8-3 7 6-1 2-8-2 6 3-18-5-5 1',
  '-2-1 1-2 8 0 2-4-12-5-19-1-2-1 2 0-3 0 0-2 3-3 5-1zM159 12l6 0-1 2 3 1 0 2-6 0-6-2 4 0-2-2zM',
  '119 17l-5 1-6-2 4-3-2-2 15 1 4 1zM650 9l-1 1-11 1-4-2 4-1zM144 8l4 0-1 2-14 1 3-1-11 0 4-3 1',
  '3 2-3-2zM475 19l-12-2 8-7 27-3-21 4-6 4zM171 6l11 3 16 0 2 1-25 0-3-3-6-1zM397 1l6 1-11 4-11',
  '-5zM411 -1l4 1-9 1-11-2zM560 2l-10 0-8-3 10-2 8 3zM186 1l2 0-10 3-11-4 8-3zM223 -6l13 1-11 2',
  ' 4 0-11 3-12 1 3 2-9 3 4 0-5 2-18-1 3-1-1-2 7 1-6-2 6-2-4-2 10 0-11 0-8-3zM306 -6l12 1-21 1 ',
  '39 1-16 3 5 0-4 2 0 3 2 1-6 1 3 1 1 2-2 0 2 1-8 2 2 3-5-1 6 4-7-2 1 1-3 2 8 0-35 9-6 6-1 5-1',
  '0-2-6-5-5-7 6-6-7 1 0-3 6 1-9-2 3-2-8-6-20-1-6-2 9-1-13-1 16-3-5-1 11-4 24-1 12 2-5-2 7-1z',
].join('');

/** The map in the units of its outline: half degrees, from 80 degrees north to 58 south. */
const MAP = { width: 720, height: 276 } as const;

/** The position of a place on the map (equirectangular), as fractions of its width and height. */
export function mapPlace({ lat, lon }: { readonly lat: number; readonly lon: number }): {
  readonly x: number;
  readonly y: number;
} {
  const y = (2 * (80 - lat)) / MAP.height;
  return { x: (lon + 180) / 360, y: Math.min(1, Math.max(0, y)) };
}

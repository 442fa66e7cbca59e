import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Reading, ReadingSeries } from '../../../edge/sensors/contract/reading.ts';
import type { SensorRecord } from '../../../edge/sensors/contract/sensor.ts';
import { readingSeriesQuery, readingsQuery, type ReadingWindow } from '../../api/sensors.ts';
import { column, endColumn } from '../../records/columns.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { joinQueries, MoreButton, Resource } from '../../ui/Resource.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import type { TimeSeriesData } from '../../widgets/time-chart/time-scale.ts';
import { momentFormat } from '../../widgets/time-chart/time-words.ts';
import { TimeChart } from '../../widgets/time-chart/TimeChart.tsx';
import { readingText } from './reading-text.ts';
import css from './Sensors.module.css';
import { createReadingSpikes, SpikesCard } from './SpikesCard.tsx';
import { type SensorsText, useSensorsText } from './words/en-sensors.ts';

interface PastViewProps {
  readonly sensor: SensorRecord;
  readonly window: ReadingWindow;
}

/** The readings of a sensor in a time range: charts, spikes and a table. */
export function PastView({ sensor, window }: PastViewProps) {
  const { t } = useSensorsText();
  const series = useQuery(readingSeriesQuery(sensor.sensor_id, window));
  const pages = useInfiniteQuery(readingsQuery(sensor.sensor_id, window));
  const readings = useMemo(
    () => pages.data?.pages.flatMap((page) => page.readings) ?? [],
    [pages.data],
  );
  return (
    <Resource
      query={joinQueries(series, pages)}
      skeleton={{ lines: 2, lineRem: 8 }}
      stale="reported"
      isEmpty={([found]) => found.readings === 0}
      empty={
        <EmptyState icon="sensors" title={t('past.none')}>
          {t('past.noneHelp', { hours: sensor.retention_s / 3_600 })}
        </EmptyState>
      }
    >
      {([found]) => (
        <>
          <Course sensor={sensor} window={window} series={found} />
          <Spikes sensor={sensor} readings={readings} />
          <ReadingTable readings={readings} unit={sensor.unit} />
          <MoreButton pages={pages}>{t('list.more')}</MoreButton>
        </>
      )}
    </Resource>
  );
}

interface CourseProps extends PastViewProps {
  readonly series: Parameters<typeof curvesOf>[0];
}

/** Two aligned charts: readings and spike counts. */
function Course({ sensor, window, series }: CourseProps) {
  const text = useSensorsText();
  const { t, format } = text;
  const [at, move] = useState<number | null>(null);
  const name = t('live.series', { type: sensor.type, unit: sensor.unit });
  const { values, spikes } = curvesOf(series, {
    names: { value: name, min: t('past.min'), mean: t('past.mean'), max: t('past.max') },
    spikes: sensor.encoding.code === 'delta' ? [t('past.on'), t('past.off')] : [t('past.spikes')],
  });
  const range = { ...window, stepMs: series.step_ms };
  const shared = { range, silence: silenceOf(series), cursor: { at, move } };
  return (
    <div className={css['course']}>
      <TimeChart
        title={t('live.values')}
        series={values}
        base="values"
        write={(value) => readingText(text, value, sensor.unit)}
        sentences={[t('past.count', { count: series.readings })]}
        {...shared}
      />
      <TimeChart
        title={t('past.spikesOver')}
        series={spikes}
        write={(value) => format.integer(value)}
        {...shared}
      />
    </div>
  );
}

interface SpikesProps {
  readonly sensor: SensorRecord;
  readonly readings: readonly Reading[];
}

/** The spikes of the latest of these readings. */
function Spikes({ sensor, readings }: SpikesProps) {
  const { t } = useSensorsText();
  const { encoding } = sensor;
  const buffer = useMemo(() => {
    const { code, steps } = encoding;
    const spikes = createReadingSpikes({ code, steps });
    for (const reading of readings.toReversed()) spikes.add(reading);
    return spikes.buffer;
  }, [encoding, readings]);
  return (
    <SpikesCard title={t('past.latest')} encoding={encoding} buffer={buffer} state="stopped" />
  );
}

interface CurveNames {
  readonly names: Readonly<Record<'value' | 'min' | 'mean' | 'max', string>>;
  /** Names of the spike curves: of all, or of rises and falls. */
  readonly spikes: readonly [string] | readonly [on: string, off: string];
}

/** The curves of readings and spikes: single values where no step has two, else mean, minimum and maximum. */
export function curvesOf({ readings, points }: ReadingSeries, { names, spikes }: CurveNames) {
  const curve = (name: string, of: 'min' | 'mean' | 'max' | 'on' | 'off'): TimeSeriesData => ({
    name,
    points: points.map((point) => [Date.parse(point.at), point[of]]),
  });
  const isSingle = readings === points.length;
  const [on, off] = spikes;
  return {
    values: isSingle
      ? [curve(names.value, 'mean')]
      : [curve(names.mean, 'mean'), curve(names.min, 'min'), curve(names.max, 'max')],
    spikes: [curve(on, 'on'), ...(off === undefined ? [] : [curve(off, 'off')])],
  };
}

/** The steps after which a sensor counts as silent: three of its mean intervals. */
export function silenceOf({ step_ms: stepMs, readings, points }: ReadingSeries): number {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || readings < 2) return 0;
  const intervalMs = (Date.parse(last.at) - Date.parse(first.at)) / (readings - 1);
  return Math.ceil((3 * intervalMs) / stepMs);
}

interface ReadingTableProps {
  readonly readings: readonly Reading[];
  readonly unit: string;
}

/** The readings, latest first. */
function ReadingTable({ readings, unit }: ReadingTableProps) {
  const text = useSensorsText();
  return (
    <Table
      caption={text.t('past.table')}
      columns={columnsOf(text, unit)}
      rows={readings}
      rowKey={({ seq }) => seq}
      height="limited"
    />
  );
}

function columnsOf(text: SensorsText, unit: string): readonly Column<Reading>[] {
  const { t, format, language } = text;
  const moment = momentFormat(language);
  return [
    column(t('column.when'), ({ at }) => moment(Date.parse(at))),
    endColumn(t('column.value'), ({ value }) => readingText(text, value, unit)),
    endColumn(t('column.spikes'), ({ spikes }) =>
      format.integer(spikes.on.length + spikes.off.length),
    ),
  ];
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Reading } from '../../../../edge/sensors/contract/reading.ts';
import type { SensorRecord } from '../../../../edge/sensors/contract/sensor.ts';
import { type ReadingWindow, readingSeriesQuery, readingsQuery } from '../../../api/sensors.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { MoreButton } from '../../../ui/Resource.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { TimeChart } from '../../../widgets/time-chart/TimeChart.tsx';
import { readingWords } from '../sensor-words.ts';
import css from '../Sensors.module.css';
import { useSensorsText } from '../sensors-text.ts';
import { SpikesCard } from '../SpikesCard.tsx';
import { createReadingSpikes } from '../reading-spikes.ts';
import { curvesOf, silenceOf } from './past-curves.ts';
import { ReadingTable } from './ReadingTable.tsx';

export interface PastViewProps {
  readonly sensor: SensorRecord;
  readonly window: ReadingWindow;
}

/** What a sensor measured in a time: its course, the spikes it became, and the readings one by one. */
export function PastView({ sensor, window }: PastViewProps) {
  const { t } = useSensorsText();
  const series = useQuery(readingSeriesQuery(sensor.sensor_id, window));
  const pages = useInfiniteQuery(readingsQuery(sensor.sensor_id, window));
  const error = series.error ?? pages.error;
  const retry = () => void Promise.all([series.refetch(), pages.refetch()]);
  const readings = useMemo(
    () => pages.data?.pages.flatMap((page) => page.readings) ?? [],
    [pages.data],
  );
  if (!series.data || !pages.data) {
    return error ? (
      <ErrorState error={error} onRetry={retry} />
    ) : (
      <Skeleton lines={2} lineRem={8} />
    );
  }
  if (series.data.readings === 0) {
    return (
      <EmptyState icon="sensors" title={t('past.none')}>
        {t('past.noneHelp', { hours: sensor.retention_s / 3_600 })}
      </EmptyState>
    );
  }
  return (
    <>
      <Course sensor={sensor} window={window} series={series.data} />
      <Spikes sensor={sensor} readings={readings} />
      <ReadingTable readings={readings} unit={sensor.unit} />
      <MoreButton pages={pages}>{t('list.more')}</MoreButton>
      {error && <ErrorState error={error} onRetry={retry} />}
    </>
  );
}

interface CourseProps extends PastViewProps {
  readonly series: Parameters<typeof curvesOf>[0];
}

/** Two charts over one time: what was measured, and how many spikes that became. */
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
        write={(value) => readingWords(text, value, sensor.unit)}
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

/** The spikes of the latest of these readings, as they are in the live view. */
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

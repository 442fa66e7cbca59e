import { useEffect, useMemo } from 'react';
import type { SensorRecord } from '../../../../edge/sensors/contract/sensor.ts';
import type { StreamLink } from '../../../api/follow-stream.ts';
import { openReadings } from '../../../api/sensors.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { useSampled } from '../../../widgets/canvas/use-sampled.ts';
import { TimeSeries } from '../../../widgets/time-series/TimeSeries.tsx';
import { readingWords } from '../sensor-words.ts';
import css from '../Sensors.module.css';
import { useSensorsText } from '../sensors-text.ts';
import { SpikesCard } from '../SpikesCard.tsx';
import { createSensorFeed, type SensorFeed } from './sensor-feed.ts';

const WORDS_EVERY_MS = 500;
const FAST_COLUMNS_PER_S = 10;

const TONES: Readonly<Record<StreamLink['status'], BadgeTone>> = {
  connecting: 'neutral',
  live: 'good',
  lost: 'warn',
  over: 'neutral',
  refused: 'bad',
};

/** What a sensor measures, as it comes, above the spikes that its readings become. */
export function LiveView({ sensor }: { readonly sensor: SensorRecord }) {
  const text = useSensorsText();
  const { t, format } = text;
  const feed = useReadings(sensor);
  useSampled(feed, WORDS_EVERY_MS);
  const { link, last } = feed;
  return (
    <>
      <p className={css['live']}>
        <Badge tone={TONES[link.status]}>{t(`link.${link.status}`)}</Badge>
        {last ? (
          <strong>{readingWords(text, last.value, sensor.unit)}</strong>
        ) : (
          <span className={css['note']}>{t('live.none')}</span>
        )}
        {last && <span className={css['note']}>{format.dateTime(new Date(last.at))}</span>}
      </p>
      {link.status === 'refused' && <ErrorState error={link.error} />}
      <div className={css['card']}>
        <TimeSeries
          title={t('live.values')}
          level={3}
          buffer={feed.values}
          series={[t('live.series', { type: sensor.type, unit: sensor.unit })]}
          axis={t('live.axis')}
        />
      </div>
      <SpikesCard
        title={t('live.spikes')}
        encoding={sensor.encoding}
        buffer={feed.spikes}
        state={link.status === 'live' && isFast(sensor) ? 'running' : 'stopped'}
      />
    </>
  );
}

/** Whether a raster of it moves so fast that people who want less motion rather turn pages. */
const isFast = ({ rate_hz: rate, encoding }: SensorRecord): boolean =>
  (rate ?? 0) * encoding.steps >= FAST_COLUMNS_PER_S;

/** The readings of a sensor, followed while they are shown; another code begins anew. */
function useReadings({ sensor_id: id, encoding }: SensorRecord): SensorFeed {
  const { code, low, high, threshold, steps } = encoding;
  const feed = useMemo(
    () =>
      createSensorFeed({ code, low, high, threshold, steps }, (after, signal) =>
        openReadings(id, after, signal),
      ),
    [id, code, low, high, threshold, steps],
  );
  useEffect(() => feed.follow(), [feed]);
  return feed;
}

import { useEffect, useMemo } from 'react';
import type { StreamEvent } from '../../../edge/contract/event-stream.ts';
import type { SensorEncoding } from '../../../edge/sensors/contract/encoding.ts';
import { type Reading, ReadingEvent } from '../../../edge/sensors/contract/reading.ts';
import type { SensorRecord } from '../../../edge/sensors/contract/sensor.ts';
import { followStream, type StreamLink } from '../../api/follow-stream.ts';
import { openReadings } from '../../api/sensors.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Note, Row } from '../../ui/Layout.tsx';
import { createSeriesBuffer, type SeriesBuffer } from '../../widgets/buffers/series-buffer.ts';
import { createSignal, type Source } from '../../widgets/buffers/signal.ts';
import type { SpikeBuffer } from '../../widgets/buffers/spike-buffer.ts';
import { useSampled } from '../../widgets/canvas/use-sampled.ts';
import { TimeSeries } from '../../widgets/time-series/TimeSeries.tsx';
import { readingText } from './reading-text.ts';
import css from './Sensors.module.css';
import { createReadingSpikes, SHOWN_READINGS, SpikesCard } from './SpikesCard.tsx';
import { useSensorsText } from './words/en-sensors.ts';

const WORDS_EVERY_MS = 500;
const FAST_COLUMNS_PER_S = 10;

const TONES: Readonly<Record<StreamLink['status'], BadgeTone>> = {
  connecting: 'neutral',
  live: 'good',
  lost: 'warn',
  over: 'neutral',
  refused: 'bad',
};

/** The live readings of a sensor and their spikes. */
export function LiveView({ sensor }: { readonly sensor: SensorRecord }) {
  const text = useSensorsText();
  const { t, format } = text;
  const feed = useReadings(sensor);
  useSampled(feed, WORDS_EVERY_MS);
  const { link, last } = feed;
  return (
    <>
      <Row as="p" gap={[2, 3]}>
        <Badge tone={TONES[link.status]}>{t(`link.${link.status}`)}</Badge>
        {last ? (
          <strong>{readingText(text, last.value, sensor.unit)}</strong>
        ) : (
          <Note as="span">{t('live.none')}</Note>
        )}
        {last && <Note as="span">{format.dateTime(new Date(last.at))}</Note>}
      </Row>
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

/** Whether the raster moves fast enough to be paged for people who prefer reduced motion. */
const isFast = ({ rate_hz: rate, encoding }: SensorRecord): boolean =>
  (rate ?? 0) * encoding.steps >= FAST_COLUMNS_PER_S;

/** The live readings of a sensor; a change of encoding restarts them. */
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

/** The live readings of a sensor and their spikes. */
export interface SensorFeed extends Source {
  readonly link: StreamLink;
  /** Values over the `seq` of their readings. */
  readonly values: SeriesBuffer;
  /** `steps` columns a reading; the second row is the OFF neuron of the delta code. */
  readonly spikes: SpikeBuffer;
  readonly last: Reading | undefined;
  /** Follows the sensor until the returned function is called. */
  follow(): () => void;
}

/** @param open opens the stream of the readings after one; from the last hundred where it is 0 */
export function createSensorFeed(
  encoding: SensorEncoding,
  open: (after: number, signal: AbortSignal) => Promise<Response>,
): SensorFeed {
  const signal = createSignal();
  // The plot draws all of what it holds: the readings that the raster shows.
  const values = createSeriesBuffer(1, SHOWN_READINGS);
  const spikes = createReadingSpikes(encoding);
  let version = 0;
  let link: StreamLink = { status: 'connecting' };
  let last: Reading | undefined;

  function changed() {
    version += 1;
    signal.emit();
  }

  function take(reading: Reading) {
    // After a reconnect, some may repeat.
    if (reading.seq <= (last?.seq ?? 0)) return;
    last = reading;
    values.push(reading.seq, [reading.value]);
    spikes.add(reading);
  }

  function onEvent({ event, data }: StreamEvent) {
    if (event !== 'readings') return;
    for (const reading of ReadingEvent.parse(JSON.parse(data)).readings) take(reading);
    changed();
  }

  return {
    values,
    spikes: spikes.buffer,
    get version() {
      return version;
    },
    get link() {
      return link;
    },
    get last() {
      return last;
    },
    subscribe: signal.subscribe,
    follow: () =>
      followStream({
        open: (closed) => open(last?.seq ?? 0, closed),
        onEvent,
        isOver: () => false,
        changed(to) {
          link = to;
          changed();
        },
      }),
  };
}
